import { clearProviderFailures, countProviderFailure } from '#shared/data/queue/provider-flow.ts';
import type { ProviderPauseRow } from '#shared/data/queue/provider-pauses.ts';
import type { WorkerContext } from './context.ts';
import type { ProviderError, ProviderErrorKind } from './provider-error.ts';

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
export async function isProviderAway(
  { db, config }: WorkerContext,
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
export async function afterImage({ db, log }: WorkerContext, failuresSeen: number): Promise<void> {
  if (failuresSeen === 0) return;
  await clearProviderFailures(db).catch((error) => log.warn({ err: error }, 'failures were not cleared'));
}
