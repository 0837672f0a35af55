import { z } from 'zod';
import { alertKinds } from './alerts.ts';
import { operatorQueueSchema } from './operators.ts';

/* What operators see of the installation as a whole. */

/** Query of `GET /api/operator/series`. */
export const operatorSeriesQuerySchema = z.strictObject({
  range: z.enum(['1h', '24h', '7d']).default('1h'),
});
export type OperatorSeriesRange = z.infer<typeof operatorSeriesQuerySchema>['range'];

const points = z.array(z.number().nullable());

/** Reply of `GET /api/operator/series`: lists of one length. Null where nothing is known. */
export const operatorSeriesSchema = z.object({
  /** Beginning of each step, in seconds since 1970. */
  times: z.array(z.number()),
  waiting: points,
  running: points,
  delayed: points,
  failedJobs: points,
  /** In seconds, without images of batches. */
  oldestWaiting: points,
  sockets: points,
  workers: points,
  imagesPerMinute: points,
  /** Images that failed in the step. */
  failures: points,
  /** Seconds from accepted to made, without images of batches. */
  latencyP50: points,
  latencyP95: points,
});
export type OperatorSeries = z.infer<typeof operatorSeriesSchema>;

/** What a server or worker reports about itself. */
const processSchema = z.object({
  id: z.string(),
  version: z.string(),
  host: z.string(),
  pid: z.number().int(),
  startedAt: z.iso.datetime(),
  reportedAt: z.iso.datetime(),
});

/** The state of a store. */
const storeSchema = z.object({
  store: z.enum(['mongodb', 'queue', 'storage', 'mail']),
  works: z.boolean(),
  /** The last error, and since when; null while it works. */
  error: z.string().nullable(),
  since: z.iso.datetime().nullable(),
  /** How many processes have that error. */
  processes: z.number().int(),
  /** What operators should change although it works; null if nothing. */
  warning: z.string().nullable(),
});

/** Reply of `GET /api/operator/now`. */
export const operatorNowSchema = z.object({
  at: z.iso.datetime(),
  /** Null if the queue does not answer. */
  queue: operatorQueueSchema.nullable(),
  /** In seconds, without images of batches; 0 if none waits. */
  oldestWaiting: z.number(),
  /** In the last five minutes. */
  imagesPerMinute: z.number(),
  /** In the last hour: seconds from accepted to made, without images of batches; null if none was made. */
  latency: z.object({ p50: z.number(), p95: z.number() }).nullable(),
  /** In the last hour. */
  images: z.number().int(),
  failures: z.array(z.object({ cause: z.string(), count: z.number().int() })),
  provider: z.object({
    /** `half-open`: single calls probe whether it works again. */
    breaker: z.enum(['closed', 'open', 'half-open']),
    /** Since when the breaker is not closed. */
    since: z.iso.datetime().nullable(),
    /** When the next call is made, if calls pause. */
    until: z.iso.datetime().nullable(),
    /** Why calls pause. */
    kind: z.enum(['busy', 'connection', 'account']).nullable(),
    /** The last refusal, in the provider's words. */
    cause: z.string().nullable(),
    /** Calls that were refused since the provider last accepted one. */
    refusedCalls: z.number().int(),
    /** What the worker that started last found wrong with the image model or the account. */
    modelProblem: z.string().nullable(),
    /** Limits of all workers together, 0 for none; and how much of them is used. */
    limiter: z.object({
      perMinute: z.number(),
      inFlight: z.number(),
      used: z.number().int(),
      running: z.number().int(),
      /** Until when no call is made because the provider accepts no more. */
      waitsUntil: z.iso.datetime().nullable(),
    }),
  }),
  /** Until when images wait because the calls of today cost as much as they may; null or absent if they do not. */
  budgetStop: z.object({ until: z.iso.datetime(), total: z.number().int() }).nullable().optional(),
  workers: z.array(
    processSchema.extend({
      concurrency: z.number().int(),
      running: z.array(z.string()),
      /** Of the last hour: images that it made, that failed for reasons that are not the sellers', and seconds for one made. */
      made: z.number().int(),
      failed: z.number().int(),
      secondsPerImage: z.number().nullable(),
      /** How often a worker on its machine ended without being shut down in the day before it was started. */
      crashes: z.number().int(),
    }),
  ),
  servers: z.array(processSchema.extend({ sockets: z.number().int() })),
  stores: z.array(storeSchema),
  /** Those that are not over. */
  alerts: z.array(
    z.object({ kind: z.enum(alertKinds), since: z.iso.datetime(), details: z.string(), runbook: z.string() }),
  ),
});
export type OperatorNow = z.infer<typeof operatorNowSchema>;
