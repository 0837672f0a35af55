import { z } from 'zod';

/** Largest angle of straightening, in degrees, to either side. */
export const straightenMost = 15;
/** Smallest width and height of a crop, as a fraction of the image. */
export const cropLeast = 0.05;

const fraction = z.number().min(0).max(1);
const percentage = z.number().int().min(-100).max(100).default(0);

/** Sums of fractions may exceed 1 by a rounding error. */
const roundingError = 1e-6;

const cropFields = {
  left: fraction,
  top: fraction,
  width: fraction.min(cropLeast),
  height: fraction.min(cropLeast),
};
const cropSchema = z
  .strictObject(cropFields)
  .refine(({ left, width }) => left + width <= 1 + roundingError)
  .refine(({ top, height }) => top + height <= 1 + roundingError);

/**
 * How a finished image is edited. The steps are executed in the order of the fields, by `applyRecipe`
 * (edit-pixels.ts), in the browser and on the server.
 */
export const editRecipeSchema = z.strictObject({
  /** Clockwise turn in degrees. */
  rotate: z.literal([0, 90, 180, 270]).default(0),
  /** Clockwise angle in degrees. The largest upright rectangle inside the turned image is kept. */
  straighten: z.number().min(-straightenMost).max(straightenMost).default(0),
  /** The part that is kept, in fractions of the image after the steps before; null for all of it. */
  crop: cropSchema.nullable().default(null),
  brightness: percentage,
  contrast: percentage,
  saturation: percentage,
  /** Positive is warmer: more red and less blue. */
  warmth: percentage,
  /** Whether a nearly white background is made pure white. */
  whiteBackground: z.boolean().default(false),
});
export type EditRecipe = z.infer<typeof editRecipeSchema>;

/** A recipe in a view: with fields of a later release it can still be read. */
export const recipeViewSchema = z.object({
  ...editRecipeSchema.shape,
  crop: z.object(cropFields).nullable(),
});
export type EditCrop = NonNullable<EditRecipe['crop']>;

/** The recipe that changes nothing. */
export const identityRecipe: Readonly<EditRecipe> = {
  rotate: 0,
  straighten: 0,
  crop: null,
  brightness: 0,
  contrast: 0,
  saturation: 0,
  warmth: 0,
  whiteBackground: false,
};

/** Whether a recipe changes nothing. */
export function isIdentity({ crop, ...rest }: EditRecipe): boolean {
  const isWhole = crop === null || (crop.width === 1 && crop.height === 1);
  return (
    isWhole &&
    Object.entries(rest).every(([field, value]) => value === identityRecipe[field as keyof typeof rest])
  );
}

/** Body of `PUT /api/generations/<id>/edits`. */
export const saveEditsSchema = z.strictObject({
  /** The recipe that changes nothing removes the edits. */
  recipe: editRecipeSchema,
  /** `edits.version` of the view that the seller edited; null if it had no edits. */
  basedOn: z.number().int().nullable(),
});
export type SaveEdits = z.infer<typeof saveEditsSchema>;
