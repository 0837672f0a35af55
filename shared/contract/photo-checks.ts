import { z } from 'zod';
import { cutoutWarnings } from './photo-check.ts';

/**
 * The copy of a photo that is checked before anything is made: its longest side in pixels, and its size as base64 (256 kB).
 * The longest side of the product that is cut out of it.
 * How many may wait for their check, in all and of a seller; how long one may wait, and take, in seconds. Not part of
 * `limits`, which every page loads.
 */
export const photoCheckLimits = {
  side: 640,
  cutoutSide: 480,
  characters: 256 * 1024,
  waiting: 24,
  waitingOfSeller: 8,
  waitSeconds: 3,
  seconds: 10,
} as const;

/** Body of `POST /api/photo-checks`: a small copy of a photo. */
export const checkPhotoSchema = z.strictObject({
  photo: z
    .base64()
    .min(1)
    .max(photoCheckLimits.characters)
    .describe(
      `A JPEG, PNG or WebP, as base64; ${photoCheckLimits.side} pixels on its longest side are enough.`,
    ),
  cutout: z.boolean().default(false).describe('Whether the product is cut out as well.'),
  hands: z
    .boolean()
    .default(true)
    .describe(
      'Whether a hand that holds the product is looked for. It takes longer: whoever waits for a cutout asks again for it.',
    ),
});

/** What the check found; `checked` is false if the photo could not be looked at now. */
export const checkedPhotoSchema = z.object({
  checked: z.boolean(),
  warnings: z.array(z.enum(cutoutWarnings)),
  cutout: z
    .base64()
    .nullable()
    .default(null)
    .describe('The product without its background, as WebP; `null` without a cutout.'),
});
export type CheckedPhoto = z.infer<typeof checkedPhotoSchema>;
