import type { Db } from '#shared/data/db.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { clearProviderFailures, countProviderFailure } from '#shared/data/queue/provider-flow.ts';
import {
  beginProviderPause,
  closeProviderBreaker,
  endCaution,
  findProviderPause,
  knownProviderPause,
  type PauseKind,
  type ProviderPauseRow,
  recordAcceptedCall,
} from '#shared/data/queue/provider-pauses.ts';
import type { Config } from '#shared/platform/config.ts';
import type { Log } from '#shared/platform/log.ts';
import { type GenerationQueue, isQueueHeld, releaseQueue, throttleQueue } from '#shared/platform/queue.ts';
import type { ProviderError, ProviderErrorKind } from '#worker/providers/provider.ts';
import type { Obstacle } from './obstacle.ts';
import { failures, longestPauseMs } from './retry-policy.ts';

/*
 * A provider that refuses one call refuses the next one too, so all workers pause together
 * (docs/decisions/0066-flow-control.md). A document in MongoDB says until when. The queue's rate limit keeps jobs from being
 * taken meanwhile, and afterwards releases them one by one until enough calls were accepted.
 */

/** What flow control works with. */
interface FlowContext {
  db: Db;
  queue: GenerationQueue;
  config: Pick<Config, 'image'>;
  log: Log;
}

/** First and longest pause, in units of the backoff. By default 2 to 30 s, and 10 s to 5 min for the account. */
const pauses: Readonly<Record<PauseKind, { first: number; longest: number }>> = {
  busy: { first: 1, longest: 15 },
  connection: { first: 1, longest: 15 },
  account: { first: 5, longest: 150 },
};

/** Calls that are made one by one after a pause: more than the limit per minute of a small account. */
const carefulCalls = 20;

/** The breaker opens with this pause in a row, unless the provider is only busy. */
const pausesToOpen = 3;

/** Calls in a row that must be accepted before the breaker closes. */
const probesToClose = 3;

/** Time between two jobs after a pause, in ms: longer than a refusal takes to arrive. */
const carefulEveryMs = (context: FlowContext) => context.config.image.backoffMs;

/** Time without a refusal after which calls are no longer made one by one, in units of the backoff: by default ten minutes. */
const quiet = 300;

/** Jobs that go before a refused generation, for each of its earlier refusals, and at most. */
const yieldedJobs = { perRefusal: 2, most: 60 };

/** What is known of refused calls before a call. */
export interface KnownPause {
  /** The pause as it was read, which the functions below take. */
  seen: ProviderPauseRow | null;
  /** What the generation has to wait for, if the pause is in force. */
  obstacle: Obstacle | undefined;
}

/** How an attempt asks whether it may call, and says what came of its call. */
export interface ProviderFlow {
  /** Must be called before each call. */
  pause(): Promise<KnownPause>;
  /** As {@link pauseAfterRefusal}. */
  refused(
    row: Pick<GenerationRow, 'calls'>,
    seen: ProviderPauseRow | null,
    error: ProviderError,
    opens: boolean,
  ): Promise<Obstacle>;
  /** As {@link isProviderAway}. */
  isAway(seen: ProviderPauseRow | null, error: ProviderError): Promise<boolean>;
  /** As {@link afterAcceptedCall}. */
  accepted(seen: ProviderPauseRow | null): Promise<void>;
  /** As {@link afterImage}. */
  image(failuresSeen: number): Promise<void>;
}

/** The flow of the calls of all workers. */
export const flowOfWorkers = (context: FlowContext): ProviderFlow => ({
  pause: () => providerPause(context),
  refused: (row, seen, error, opens) => pauseAfterRefusal(context, row, seen, error, opens),
  isAway: (seen, error) => isProviderAway(context, seen, error),
  accepted: (seen) => afterAcceptedCall(context, seen),
  image: (failuresSeen) => afterImage(context, failuresSeen),
});

