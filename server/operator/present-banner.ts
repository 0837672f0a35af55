import type { Banner } from '#contract';
import type { BannerRow } from '#shared/data/operator/banners.ts';

/** The banner, as sellers see it. */
export function presentBanner(row: BannerRow | null): Banner | null {
  return row && { text: row.text, until: row.until?.toISOString() ?? null };
}
