import type { HandBack } from '#shared/data/generations/attempts.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { ProviderError } from '#worker/providers/provider.ts';

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

/** Thrown so that the queue retries the job after a delay. */
export class TryLater extends Error {
  override name = 'TryLater';
  readonly delayMs: number;

  constructor(reason: string, delayMs: number) {
    super(reason);
    this.delayMs = delayMs;
  }
}
