import type { GenerationFailureCode } from '#contract';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { Config } from '#shared/platform/config.ts';
import type { ProviderError, ProviderErrorKind } from './provider-error.ts';

/** What follows from a call that gave no image. */
export type RetryDecision =
  | { action: 'retry'; delayMs: number }
  | { action: 'wait' }
  | { action: 'fail'; code: GenerationFailureCode };

/** Longest wait that we take from the provider, in ms. */
export const longestPauseMs = 120_000;

/** What the seller reads when there are no more tries. */
export const failures: Readonly<Record<Exclude<ProviderErrorKind, 'aborted'>, GenerationFailureCode>> = {
  rejected: 'PROVIDER_ERROR',
  content: 'CONTENT_REFUSED',
  photos: 'PHOTOS_UNREADABLE',
  account: 'GENERATION_FAILED',
  busy: 'PROVIDER_BUSY',
  server: 'PROVIDER_ERROR',
  silent: 'TIMED_OUT',
  late: 'TIMED_OUT',
  nonsense: 'NO_IMAGE_DATA',
};

/** Kinds after which a call may have been executed, and paid for by us: these are tried again once. */
export const maybeExecuted: ReadonlySet<ProviderErrorKind> = new Set(['server', 'silent', 'nonsense']);

/**
 * Decides what follows from a failed call (docs/generations.md): after one that was certainly not executed the generation
 * waits until the provider accepts calls again, a server error is retried once with backoff, anything else not at all.
 * @param calls the row's calls after this one
 * @param random from 0 to 1, spreads the retries of many jobs
 */
export function retryDecision(
  error: ProviderError,
  calls: Pick<GenerationRow['calls'], 'started' | 'server_errors'>,
  config: Pick<Config['image'], 'attempts' | 'backoffMs'>,
  random: () => number = Math.random,
): RetryDecision {
  const kind = error.kind;
  if (kind === 'aborted') throw new Error('a call that we stopped has no verdict');
  if (kind === 'busy' || kind === 'account') return { action: 'wait' };
  const triesLeft = calls.started < config.attempts;
  const again = triesLeft && maybeExecuted.has(kind) && calls.server_errors <= 1;
  if (!again) return { action: 'fail', code: failures[kind] };
  const backoff = config.backoffMs * 2 ** (calls.started - 1) * (0.75 + random() / 2);
  return { action: 'retry', delayMs: Math.round(Math.min(error.retryAfterMs ?? backoff, longestPauseMs)) };
}
