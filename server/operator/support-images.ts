import { availableFreeImages, availableImages } from '#shared/credits/holds.ts';
import { postPendingEntries } from '#shared/credits/ledger.ts';
import { findActiveProfile } from '#shared/data/profiles/find.ts';
import { addSupportImages, removeSupportImages } from '#shared/data/profiles/images.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { AppError } from '#shared/platform/errors.ts';
import { type AnnounceContext, announce } from '#shared/views/announce.ts';

/*
 * Images that an operator gives to a seller or takes from one (docs/credits.md, "Images given by an operator"). What is
 * given is part of the free images, which need no plan and do not expire.
 */

/** A number of images, and the idempotency key of giving or taking them. */
export interface SupportImages {
  key: string;
  count: number;
}

/**
 * Gives a seller images. Idempotent.
 * @returns the profile after it
 * @throws AppError NOT_FOUND when the account is gone or being deleted; IDEMPOTENCY_MISMATCH when the key was used for
 *   something else
 */
export async function giveImages(
  context: AnnounceContext,
  sellerId: string,
  { key, count }: SupportImages,
): Promise<ProfileRow> {
  const entry = { key, count, period: null, at: new Date(), posted: false };
  const profile = await addSupportImages(context.db, sellerId, entry);
  return finish(context, sellerId, profile, { given: entry.count, key });
}

/**
 * Takes images from a seller: first free ones, then those of the plan. Images on hold stay. Idempotent.
 * @returns the profile after it
 * @throws AppError as `giveImages`; IMAGES_NOT_AVAILABLE when there are fewer
 */
export async function takeImages(
  context: AnnounceContext,
  sellerId: string,
  { key, count }: SupportImages,
): Promise<ProfileRow> {
  for (;;) {
    const before = await findActiveProfile(context.db, sellerId);
    const asked = { given: -count, key };
    if (!before || isUsed(before, key)) return finish(context, sellerId, null, asked);
    const available = { free: availableFreeImages(before), plan: Math.max(0, availableImages(before)) };
    if (available.free + available.plan < count) throw notAvailable(available.free + available.plan);
    const free = Math.min(count, available.free);
    const entry = { key, count, period: null, at: new Date(), posted: false };
    const after = await removeSupportImages(context.db, before, { free, plan: count - free }, entry);
    if (after) return finish(context, sellerId, after, asked);
  }
}

function notAvailable(available: number): AppError {
  const images = available === 1 ? '1 image' : `${available} images`;
  return new AppError('IMAGES_NOT_AVAILABLE', {
    message: `Only ${images} can be taken: the others are used or on hold.`,
  });
}

/** What was given under a key; below zero what was taken. Undefined when the key was not used. */
function givenUnder(
  { support_added: added, support_removed: removed }: ProfileRow,
  key: string,
): number | undefined {
  const taken = removed.find((entry) => entry.key === key);
  return taken ? -taken.count : added.find((entry) => entry.key === key)?.count;
}

const isUsed = (profile: ProfileRow, key: string) => givenUnder(profile, key) !== undefined;

/**
 * Tells the seller and posts the ledger entry.
 * @param profile as it was changed; null if it was before, or is gone
 * @param asked what was to be given under the key; below zero what was to be taken
 */
async function finish(
  context: AnnounceContext,
  sellerId: string,
  profile: ProfileRow | null,
  asked: { given: number; key: string },
): Promise<ProfileRow> {
  const current = profile ?? (await findActiveProfile(context.db, sellerId));
  if (!current) throw new AppError('NOT_FOUND');
  if (givenUnder(current, asked.key) !== asked.given) throw new AppError('IDEMPOTENCY_MISMATCH');
  if (profile) await announce(context, sellerId, { profile });
  await postPendingEntries(context.db, sellerId);
  return current;
}
