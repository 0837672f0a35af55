import type { Db } from '#shared/data/db.ts';
import {
  type Attempt,
  type Decision,
  decideGeneration,
  type HandBack,
  handBackGeneration,
} from '#shared/data/generations/attempts.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { announce } from '#shared/generations/announce.ts';
import { settleGeneration } from '#shared/generations/settle.ts';
import type { WorkerContext } from './context.ts';
import type { ProviderError } from './provider-error.ts';

/** Thrown to have the queue take the job up again after a while. */
export class TryLater extends Error {
  override name = 'TryLater';
  readonly delayMs: number;

  constructor(reason: string, delayMs: number) {
    super(reason);
    this.delayMs = delayMs;
  }
}

/** Another attempt has the generation, or it has ended: there is nothing left to do here. */
export class Superseded extends Error {
  override name = 'Superseded';
}

/** Why a running call is stopped, as the reason of its abort signal. */
export const stopReasons = { cancelled: 'cancelled', lost: 'lost', shutdown: 'shutdown' } as const;

/** An attempt that this worker has under way. */
export interface RunningAttempt extends Attempt {
  /** Aborted to stop its provider call; of this attempt alone, also when the worker has a later one of the same generation. */
  stop: AbortController;
}

/** Makes a change of the running generation and shows it. @throws Superseded when the attempt has lost it */
export async function change(
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
 * Hands the generation back to the queue.
 * @throws TryLater, for the queue
 */
export async function handBack(
  context: WorkerContext,
  attempt: RunningAttempt,
  reason: string,
  how: HandBack,
): Promise<never> {
  await change(context, attempt, (db) => handBackGeneration(db, attempt, how));
  throw new TryLater(reason, Math.max(0, how.until.getTime() - Date.now()));
}

/** The decision that a generation failed. @param detail for the operator */
export function failed(
  code: NonNullable<GenerationRow['failure']>['code'],
  detail: string,
  error?: ProviderError,
): Decision {
  const failure = {
    code,
    detail: detail.slice(0, 1_000),
    provider_status: error?.status ?? null,
    provider_code: error?.code ?? null,
    provider_request_id: error?.requestId ?? null,
  };
  return { state: 'failed', failure };
}

/** The decision, then what follows from it; whatever a crash leaves undone here the reconciler does. */
export async function decide(
  context: WorkerContext,
  attempt: Attempt,
  decision: Decision,
): Promise<GenerationRow['state']> {
  const row = await decideGeneration(context.db, attempt, decision);
  if (!row) throw new Superseded();
  await settleGeneration(context, row);
  return row.state;
}
