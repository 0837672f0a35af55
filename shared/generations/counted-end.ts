import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { CountedEnd } from '#shared/data/minutes.ts';
import { bucketOf } from './time-left.ts';

/** The end of a generation as it is counted for the operators' charts. How long images of batches waited says nothing. */
export function countedEndOf(row: GenerationRow): CountedEnd {
  const at = row.ended_at ?? new Date();
  const made = row.state === 'succeeded';
  return {
    at,
    images: made ? row.count : 0,
    failure: row.failure?.code ?? null,
    bucket: made && !row.batch ? bucketOf(at.getTime() - row.created_at.getTime()) : null,
  };
}
