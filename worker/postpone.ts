import type { HandBack, Outcome } from '#shared/data/generations/attempts.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { failedWithoutCall, handBack, type RunningAttempt } from './attempt.ts';
import type { WorkerContext } from './context.ts';
import type { ProviderError } from './provider-error.ts';

/** Why no generation can be made now. */
export interface Obstacle {
  waitingFor: HandBack['waitingFor'];
  /** For the queue's log and, if the generation fails, for the operator. */
  reason: string;
  /** Since when it has existed. */
  since: Date;
  /** When the generation may be claimed again. */
  until: Date;
  /** How long a generation waits before it fails, in ms. */
  longestMs: number;
  /** Its failure then. */
  code: NonNullable<GenerationRow['failure']>['code'];
  /** The refused call that revealed it, if any. */
  error?: ProviderError;
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

/**
 * Whether a generation has waited too long for an obstacle. Time in the queue before the obstacle appeared does not
 * count.
 */
export function hasWaitedTooLong(
  row: Pick<GenerationRow, 'queued_at'>,
  { since, longestMs }: Pick<Obstacle, 'since' | 'longestMs'>,
): boolean {
  const from = Math.max(row.queued_at?.getTime() ?? 0, since.getTime());
  return Date.now() - from >= longestMs;
}
