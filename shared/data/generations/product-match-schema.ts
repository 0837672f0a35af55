import { Schema } from 'mongoose';
import { matchLevels } from '#contract';
import { number, partOptions } from '#shared/data/row.ts';

export const productMatchSchema = new Schema(
  {
    level: { type: String, enum: matchLevels, required: true },
    area: { type: [new Schema({ x: number, y: number }, partOptions)], default: null },
  },
  partOptions,
);

/** Whether an image shows the product of its photos; `area`: its corners in the image, in fractions of the image's size. */
export interface ProductMatch {
  level: (typeof matchLevels)[number];
  area: { x: number; y: number }[] | null;
}