/** Must be called before each provider call. */
async function providerPause(context: FlowContext): Promise<KnownPause> {
  const seen = await knownProviderPause(context.db);
  if (!seen || seen.until <= new Date()) return { seen, obstacle: undefined };
  // A job was taken although the queue is held: the queue lost its rate limit, or the job was taken just before.
  await hold(context, seen);
  return { seen, obstacle: providerObstacle(context, seen) };
}

/**
 * Begins or extends the pause of all workers after a refused call.
 * @param row the generation of the call
 * @param seen the pause as known before the call
 * @param opens whether the breaker opens with this refusal, because others have shown already that the provider fails
 * @returns the obstacle of the generation
 */
async function pauseAfterRefusal(
  context: FlowContext,
  row: Pick<GenerationRow, 'calls'>,
  seen: ProviderPauseRow | null,
  error: ProviderError,
  opens = false,
): Promise<Obstacle> {
  const kind = pauseKindOf(error);
  const step = Math.max(0, seen?.step ?? 0) + 1;
  const until = new Date(Date.now() + pauseMs(context, kind, step, error.retryAfterMs));
  const inRow = (seen?.since ? (seen.pauses ?? 0) : 0) + 1;
  const openedAt =
    seen?.opened_at === undefined && (opens || (kind !== 'busy' && inRow >= pausesToOpen))
      ? new Date()
      : null;
  const { pause, begun } = await beginProviderPause(context.db, seen, {
    kind,
    until,
    step,
    careful: carefulCalls,
    cause: causeOf(error),
    openedAt,
  });
  if (begun) {
    const { status, code, requestId: providerRequestId } = error;
    const details = { kind, status, code, providerRequestId, since: pause.since, until: pause.until };
    context.log.warn({ ...details, err: error }, 'the image provider accepts no calls: images wait');
    // Once for each time that it opens: the alert for the operator.
    if (openedAt) {
      context.log.error(
        { ...details, err: error },
        'the image provider keeps refusing calls: the breaker is open',
      );
    }
  }
  await hold(context, pause);
  return ownObstacle(context, row, providerObstacle(context, pause), error);
}

/** Why a refused call begins a pause. Without a status there was no answer. */
function pauseKindOf({ kind, status }: ProviderError): PauseKind {
  if (kind === 'account') return 'account';
  return kind === 'busy' && status !== null ? 'busy' : 'connection';
}

/** The refusal in words for the operator. */
function causeOf({ message, status, code }: ProviderError): string {
  const answer = [status === null ? '' : `HTTP ${status}`, code ?? '']
    .filter((part) => part !== '')
    .join(' ');
  return `${answer === '' ? '' : `${answer}: `}${message}`.slice(0, 300);
}

/**
 * The obstacle of the generation whose call was refused. In case the provider refuses only this generation, others go
 * first, and its waiting time counts from its own first refusal.
 */
function ownObstacle(
  context: FlowContext,
  { calls: { refused = 0, refused_since: refusedSince } }: Pick<GenerationRow, 'calls'>,
  obstacle: Obstacle,
  error: ProviderError,
): Obstacle {
  const { since, until } = obstacle;
  const turns = Math.min(yieldedJobs.perRefusal * refused, yieldedJobs.most);
  return {
    ...obstacle,
    reason: error.message,
    since: refusedSince && refusedSince < since ? refusedSince : since,
    until: new Date(until.getTime() + turns * carefulEveryMs(context)),
    error,
  };
}

/**
 * Records an accepted call: enough of them close the breaker, and later let all workers call at full speed again.
 * @param seen the pause as known before the call
 */
async function afterAcceptedCall(context: FlowContext, seen: ProviderPauseRow | null): Promise<void> {
  if (!seen || seen.careful <= 0) return;
  const pause = await recordAcceptedCall(context.db, seen);
  if (!pause) return;
  if (seen.since) context.log.info({ since: seen.since }, 'the image provider accepts calls again');
  const { opened_at: openedAt, careful } = pause;
  const closes = openedAt !== undefined && careful <= carefulCalls - probesToClose;
  if (closes && (await closeProviderBreaker(context.db, pause))) {
    context.log.info({ since: openedAt }, 'the breaker of the image provider is closed');
  }
  if (careful <= 0) await release(context);
}

