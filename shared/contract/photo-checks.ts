import { z } from 'zod';
import { limits } from './limits.ts';
import { cutoutWarnings } from './photo-check.ts';

/** Body of `POST /api/photo-checks`: a small copy of a photo. */
export const checkPhotoSchema = z.strictObject({
  photo: z
    .base64()
    .min(1)
    .max(limits.photoCheckCharacters)
    .describe(
      `A JPEG, PNG or WebP, as base64; ${limits.photoCheckSide} pixels on its longest side are enough.`,
    ),
});

/** What the check found; `checked` is false if the photo could not be looked at now. */
export const checkedPhotoSchema = z.object({
  checked: z.boolean(),
  warnings: z.array(z.enum(cutoutWarnings)),
});
export type CheckedPhoto = z.infer<typeof checkedPhotoSchema>;
