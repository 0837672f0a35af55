import { z } from 'zod';
import { changedOptionFields, sizeFault } from './generation-options.ts';
import { promptSchema } from './generations.ts';
import { limits } from './limits.ts';

/** Body of `POST /api/generations/<id>/move`. */
export const moveInLineSchema = z.strictObject({
  /** Another generation of the seller's that waits: it is made before that one. Null for the front. */
  before: z.string().max(100).nullable(),
});
export type MoveInLine = z.infer<typeof moveInLineSchema>;

/** Body of `PATCH /api/generations/<id>/request`: what is given changes; width and height come together. */
export const changeWaitingSchema = z
  .strictObject({
    prompt: promptSchema.optional(),
    ...changedOptionFields,
    /** Only where the provider takes seeds. */
    seed: z.number().int().min(0).max(limits.seed).optional(),
  })
  .superRefine(({ width, height }, context) => {
    if (width === undefined && height === undefined) return;
    const fault = sizeFault(width ?? 0, height ?? 0);
    if (fault) context.addIssue({ code: 'custom', path: [fault.field], message: fault.message });
  });
export type ChangeWaiting = z.infer<typeof changeWaitingSchema>;
