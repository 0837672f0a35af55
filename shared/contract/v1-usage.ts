import { z } from 'zod';

/* Version 1 of the API for programs: which images were used. As v1.ts says, it stays as it is. */

/** GET, query `V1UsageQuery`: 200 `V1Usage`. */
export const v1UsagePath = '/api/v1/usage';

/** For how many days a program may ask at once; not in `limits`, which every page loads. */
export const v1UsageDays = 366;

const dayMs = 86_400_000;
/** The day of a moment, in UTC. */
const dayOfMoment = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Days in UTC, both included: by default the last 30. */
export const v1UsageQuerySchema = z
  .strictObject({ from: z.iso.date().optional(), to: z.iso.date().optional() })
  .transform(({ from, to = dayOfMoment(Date.now()) }) => ({
    from: from ?? dayOfMoment(Date.parse(to) - 29 * dayMs),
    to,
  }))
  .refine(({ from, to }) => from <= to, { path: ['from'], error: 'This day is after the last one.' })
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < v1UsageDays * dayMs, {
    path: ['from'],
    error: `Please ask for at most ${v1UsageDays} days at a time.`,
  });

export type V1UsageQuery = z.output<typeof v1UsageQuerySchema>;

export const v1UsageSchema = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  /** Images that were used in these days, by the day (UTC) on which they were asked for. */
  images: z.number().int(),
  /** Every day, also those without images. */
  days: z.array(z.object({ date: z.iso.date(), images: z.number().int() })),
  /** By project, the one with the most first; `name` is null of one that is being deleted. */
  projects: z.array(z.object({ id: z.string(), name: z.string().nullable(), images: z.number().int() })),
  /**
   * By the API key that asked for them, also one that was revoked since, the one with the most first; `id` and `name` are null
   * of images that were asked for in the studio.
   */
  keys: z.array(
    z.object({ id: z.string().nullable(), name: z.string().nullable(), images: z.number().int() }),
  ),
});
export type V1Usage = z.infer<typeof v1UsageSchema>;
