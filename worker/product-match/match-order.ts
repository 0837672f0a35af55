import type { PhotoSubject } from '#contract';
import type { ProductMatch } from './match-product.ts';

/** What the thread is asked. */
export interface MatchOrder {
  id: number;
  photos: { key: string; file: Uint8Array }[];
  /** Null: only the products of the photos are to be found, in advance. */
  image: Uint8Array | null;
  photosShow: PhotoSubject;
}

/** What it answers: the match, or the message of an error. */
export type MatchReport = { match: ProductMatch | null } | { error: string };

export async function matchReportOf(run: () => Promise<ProductMatch | null>): Promise<MatchReport> {
  try {
    return { match: await run() };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
