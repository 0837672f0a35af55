/** Failures that can be simulated with `POST /control`. */
import { z } from 'zod';

const behaviourSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ok') }),
  z.strictObject({
    kind: z.literal('slow'),
    /** Before the answer begins. */
    ms: z.number().int().min(0).max(3_600_000),
    /** After each preview of a stream. */
    previewMs: z.number().int().min(0).max(3_600_000).optional(),
    headers: z.record(z.string(), z.string()).optional(),
  }),
  z.strictObject({
    kind: z.literal('error'),
    /** Affects only calls with this prompt. */
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
    /** The number of calls in each window; a window begins with its first call. */
    calls: z.number().int().min(1),
    windowMs: z.number().int().min(1).max(3_600_000),
    /** Whether the 429 reply says when the window ends; default true. */
    retryAfter: z.boolean().optional(),
  }),
  z.strictObject({
    kind: z.literal('limits'),
    /** Calls in any window, and its length; the answers have `x-ratelimit` headers then. */
    perWindow: z.number().int().min(1).optional(),
    windowMs: z.number().int().min(1).max(3_600_000),
    /** Calls at the same time. */
    inFlight: z.number().int().min(1).optional(),
    /** How long a call takes. */
    ms: z.number().int().min(0).max(3_600_000),
  }),
  /** The image has one colour. */
  z.strictObject({ kind: z.literal('blank') }),
  /** The image is the first photo, scaled and cropped to the size. */
  z.strictObject({ kind: z.literal('copy') }),
  /** The image changes everywhere, also outside of the mask. */
  z.strictObject({ kind: z.literal('ignore-mask') }),
  z.strictObject({ kind: z.literal('stall') }),
  z.strictObject({ kind: z.literal('stall-before') }),
  z.strictObject({ kind: z.literal('cut') }),
  z.strictObject({ kind: z.literal('truncate') }),
  z.strictObject({
    kind: z.literal('stream-error'),
    shape: z.enum(['nested', 'flat']),
    /** Default `server_error`. */
    code: z.string().optional(),
  }),
  z.strictObject({
    kind: z.literal('invalid-response'),
    what: z.enum(['not-json', 'empty-data', 'not-an-image', 'wrong-size', 'html']),
  }),
  z.strictObject({
    kind: z.literal('hold'),
    /**
     * By default the call is held before anything is sent; `previews` holds a streamed call after its last preview.
     */
    after: z.literal('previews').optional(),
  }),
]);

/** What a call does instead of, or before, its normal reply. */
export type Behaviour = z.infer<typeof behaviourSchema>;

/** The body of `POST /control`: a queue of behaviours for the next calls, and the default for all others. */
export const controlSettingsSchema = z.strictObject({
  behaviours: z.array(behaviourSchema).optional(),
  default: behaviourSchema.optional(),
});
/** See `controlSettingsSchema`. */
export type ControlSettings = z.infer<typeof controlSettingsSchema>;
