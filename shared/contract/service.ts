import { z } from 'zod';
import { bannerSchema } from './banner.ts';
import { imagePackSchema } from './plans.ts';

/** Reply of `GET /api/service`: what everybody may know about this installation. */
export const publicInfoSchema = z.object({
  /** Whether this is a try-out installation: payments, mails or images may not be real. */
  tryOut: z.boolean(),
  /** Images that a new account gets for free; 0 for none. */
  freeImages: z.number().int(),
  /** The packs of images that are sold; none by default. Absent in replies of the release before. */
  imagePacks: z.array(imagePackSchema).optional(),
  /** What the operators have to say to sellers now; null for nothing. */
  banner: bannerSchema.nullable(),
});
export type Service = z.infer<typeof publicInfoSchema>;
