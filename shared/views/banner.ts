import type { Banner } from '#contract';
import type { BannerRow } from '#shared/data/operator/banners.ts';

/** The banner, as sellers see it. */
export function presentBanner(row: BannerRow | null): Banner | null {
  if (!row) return null;
  const { text, until, closed_from: closedFrom } = row;
  return { text, until: until?.toISOString() ?? null, closedFrom: closedFrom?.toISOString() ?? null };
}
