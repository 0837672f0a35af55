import { Schema } from 'mongoose';
import { type Db, isDuplicateKey } from './db.ts';
import { modelsOf } from './models.ts';
import { date, number, partOptions, type Row, rowOptions, text } from './row.ts';

const welcomeClaim = {
  /** A keyed hash of the normalised address. */
  _id: text,
  /** The seller who gets free images, and how many; null once they are granted. */
  pending: { type: new Schema({ profile: text, count: number }, partOptions), default: null },
  at: date,
  expires_at: date,
};

/**
 * Records that an address got free images. It outlives the account, so that deleting it and signing up again gives no more
 * of them. Apart from the time of the grant itself, it holds only the hash and dates.
 */
export interface WelcomeClaimRow extends Row<typeof welcomeClaim> {}

export const welcomeClaimSchema = new Schema<WelcomeClaimRow>(welcomeClaim, rowOptions);
// Upkeep looks for grants that a crash interrupted, and the deletion of an account for its own, which are few.
welcomeClaimSchema.index(
  { 'pending.profile': 1 },
  { partialFilterExpression: { 'pending.profile': { $gt: '' } } },
);
welcomeClaimSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

/** @param addressHashes all under which the mailbox may have a claim @returns a claim of it, or null when it has none */
export function findWelcomeClaim(db: Db, addressHashes: readonly string[]): Promise<WelcomeClaimRow | null> {
  return modelsOf(db)
    .welcomeClaims.findOne({ _id: { $in: [...addressHashes] } })
    .lean();
}

/**
 * Claims free images for a mailbox, which only one seller can do.
 * @param addressHashes the first one becomes the key of the claim; the others are those of older claims
 * @param count images
 * @param lifeMs how long the address can get no others, in ms
 * @returns the claim of the address: this one, or an earlier one
 */
export async function claimWelcomeImages(
  db: Db,
  addressHashes: readonly [string, ...string[]],
  { sellerId, count, lifeMs }: { sellerId: string; count: number; lifeMs: number },
): Promise<WelcomeClaimRow | null> {
  const at = new Date();
  const claim = {
    _id: addressHashes[0],
    pending: { profile: sellerId, count },
    at,
    expires_at: new Date(at.getTime() + lifeMs),
  };
  try {
    await modelsOf(db).welcomeClaims.create(claim);
    return claim;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return findWelcomeClaim(db, addressHashes);
  }
}

/** Records that the images of a claim are granted, or never will be: their seller is gone. */
export async function endWelcomeClaim(db: Db, addressHash: string): Promise<void> {
  await modelsOf(db).welcomeClaims.updateOne({ _id: addressHash }, { $set: { pending: null } });
}

/** @returns claims from before a moment whose images are not granted */
export function findPendingWelcomeClaims(db: Db, before: Date, limit: number): Promise<WelcomeClaimRow[]> {
  return modelsOf(db)
    .welcomeClaims.find({ 'pending.profile': { $gt: '' }, at: { $lt: before } })
    .limit(limit)
    .lean();
}

/** Removes a seller's id from the claims, because the account is deleted. */
export async function detachWelcomeClaims(db: Db, sellerId: string): Promise<void> {
  await modelsOf(db).welcomeClaims.updateMany({ 'pending.profile': sellerId }, { $set: { pending: null } });
}
