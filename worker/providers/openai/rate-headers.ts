import type { Announcement } from '#shared/provider/limiter.ts';

/*
 * The `x-ratelimit` headers of the provider's answers (docs/provider.md). Requests, images and tokens have a limit each; which
 * of them an answer has depends on the account.
 */

/** With less than this part of its tokens left, the provider is taken to accept no further call: their cost is not known. */
const leastTokens = 0.05;

/** The longest reset that is respected, in ms. A limit per day would stop all images for hours. */
const longestResetMs = 120_000;

/**
 * Reads what an answer says about further calls.
 * @returns the tightest limit, or null if there is none
 */
export function announcementOf(headers: Headers): Announcement | null {
  const found = ['requests', 'images', 'input-images', 'tokens']
    .map((what) => announced(headers, what))
    .filter((each) => each !== null);
  return (
    found.toSorted((one, other) => one.remaining - other.remaining || other.resetMs - one.resetMs)[0] ?? null
  );
}

function announced(headers: Headers, what: string): Announcement | null {
  const remaining = numberOf(headers.get(`x-ratelimit-remaining-${what}`));
  const resetMs = durationMs(headers.get(`x-ratelimit-reset-${what}`));
  if (remaining === null || resetMs === null) return null;
  const limit = numberOf(headers.get(`x-ratelimit-limit-${what}`));
  const reset = Math.min(resetMs, longestResetMs);
  if (what !== 'tokens') return { limit, remaining, resetMs: reset };
  const isUsedUp = remaining === 0 || (limit !== null && remaining < limit * leastTokens);
  return isUsedUp ? { limit: null, remaining: 0, resetMs: reset } : null;
}

function numberOf(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}

const unitsMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };

/** A duration such as `1s`, `6m0s` or `20ms`, or seconds without a unit, in ms; null if it is neither. */
export function durationMs(text: string | null): number | null {
  if (text === null) return null;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1_000;
  if (!/^(\d+(\.\d+)?(ms|h|m|s))+$/.test(text)) return null;
  return [...text.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * unitsMs[unit!]!,
    0,
  );
}
