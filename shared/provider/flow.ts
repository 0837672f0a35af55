import type { Db } from '#shared/data/db.ts';
import { findProviderFlow } from '#shared/data/queue/provider-flow.ts';
import { endProviderPause, findProviderPause, type PauseKind } from '#shared/data/queue/provider-pauses.ts';
import type { GenerationQueue } from '#shared/platform/queue.ts';
import { countedCalls, minuteWindow, withoutExpired } from './limiter.ts';

/**
 * The breaker between the workers and the image provider. `closed`: calls are made. `open`: no call is made until a moment.
 * `half-open`: single calls probe whether the provider works again.
 */
type BreakerState = 'closed' | 'open' | 'half-open';

/** How calls to the image provider are limited at the moment. */
export interface ProviderFlow {
  limiter: {
    /** The limits of the workers; 0 for none. */
    perMinute: number;
    inFlight: number;
    /** Calls of the last minute, and calls under way. Both are 0 where there is no limit: they are not counted then. */
    used: number;
    running: number;
    /** Until when no call is made because the provider said that it accepts no more; null if it accepts calls. */
    waitsUntil: Date | null;
  };
  breaker: BreakerState;
  /** Since when the breaker has been open or half-open; null while it is closed. */
  since: Date | null;
  /** When the next call is made, if calls pause now; also with a closed breaker, because the provider is busy. */
  until: Date | null;
  /** Why calls pause, or the breaker is not closed; null otherwise. */
  kind: PauseKind | null;
  /** The last refusal, in words for the operator; null as for `kind`. */
  cause: string | null;
  /** Calls that were refused since the provider last accepted one. */
  refusedCalls: number;
  /** What the worker that started last found wrong with the model or the account; null for nothing. */
  modelProblem: string | null;
}

/** Reads what limits the calls of all workers: two documents by their id. */
export async function readProviderFlow(db: Db): Promise<ProviderFlow> {
  const [flow, pause] = await Promise.all([findProviderFlow(db), findProviderPause(db)]);
  const now = new Date();
  const calls = flow && withoutExpired(flow, now, minuteWindow);
  const paused = pause !== null && pause.careful > 0 && pause.until > now;
  const openedAt = pause?.opened_at ?? null;
  const tells = pause !== null && (paused || openedAt !== null);
  return {
    limiter: {
      perMinute: flow?.per_minute ?? 0,
      inFlight: flow?.in_flight ?? 0,
      used: calls ? countedCalls(calls.begun, now, minuteWindow).length : 0,
      running: calls?.running.length ?? 0,
      waitsUntil: calls?.announced && calls.announced.left <= 0 ? calls.announced.until : null,
    },
    breaker: openedAt === null ? 'closed' : paused ? 'open' : 'half-open',
    since: openedAt,
    until: paused ? pause.until : null,
    kind: tells ? pause.kind : null,
    cause: tells ? (pause.cause ?? null) : null,
    refusedCalls: tells && pause.since ? (pause.refused_calls ?? 0) : 0,
    modelProblem: flow?.model_problem ?? null,
  };
}

/**
 * Ends a pause before its time, for an operator who has solved the problem: the next job probes the provider, and a refusal
 * begins a new pause. Images that were refused themselves keep their own time to wait.
 * @returns false when calls do not pause
 */
export async function tryProviderAgain({
  db,
  queue,
}: {
  db: Db;
  queue: Pick<GenerationQueue, 'removeRateLimitKey'>;
}): Promise<boolean> {
  const ended = await endProviderPause(db);
  // Also if it was over: the queue may be held for longer.
  await queue.removeRateLimitKey();
  return ended;
}
