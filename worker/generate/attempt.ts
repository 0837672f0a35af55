import { hostname } from 'node:os';
import type { Db } from '#shared/data/db.ts';
import {
  type Attempt,
  type HandBack,
  handBackGeneration,
  type Outcome,
} from '#shared/data/generations/attempts.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { type AttemptRow, saveAttempt } from '#shared/data/operator/attempt-records.ts';
import { announce } from '#shared/views/announce.ts';
import { hasWaitedTooLong, type Obstacle, TryLater } from '#worker/flow/obstacle.ts';
import type { KnownPause } from '#worker/flow/provider-pause.ts';
import type { Slot } from '#worker/flow/provider-slots.ts';
import type { ProviderError, ProviderResult } from '#worker/providers/provider.ts';
import type { WorkerContext } from '../context.ts';

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
    ...(error?.moderation && { moderation: error.moderation }),
    ...(error?.photo && { photo: error.photo }),
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

/** Records what an attempt does, for operators. Writing is never awaited and never fails the attempt. */
export interface AttemptRecord {
  callBegan(): void;
  callAnswered(result: Pick<ProviderResult, 'requestId' | 'milliseconds'>): void;
  callFailed(error: ProviderError): void;
  end(outcome: NonNullable<AttemptRow['outcome']>, detail?: string): void;
}

const worker = `${hostname()}:${process.pid}`;

/** Begins the record of a claimed generation. It is written when its call begins and when it ends. */
export function beginAttemptRecord(
  { db, log }: Pick<WorkerContext, 'db' | 'log'>,
  { _id: generation, fence }: Pick<GenerationRow, '_id' | 'fence'>,
): AttemptRecord {
  let row: AttemptRow = {
    _id: `${generation}-${fence}`,
    generation,
    fence,
    worker,
    claimed_at: new Date(),
    call_at: null,
    call_ms: null,
    call_result: null,
    call_status: null,
    call_code: null,
    request_id: null,
    ended_at: null,
    outcome: null,
    detail: '',
  };
  const save = () => {
    saveAttempt(db, row).catch((error) =>
      log.debug({ err: error, generation }, 'an attempt was not recorded'),
    );
  };
  return {
    callBegan() {
      row = { ...row, call_at: new Date() };
      save();
    },
    callAnswered({ requestId, milliseconds }) {
      row = { ...row, call_ms: milliseconds, call_result: 'ok', call_status: 200, request_id: requestId };
    },
    callFailed({ kind, status, code, requestId }) {
      const milliseconds = row.call_at && Date.now() - row.call_at.getTime();
      row = {
        ...row,
        call_ms: milliseconds,
        call_result: kind,
        call_status: status ?? null,
        call_code: code ?? null,
        request_id: requestId ?? null,
      };
    },
    end(outcome, detail = '') {
      row = { ...row, ended_at: new Date(), outcome, detail: detail.slice(0, 500) };
      save();
    },
  };
}