/**
 * Releases the queue if a worker died before it could, or if there were too few calls for a long time to complete the
 * number of accepted ones.
 * @returns 1 if it was held, else 0
 */
export async function mendQueueHold(context: FlowContext): Promise<number> {
  // Before the pause is read: a pause is stored before its queue is held, so the hold of a new one is not released here.
  if (!(await isQueueHeld(context.queue))) return 0;
  const pause = await findProviderPause(context.db);
  if (pause && pause.careful > 0) {
    if (Date.now() - pause.until.getTime() < quiet * context.config.image.backoffMs) return 0;
    await endCaution(context.db, pause);
  }
  await release(context);
  return 1;
}

/** The obstacle that a pause is for any generation. */
export function providerObstacle(
  { config }: Pick<FlowContext, 'config'>,
  { kind, since, until }: ProviderPauseRow,
): Obstacle {
  return {
    waitingFor: 'provider',
    reason: 'the provider refuses calls',
    since: since ?? until,
    until,
    longestMs: config.image.longestWaitMs[kind === 'account' ? 'account' : 'busy'],
    code: failures[kind === 'account' ? 'account' : 'busy'],
  };
}

/** Duration of a pause, in ms: as the provider asks, else with exponential backoff and a jitter of a quarter either way. */
function pauseMs(
  context: FlowContext,
  kind: PauseKind,
  step: number,
  retryAfterMs: number | undefined,
): number {
  const least = carefulEveryMs(context);
  // For an account, the operator has to act, so `retry-after` does not help.
  if (kind !== 'account' && retryAfterMs !== undefined) {
    return Math.min(Math.max(retryAfterMs, least), longestPauseMs);
  }
  const { first, longest } = pauses[kind];
  const units = Math.min(first * 2 ** (step - 1), longest);
  return units * context.config.image.backoffMs * (0.75 + Math.random() / 2);
}

/** Releases the queue, and holds it again if another worker has begun a pause meanwhile. */
async function release(context: FlowContext): Promise<void> {
  await releaseQueue(context.queue);
  const pause = await findProviderPause(context.db);
  if (pause && pause.careful > 0) await hold(context, pause);
}

/** Keeps jobs in the queue. If that fails, each job is handed back when it is taken. */
async function hold(context: FlowContext, { until }: ProviderPauseRow): Promise<void> {
  await throttleQueue(context.queue, until.getTime() - Date.now(), carefulEveryMs(context)).catch((error) => {
    context.log.warn({ err: error }, 'the queue could not be held');
  });
}

/*
 * A provider that fails one call with a server error may make the next image. Many such errors in a row, of all workers, show
 * that it is away, and then the breaker opens (docs/decisions/0066-flow-control.md).
 */

const failing: ReadonlySet<ProviderErrorKind> = new Set(['server', 'stalled']);

/** Failures in a row that open the breaker. */
const failuresToOpen = 5;

/** The count restarts after this time, in units of the backoff: by default a minute. */
const rowUnits = 30;

/**
 * Counts a call that failed.
 * @param seen the pause as known before the call
 * @returns whether the provider is away: the generation waits then as after a refused call
 */
async function isProviderAway(
  { db, config }: Pick<FlowContext, 'db' | 'config'>,
  seen: ProviderPauseRow | null,
  { kind }: ProviderError,
): Promise<boolean> {
  if (!failing.has(kind)) return false;
  const cutoff = new Date(Date.now() - rowUnits * config.image.backoffMs);
  const inRow = await countProviderFailure(db, cutoff);
  // While the breaker is not closed, a call is a probe.
  return inRow >= failuresToOpen || seen?.opened_at !== undefined;
}

/** Must be called after each image. @param failuresSeen in a row, as known before the call */
async function afterImage({ db, log }: Pick<FlowContext, 'db' | 'log'>, failuresSeen: number): Promise<void> {
  if (failuresSeen === 0) return;
  await clearProviderFailures(db).catch((error) => log.warn({ err: error }, 'failures were not cleared'));
}
