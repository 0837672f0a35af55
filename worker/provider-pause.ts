import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { PauseKind, ProviderPauseRow } from '#shared/data/provider-pauses.ts';
import {
  beginProviderPause,
  endCaution,
  findProviderPause,
  noteAcceptedCall,
} from '#shared/data/provider-pauses.ts';
import { holdQueue, releaseQueue } from '#shared/platform/queue.ts';
import type { WorkerContext } from './context.ts';
import type { Obstacle } from './postpone.ts';
import type { ProviderError } from './provider-error.ts';
import { failures, longestPauseMs } from './retry-policy.ts';

/*
 * A provider that refuses one call refuses the next one too, so all workers leave it alone together. The document in
 * MongoDB says until when; the queue's rate limit keeps jobs from being taken meanwhile, and lets them out one by one
 * afterwards, until enough of them were accepted.
 */

/** The first pause and the longest one, in units of the backoff: 2 s to half a minute, and 10 s to five minutes. */
const pauses: Readonly<Record<PauseKind, { first: number; longest: number }>> = {
  busy: { first: 1, longest: 15 },
  account: { first: 5, longest: 150 },
};

/** Calls that must be accepted one by one after a pause: more than a small account's limit has in a minute. */
const carefulCalls = 20;

/** Time from one job to the next after a pause, in ms: longer than a refusal takes to come. */
const carefulEveryMs = (context: WorkerContext) => context.config.image.backoffMs;

/** After so long without a refusal nobody needs to be careful, in units of the backoff: ten minutes. */
const quiet = 300;

/** Turns in line that a generation gives to others after each of its refusals but the first, and the most of them. */
const turnsGiven = { each: 2, most: 60 };

/**
 * To be asked before each call.
 * @returns what is known of refusals, which the functions below take, and what stands in the way of the call, if anything
 */
export async function providerPause(
  context: WorkerContext,
): Promise<{ seen: ProviderPauseRow | null; obstacle: Obstacle | undefined }> {
  const seen = await findProviderPause(context.db);
  if (!seen || seen.until <= new Date()) return { seen, obstacle: undefined };
  // A job came although the queue is held: the queue has lost that, or it was taken just before.
  await hold(context, seen);
  return { seen, obstacle: providerObstacle(context, seen) };
}

/**
 * Has all workers leave the provider alone after a refused call.
 * @param row the generation that it was for
 * @param seen what was known of refusals before the call
 * @returns what stands in the way of the generation now
 */
export async function pauseAfterRefusal(
  context: WorkerContext,
  row: Pick<GenerationRow, 'calls'>,
  seen: ProviderPauseRow | null,
  error: ProviderError,
): Promise<Obstacle> {
  const kind = error.kind === 'account' ? 'account' : 'busy';
  const step = Math.max(0, seen?.step ?? 0) + 1;
  const until = new Date(Date.now() + pauseMs(context, kind, step, error.retryAfterMs));
  const { pause, begun } = await beginProviderPause(context.db, seen, {
    kind,
    until,
    step,
    careful: carefulCalls,
  });
  if (begun) {
    const { status, code, requestId } = error;
    const details = {
      kind,
      status,
      code,
      providerRequestId: requestId,
      since: pause.since,
      until: pause.until,
    };
    if (kind === 'account') {
      context.log.error({ ...details, err: error }, 'the image provider refuses our account: images wait');
    } else context.log.warn({ ...details, err: error }, 'the image provider takes no calls: images wait');
  }
  await hold(context, pause);
  return ownObstacle(context, row, providerObstacle(context, pause), error);
}

/**
 * A pause as it stands in the way of the generation whose call was refused. Should the provider refuse that one alone,
 * others go first, and its time runs from its own first refusal.
 */
function ownObstacle(
  context: WorkerContext,
  { calls: { refused = 0, refused_since: refusedSince } }: Pick<GenerationRow, 'calls'>,
  obstacle: Obstacle,
  error: ProviderError,
): Obstacle {
  const { since, until } = obstacle;
  const turns = Math.min(turnsGiven.each * refused, turnsGiven.most);
  return {
    ...obstacle,
    reason: error.message,
    since: refusedSince && refusedSince < since ? refusedSince : since,
    until: new Date(until.getTime() + turns * carefulEveryMs(context)),
    error,
  };
}

/**
 * Notes that the provider accepted a call; after enough of them all workers call at full speed again.
 * @param seen what was known of refusals before the call
 */
export async function noteAccepted(context: WorkerContext, seen: ProviderPauseRow | null): Promise<void> {
  if (!seen || seen.careful <= 0) return;
  const pause = await noteAcceptedCall(context.db, seen);
  if (!pause) return;
  if (seen.since) context.log.info({ since: seen.since }, 'the image provider takes calls again');
  if (pause.careful <= 0) await releaseQueue(context.queue);
}

/**
 * Releases the queue where a worker died before it could, or where nothing was refused for long but too little was
 * asked for to tell.
 * @returns 1 when it did
 */
export async function mendQueueHold(context: WorkerContext): Promise<number> {
  const pause = await findProviderPause(context.db);
  if (pause && pause.careful > 0) {
    if (Date.now() - pause.until.getTime() < quiet * context.config.image.backoffMs) return 0;
    await endCaution(context.db, pause);
  }
  return (await releaseQueue(context.queue)) ? 1 : 0;
}

/** A pause as what stands in the way of any generation. */
export function providerObstacle(
  { config }: Pick<WorkerContext, 'config'>,
  { kind, since, until }: ProviderPauseRow,
): Obstacle {
  return {
    waitingFor: 'provider',
    reason: 'the provider refuses calls',
    since: since ?? until,
    until,
    longestMs: config.image.longestWaitMs[kind],
    code: failures[kind],
  };
}

/** How long to leave the provider alone: as long as it says, else longer each time, spread by a quarter either way. */
function pauseMs(
  context: WorkerContext,
  kind: PauseKind,
  step: number,
  retryAfterMs: number | undefined,
): number {
  const least = carefulEveryMs(context);
  // What an account waits for is a person.
  if (kind === 'busy' && retryAfterMs !== undefined) {
    return Math.min(Math.max(retryAfterMs, least), longestPauseMs);
  }
  const { first, longest } = pauses[kind];
  const units = Math.min(first * 2 ** (step - 1), longest);
  return units * context.config.image.backoffMs * (0.75 + Math.random() / 2);
}

/** Keeps jobs in the queue; should that fail, each is handed back when it asks. */
async function hold(context: WorkerContext, { until }: ProviderPauseRow): Promise<void> {
  await holdQueue(context.queue, until.getTime() - Date.now(), carefulEveryMs(context)).catch((error) => {
    context.log.warn({ err: error }, 'the queue is not held');
  });
}
