import { z } from 'zod';
import { productNameSchema } from './generations.ts';

/** Body of `PATCH /api/generations/<id>`: at least one of the two. */
export const changeGenerationSchema = z
  .strictObject({
    /** Empty for none. */
    productName: productNameSchema.optional(),
    favourite: z.boolean().optional(),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    error: 'Nothing to change: send productName or favourite.',
  });
export type ChangeGeneration = z.infer<typeof changeGenerationSchema>;

/** Reply of `DELETE /api/generations/<id>`. */
export const removedGenerationSchema = z.object({
  id: z.string(),
  /** Views with this revision, or a smaller one, are from before the deletion; one that is restored has a larger one. */
  revision: z.number().int(),
});
export type RemovedGeneration = z.infer<typeof removedGenerationSchema>;
