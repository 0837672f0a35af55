import { z } from 'zod';
import { promptSchema } from './generations.ts';
import { limits } from './limits.ts';

/** Body of `POST /api/generations/<id>/changes`: what is to be another way in a finished image. */
export const changeRequestSchema = z.strictObject({
  /** In words; as long as a scene description. */
  instruction: promptSchema,
  /**
   * Where it may change: a PNG with an alpha channel, of the image's size, as base64. Where it is transparent the image may
   * change, elsewhere it stays as it is. Without a mask the whole image may.
   */
  mask: z.base64().max(limits.maskCharacters).optional(),
});
export type ChangeRequest = z.infer<typeof changeRequestSchema>;
