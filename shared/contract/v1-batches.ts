import { z } from 'zod';
import { batchStates } from './batches.ts';
import { timeLeftSchema } from './generations.ts';

/* Version 1 of the API for programs: batches. As v1.ts says, it stays as it is. */

export const v1BatchSchema = z.object({
  id: z.string(),
  name: z.string(),
  projectId: z.string(),
  /** `uploading` until it is started. `ended`: nothing is left to do. */
  state: z.enum(batchStates),
  /** Whether the rest of it was cancelled. */
  cancelled: z.boolean(),
  /** Why it was paused, if not by its seller; null otherwise. */
  pausedBecause: z.string().nullable(),
  /** Until when its next images wait, because the daily limit is reached; null if they do not. */
  waitsUntil: z.iso.datetime().nullable(),
  rows: z.number().int(),
  /** How often it was started, with each time that failed images were made again; 0 before the first. */
  round: z.number().int(),
  /** How many of its images are where: `total` is the sum of the others. */
  images: z.object({
    total: z.number().int(),
    waiting: z.number().int(),
    underWay: z.number().int(),
    succeeded: z.number().int(),
    failed: z.number().int(),
    cancelled: z.number().int(),
  }),
  timeLeft: timeLeftSchema.nullable(),
  createdAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  /** When it is removed if it is not started; null once it was. */
  removedAt: z.iso.datetime().nullable(),
});
export type V1Batch = z.infer<typeof v1BatchSchema>;
