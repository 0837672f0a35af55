import { Schema } from 'mongoose';
import { imageBackgrounds, imageStyleNames, optionTexts } from '#contract';
import { number, partOptions } from './row.ts';

/** The options of an image, as they are stored: under the names of the API. */
const imageOptions = {
  /** Empty for none. */
  negativePrompt: { type: String, default: '' },
  width: number,
  height: number,
  style: { type: String, enum: imageStyleNames, required: true },
  background: { type: String, enum: imageBackgrounds, required: true },
} as const;

/** The options of a look, or of a row of a batch. */
export const imageOptionsPart = { type: new Schema(imageOptions, partOptions), required: true } as const;

/** The options of a generation: with its seed, which is null where the provider takes none. */
export const generationOptionsPart = {
  type: new Schema({ ...imageOptions, seed: { type: Number, default: null } }, partOptions),
  required: true,
} as const;

/** Removes the texts of the seller from the options of a generation, as part of an update. */
export const withoutOptionTexts = Object.fromEntries(
  Object.keys(optionTexts).map((name) => [`options.${name}`, '']),
);
