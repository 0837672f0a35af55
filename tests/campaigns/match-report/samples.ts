/** The sample photos, with the true outlines of their products and the places of their labels. */
import { readFileSync } from 'node:fs';
import sharp from 'sharp';

/** A rectangle in fractions of a photo's width and height. */
export interface Place {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** A sample photo. */
export interface Sample {
  name: string;
  /** Its pixels, without loss. */
  png: Buffer;
  /** White where the product is, of the photo's size; null if it is not known. */
  mask: Buffer | null;
  /** Where the product has text; null if it has none. */
  label: Place | null;
}

const place = (left: number, top: number, width: number, height: number): Place => ({
  left,
  top,
  width,
  height,
});

const labels: Readonly<Record<string, Place>> = {
  'candle-1': place(0.335, 0.45, 0.27, 0.14),
  'coffee-pouch-1': place(0.36, 0.49, 0.28, 0.12),
  'perfume-1': place(0.38, 0.6, 0.15, 0.1),
  'pump-bottle-1': place(0.4, 0.51, 0.22, 0.1),
  'pump-bottle-2': place(0.38, 0.51, 0.14, 0.12),
  'pump-bottle-3': place(0.4, 0.68, 0.2, 0.08),
  'soap-1': place(0.39, 0.33, 0.22, 0.06),
  'tea-tin-1': place(0.41, 0.56, 0.17, 0.1),
};

/** The photos with a mask. */
export const maskedNames: readonly string[] = [
  'candle-1',
  'coffee-pouch-1',
  'cushion-1',
  'headphones-1',
  'mug-1',
  'mug-2',
  'mug-3',
  'notebook-1',
  'perfume-1',
  'pump-bottle-1',
  'pump-bottle-2',
  'pump-bottle-3',
  'soap-1',
  'tea-tin-1',
  'vase-1',
];

const photos = new URL('../../../scripts/local/photos/', import.meta.url);

/** Reads a photo of scripts/local/photos. @param name one of {@link maskedNames} */
export async function readSample(name: string): Promise<Sample> {
  return {
    name,
    png: await sharp(readFileSync(new URL(`${name}.jpg`, photos)))
      .png()
      .toBuffer(),
    mask: readFileSync(new URL(`masks/${name}.png`, photos)),
    label: labels[name] ?? null,
  };
}

/** The cup of tests/support/sample, whose outline and label are not known. */
export function readCup(): Sample {
  const png = readFileSync(new URL('../../support/sample/coffee-cup.png', import.meta.url));
  return { name: 'coffee-cup', png, mask: null, label: null };
}
