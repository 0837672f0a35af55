import { pages } from '#contract';
import { releaseBatchHolds } from '#shared/credits/batch-holds.ts';
import { endBatch } from '#shared/data/batches/batches.ts';
import type { BatchRow } from '#shared/data/batches/schema.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { findSettings } from '#shared/data/user-settings.ts';
import { announce } from '#shared/generations/announce.ts';
import { batchOutcome } from '#shared/generations/notification-text.ts';
import { notify } from '#shared/generations/notify.ts';
import { removeUnusedPhotos } from '#shared/generations/photo-sets.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';
import { countsOf } from './batch-views.ts';
import type { BatchContext } from './context.ts';

/**
 * Ends a batch of which nothing is left to do: gives back what is still on hold, removes the photos of what was cancelled
 * before it began, writes one notification and one mail for all of its images, and ends it. Idempotent; the state changes
 * last, so upkeep repeats the whole after a crash.
 */
export async function finishBatch(context: BatchContext, batch: BatchRow): Promise<void> {
  const { db, relay, config } = context;
  const { _id: id, profile: sellerId, name, round } = batch;
  await announce(context, sellerId, { profile: await releaseBatchHolds(db, batch) });
  // Otherwise starting and cancelling batches would store any number of photos that no image pays for.
  if (batch.cancelled_at) await removeUnusedPhotos(context, id);
  const { succeeded: made, failed, cancelled } = (await countsOf(db, [batch])).get(id)!;
  const key = `batch:${id}:${round}`;
  await notify(context, {
    ...{ profile: sellerId, key, generation: null, set: null },
    ...{ kind: 'batch-ended', data: { batch: id, name, made, failed, cancelled } },
  });
  const [profile, settings] = await Promise.all([findProfile(db, sellerId), findSettings(db, sellerId)]);
  if (profile && !profile.deletion_asked_at && settings?.notifications_enabled) {
    const link = `${config.linkUrl}${pages.batches}/${id}`;
    const outcome = batchOutcome({ made, failed, cancelled });
    const details = { fullName: profile.full_name, name, outcome, link };
    await enqueueMail(db, relay, 'batchEnded', profile.email, details, { id: key });
  }
  await endBatch(db, batch, { succeeded: made, failed, cancelled });
}
