/** The ways a call can be made to go wrong, as `POST /control` takes them. */
import { z } from 'zod';

const behaviourSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ok') }),
  z.strictObject({ kind: z.literal('slow'), ms: z.number().int().min(0).max(3_600_000) }),
  z.strictObject({
    kind: z.literal('error'),
    /** Fails only the calls with this prompt; any other is answered. */
    prompt: z.string().optional(),
    status: z.number().int().min(400).max(599),
    code: z.string().nullable(),
    type: z.string(),
    message: z.string().optional(),
    param: z.string().nullable().optional(),
    headers: z.record(z.string(), z.string()).optional(),
  }),
  z.strictObject({
    kind: z.literal('rate-limit'),
    /** Calls that are answered in each window, which begins with the first of them. */
    calls: z.number().int().min(1),
    windowMs: z.number().int().min(1).max(3_600_000),
    /** Whether a refusal says when the window ends; true unless given. */
    retryAfter: z.boolean().optional(),
  }),
  z.strictObject({ kind: z.literal('stall') }),
  z.strictObject({ kind: z.literal('stall-before') }),
  z.strictObject({ kind: z.literal('cut') }),
  z.strictObject({ kind: z.literal('truncate') }),
  z.strictObject({
    kind: z.literal('stream-error'),
    shape: z.enum(['nested', 'flat']),
    /** `server_error` unless given. */
    code: z.string().optional(),
  }),
  z.strictObject({
    kind: z.literal('nonsense'),
    what: z.enum(['not-json', 'empty-data', 'not-an-image', 'wrong-size', 'html']),
  }),
  z.strictObject({
    kind: z.literal('hold'),
    /** A streamed call may also be held once all its previews are sent; before anything is sent unless given. */
    after: z.literal('previews').optional(),
  }),
]);

/** What one call does instead of, or before, the right thing. */
export type Behaviour = z.infer<typeof behaviourSchema>;

/** The body of `POST /control`: a queue for the next calls, and what every other call does. */
export const controlSettingsSchema = z.strictObject({
  behaviours: z.array(behaviourSchema).optional(),
  default: behaviourSchema.optional(),
});
/** See `controlSettingsSchema`. */
export type ControlSettings = z.infer<typeof controlSettingsSchema>;
