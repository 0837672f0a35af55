import type { Db } from '#shared/data/db.ts';
import {
  type Attempt,
  type HandBack,
  handBackGeneration,
  type Outcome,
} from '#shared/data/generations/attempts.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { announce } from '#shared/views/announce.ts';
import type { AttemptRecord } from './attempt-record.ts';
import type { WorkerContext } from './context.ts';
import { hasWaitedTooLong, type Obstacle, TryLater } from './obstacle.ts';
import type { ProviderError } from './provider-error.ts';
import type { KnownPause } from './provider-pause.ts';
import type { Slot } from './provider-slots.ts';

/** Thrown when the attempt no longer holds its generation: it was cancelled, or another attempt has claimed it. */
export class Superseded extends Error {
  override name = 'Superseded';
}

/** Reasons of an attempt's abort signal. */
export const stopReasons = { cancelled: 'cancelled', lost: 'lost', shutdown: 'shutdown' } as const;

/** An attempt of this process. */
export interface RunningAttempt extends Attempt {
  /** Aborted to stop this attempt's provider call; the worker may have a later attempt of the same generation. */
  stop: AbortController;
  /** What it does, for operators. */
  record: AttemptRecord;
  /** For its call to the provider. */
  slot: Slot;
  /** What was known of refused calls when it claimed its generation. */
  pause: KnownPause;
}

/** Changes the running generation and announces it. @throws Superseded */
export async function writeAndAnnounce(
  context: WorkerContext,
  attempt: RunningAttempt,
  write: (db: Db) => Promise<GenerationRow | null>,
): Promise<GenerationRow> {
  const row = await write(context.db);
  if (!row) {
    attempt.stop.abort(stopReasons.lost);
    throw new Superseded();
  }
  await announce(context, row.profile, { generation: row });
  return row;
}

/**
 * Hands the generation back, so that another attempt can begin.
 * @throws TryLater, or Superseded
 */
export async function handBack(
  context: WorkerContext,
  attempt: RunningAttempt,
  reason: string,
  options: HandBack,
): Promise<never> {
  await writeAndAnnounce(context, attempt, (db) => handBackGeneration(db, attempt, options));
  throw new TryLater(reason, Math.max(0, options.until.getTime() - Date.now()));
}

type Failed = Extract<Outcome, { state: 'failed' }>;

/** The outcome of a generation that fails. @param detail for the operator */
export function failed(
  code: NonNullable<GenerationRow['failure']>['code'],
  detail: string,
  error?: ProviderError,
): Failed {
  const failure = {
    code,
    detail: detail.slice(0, 1_000),
    provider_status: error?.status ?? null,
    provider_code: error?.code ?? null,
    provider_request_id: error?.requestId ?? null,
  };
  return { state: 'failed', failure };
}

/** The same if the attempt has begun a call that was not sent, or was refused: it does not count. */
export function failedWithoutCall(...failure: Parameters<typeof failed>): Failed {
  return { ...failed(...failure), wasCalled: false };
}

/**
 * Hands a generation back until an obstacle may be gone. This does not count as a call, and the seller can cancel
 * meanwhile. A generation that has waited too long fails and is not charged.
 * @returns the outcome of a generation that has waited too long
 * @throws TryLater otherwise, or Superseded
 */
export async function postpone(
  context: WorkerContext,
  row: GenerationRow,
  attempt: RunningAttempt,
  obstacle: Obstacle,
): Promise<Outcome> {
  const { waitingFor, reason, until, error } = obstacle;
  if (hasWaitedTooLong(row, obstacle)) {
    return failedWithoutCall(obstacle.code, reason, error);
  }
  return handBack(context, attempt, reason, { until, waitingFor, call: error ? 'refused' : 'not-sent' });
}
