import type { HandBack } from '#shared/data/generations/attempts.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { decide, failed, handBack, type RunningAttempt } from './attempt.ts';
import type { WorkerContext } from './context.ts';
import type { ProviderError } from './provider-error.ts';

/** Why a generation cannot be made now, although nothing is wrong with it. */
export interface Obstacle {
  waitingFor: HandBack['waitingFor'];
  /** For the queue's log and, should the generation fail in the end, for the operator. */
  reason: string;
  /** Since when it has stood in the way. */
  since: Date;
  /** When the generation may be taken up again. */
  until: Date;
  /** How long a generation waits for it to go away before it fails, in ms. */
  longestMs: number;
  /** What the seller reads then. */
  code: NonNullable<GenerationRow['failure']>['code'];
  /** The refused call that showed it, where there was one. */
  error?: ProviderError;
}

/**
 * Lets a generation wait in line: the queue takes it up again later, it is no try, and its seller may cancel it
 * meanwhile. One that has waited too long fails, and is not counted.
 * @returns how it ended, if it has waited too long
 * @throws TryLater, for the queue
 */
export async function postpone(
  context: WorkerContext,
  row: GenerationRow,
  attempt: RunningAttempt,
  obstacle: Obstacle,
): Promise<string> {
  const { waitingFor, reason, until, error } = obstacle;
  if (hasWaitedTooLong(row, obstacle)) {
    return decide(context, attempt, failed(obstacle.code, reason, error));
  }
  return handBack(context, attempt, reason, { until, waitingFor, ...(error && { call: 'refused' }) });
}

/**
 * Whether an obstacle has kept a generation waiting for too long. Time in line before it came does not count: then the
 * queue moved on.
 */
export function hasWaitedTooLong(
  row: Pick<GenerationRow, 'queued_at'>,
  { since, longestMs }: Pick<Obstacle, 'since' | 'longestMs'>,
): boolean {
  const from = Math.max(row.queued_at?.getTime() ?? 0, since.getTime());
  return Date.now() - from >= longestMs;
}
