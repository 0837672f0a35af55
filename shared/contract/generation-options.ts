import { z } from 'zod';
import { imageSizeOf, imageSizes } from './image-sizes.ts';
import { imageStyleNames } from './image-styles.ts';
import { limits } from './limits.ts';
import { plainText } from './text.ts';

export const imageBackgrounds = ['opaque', 'transparent'] as const;
export type ImageBackground = (typeof imageBackgrounds)[number];

/** What a generation uses for every option that the seller does not choose. */
export const defaultOptions = {
  negativePrompt: 'blurry, bad quality, deformed, distorted',
  ...imageSizes.square,
  style: 'product',
  background: 'opaque',
} as const;

/** A whole number from a form's text or from JSON; forms write it with digits only. */
export const wholeNumber = (least: number, most: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? (/^\d+$/.test(value) ? Number(value) : Number.NaN) : value),
    z.number().int().min(least).max(most),
  );

const yesOrNo = z.preprocess(
  (value) => (value === 'true' ? true : value === 'false' ? false : value),
  z.boolean(),
);

/**
 * The options of an image, as fields of a request: of the form, of looks and of rows of batches alike. Width and height must be
 * one of the sizes. A new option is added here, to `shared/data/options.ts` and to `web/src/ui/options/option-fields.tsx`.
 */
export const optionFields = {
  /** What the image must not show; empty for nothing. */
  negativePrompt: z
    .string()
    .overwrite((text) => text.replace(/\r\n?/g, '\n'))
    .trim()
    .max(limits.negativePromptCharacters)
    .regex(plainText)
    .default(defaultOptions.negativePrompt),
  width: wholeNumber(1, limits.imageSide).default(defaultOptions.width),
  height: wholeNumber(1, limits.imageSide).default(defaultOptions.height),
  style: z.enum(imageStyleNames).default(defaultOptions.style),
  background: z.enum(imageBackgrounds).default(defaultOptions.background),
};

/** The fields of a request for the seed. */
export const seedFields = {
  /** Whether to use `seedValue`; otherwise the server draws a seed. */
  useSeed: yesOrNo.default(false),
  /** The same seed with the same request makes the same image, where the provider takes seeds. */
  seedValue: wholeNumber(0, limits.seed).optional(),
};

/** The fault of a width and height that are not one of the sizes, about the field that is wrong; undefined if fine. */
export function sizeFault(
  width: number,
  height: number,
): { field: 'width' | 'height'; message: string } | undefined {
  if (imageSizeOf(width, height)) return undefined;
  const sizes = Object.values(imageSizes);
  const field = sizes.some((size) => size.width === width) ? 'height' : 'width';
  const list = sizes.map((size) => `${size.width} × ${size.height}`).join(', ');
  return { field, message: `Images of ${width} × ${height} pixels are not offered. Choose one of: ${list}.` };
}

/** The options of an image, as they are shown. */
export const imageOptionsSchema = z.object({
  negativePrompt: z.string(),
  width: z.number().int(),
  height: z.number().int(),
  style: z.enum(imageStyleNames),
  background: z.enum(imageBackgrounds),
});
export type ImageOptions = z.infer<typeof imageOptionsSchema>;

/** The options of which only those are given that change: texts as strictly as in a form. */
export const changedOptionFields = {
  ...imageOptionsSchema.partial().shape,
  negativePrompt: optionFields.negativePrompt.unwrap().optional(),
  width: optionFields.width.unwrap().optional(),
  height: optionFields.height.unwrap().optional(),
};

/** The options that are texts of the seller, which are removed with an image, and what they are called. */
export const optionTexts = { negativePrompt: 'What to avoid' } as const satisfies Partial<
  Record<keyof ImageOptions, string>
>;

/** The options among other fields. */
export function imageOptionsOf(fields: ImageOptions): ImageOptions {
  return imageOptionsSchema.parse(fields);
}

/** How the image of a generation is made, as the seller chose it. */
export const generationOptionsSchema = imageOptionsSchema.extend({
  /** The seed of this image, chosen or drawn; null where the provider takes none. */
  seed: z.number().int().nullable(),
});
export type GenerationOptions = z.infer<typeof generationOptionsSchema>;
