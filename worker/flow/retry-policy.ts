import type { GenerationFailureCode } from '#contract';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { Config } from '#shared/platform/config.ts';
import type { ProviderError, ProviderErrorKind } from '#worker/providers/provider.ts';

/** What follows from a call that gave no image. */
export type RetryDecision =
  | { action: 'retry'; delayMs: number }
  | { action: 'wait' }
  | { action: 'fail'; code: GenerationFailureCode };

/** The longest `retry-after` that is respected, in ms. */
export const longestPauseMs = 120_000;

/** The failure that the seller reads if the generation is not retried. */
export const failures: Readonly<Record<Exclude<ProviderErrorKind, 'aborted'>, GenerationFailureCode>> = {
  rejected: 'PROVIDER_ERROR',
  content: 'CONTENT_REFUSED',
  photos: 'PHOTOS_UNREADABLE',
  account: 'GENERATION_FAILED',
  busy: 'PROVIDER_BUSY',
  server: 'PROVIDER_ERROR',
  stalled: 'TIMED_OUT',
  timeout: 'TIMED_OUT',
  invalid_response: 'NO_IMAGE_DATA',
};

/** Kinds of calls that may have been executed and are retried once. */
export const maybeExecuted: ReadonlySet<ProviderErrorKind> = new Set([
  'server',
  'stalled',
  'invalid_response',
]);

/** Whether a call that gave no image may have been executed, and billed. */
export const mayBeBilled = (kind: ProviderErrorKind): boolean =>
  maybeExecuted.has(kind) || kind === 'timeout';

/**
 * The retry policy (docs/generations.md): after a call that was refused for now the generation waits until the provider
 * accepts calls again; one that may have been executed is retried once with backoff; anything else fails at once.
 * @param calls the row's calls, this one included
 * @param random from 0 to 1, the jitter of the backoff
 */
export function retryDecision(
  error: ProviderError,
  calls: Pick<GenerationRow['calls'], 'started' | 'server_errors'>,
  config: Pick<Config['image'], 'attempts' | 'backoffMs'>,
  random: () => number = Math.random,
): RetryDecision {
  const kind = error.kind;
  if (kind === 'aborted') throw new Error('a call that we stopped is not retried');
  if (kind === 'busy' || kind === 'account') return { action: 'wait' };
  const callsLeft = calls.started < config.attempts;
  const retry = callsLeft && maybeExecuted.has(kind) && calls.server_errors <= 1;
  if (!retry) return { action: 'fail', code: failures[kind] };
  const backoff = config.backoffMs * 2 ** (calls.started - 1) * (0.75 + random() / 2);
  return { action: 'retry', delayMs: Math.round(Math.min(error.retryAfterMs ?? backoff, longestPauseMs)) };
}
