import { z } from 'zod';
import { imageOptionsSchema, optionFields, sizeFault, wholeNumber } from './generation-options.ts';
import { promptSchema } from './generations.ts';
import { limits } from './limits.ts';
import { presetIdSchema } from './preset-ids.ts';
import { sceneTemplates } from './templates.ts';
import { plainText } from './text.ts';

/** What a look consists of. Options have the defaults of a submission. */
const lookFields = {
  name: z.string().trim().min(1).max(limits.lookNameCharacters).regex(plainText),
  /** The description of the image, without the template. */
  scene: promptSchema,
  /** The template before the scene; null for none. */
  template: z.enum(sceneTemplates).nullable().default(null),
  ...optionFields,
  /** Takes of one product. */
  numImages: wholeNumber(1, limits.imagesPerRequest).default(1),
  /** What its images are exported for, each preset once: those of marketplaces, and the seller's own. */
  exportPresets: z
    .array(presetIdSchema)
    .refine((ids) => new Set(ids).size === ids.length)
    .meta({ uniqueItems: true })
    .default([]),
};

/** Reports a width and height that are not one of the sizes. */
function checkSize(size: { width: number; height: number }, context: z.RefinementCtx): void {
  const fault = sizeFault(size.width, size.height);
  if (fault) context.addIssue({ code: 'custom', path: [fault.field], message: fault.message });
}

/** Body of `PUT /api/looks/<id>`: all of the look; an option that is left out gets its default. */
export const changeLookSchema = z.strictObject(lookFields).superRefine(checkSize);
export type ChangeLook = z.output<typeof changeLookSchema>;

/** Body of `POST /api/looks`. */
export const createLookSchema = z
  .strictObject({
    ...lookFields,
    /** The finished generation whose image becomes the small picture of the look. */
    pictureOf: z.string().max(100).optional(),
  })
  .superRefine(checkSize);
export type CreateLook = z.input<typeof createLookSchema>;

export const lookViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  scene: z.string(),
  template: z.enum(sceneTemplates).nullable(),
  ...imageOptionsSchema.shape,
  numImages: z.number().int(),
  /** Own ones first. One that the seller deleted is not among them. */
  exportPresets: z.array(presetIdSchema),
  /** A small WebP; null without one. */
  pictureUrl: z.string().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type LookView = z.infer<typeof lookViewSchema>;

/** All looks of a seller, the one that was changed last first. */
export const lookListSchema = z.object({ looks: z.array(lookViewSchema) });
export type LookList = z.infer<typeof lookListSchema>;
