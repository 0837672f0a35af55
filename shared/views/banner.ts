import type { Banner } from '#contract';
import type { BannerRow } from '#shared/data/operator/banners.ts';

/** The banner, as sellers see it. */
export function presentBanner(row: BannerRow | null, now = new Date()): Banner | null {
  if (!row) return null;
  const { text, until, closed_from: closedFrom } = row;
  const isClosed = closedFrom !== null && until !== null && closedFrom <= now && now < until;
  return {
    text,
    until: until?.toISOString() ?? null,
    closedFrom: closedFrom?.toISOString() ?? null,
    closedUntil: isClosed ? until.toISOString() : null,
  };
}
