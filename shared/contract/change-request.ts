import { z } from 'zod';
import { promptSchema } from './generations.ts';
import { limits } from './limits.ts';
import { marksSchema } from './marks.ts';

/** Body of `POST /api/generations/<id>/changes`: what is to be another way in a finished image. */
export const changeRequestSchema = z
  .strictObject({
    /** In words; as long as a scene description. */
    instruction: promptSchema,
    /** Where it may change; elsewhere it stays as it is. Without marks and without a mask the whole image may. */
    marks: marksSchema.optional(),
    /**
     * The same as a picture, in place of marks: a PNG with an alpha channel, of the image's size, as base64. Where it is
     * transparent the image may change.
     */
    mask: z.base64().max(limits.maskCharacters).optional(),
  })
  .refine(({ marks, mask }) => marks === undefined || mask === undefined, {
    path: ['mask'],
    error: 'Please send either marks or a mask.',
  });
export type ChangeRequest = z.infer<typeof changeRequestSchema>;
