import type { Db } from '#shared/data/db.ts';
import { insertRefusal } from '#shared/data/generations/refusals.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { refusedImages } from '#shared/metrics/metrics.ts';
import { moderationCategory } from '#shared/metrics/moderation-category.ts';

/** Records that moderation refused a generation, if it did (docs/generations.md, "Refusals"). Idempotent. */
export async function recordRefusal(db: Db, row: GenerationRow): Promise<void> {
  const { _id, profile, failure, ended_at: at } = row;
  if (failure?.code !== 'CONTENT_REFUSED' || !at) return;
  const { stage = null, categories = [] } = failure.moderation ?? {};
  if (!(await insertRefusal(db, { _id, profile, at, stage, categories: [...categories] }))) return;
  for (const category of new Set(categories.length > 0 ? categories.map(moderationCategory) : ['unknown'])) {
    refusedImages.inc({ stage: stage ?? 'unknown', category });
  }
}
