import { Schema } from 'mongoose';
import { nullableText, partOptions, text } from '#shared/data/row.ts';

/** How a generation changes the image of another one. The keys are those of its own copy of that image, and of the mask. */
export const changeSchema = new Schema(
  { instruction: { type: String, default: '' }, image_key: text, mask_key: nullableText },
  partOptions,
);

/** How the image of `parent` is changed. */
export interface Change {
  instruction: string;
  image_key: string;
  /** Null if the whole image may change. */
  mask_key: string | null;
}
