import { Schema } from 'mongoose';
import { collection } from '../collection.ts';
import { type Db, isDuplicateKey } from '../db.ts';
import { date, number, partOptions, type Row, rowOptions, text } from '../row.ts';

const freeImageClaim = {
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
export interface FreeImageClaimRow extends Row<typeof freeImageClaim> {}

const freeImageClaimSchema = new Schema<FreeImageClaimRow>(freeImageClaim, rowOptions);
// Upkeep looks for grants that a crash interrupted, and the deletion of an account for its own, which are few.
freeImageClaimSchema.index(
  { 'pending.profile': 1 },
  { partialFilterExpression: { 'pending.profile': { $gt: '' } } },
);
freeImageClaimSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

export const freeImageClaims = collection<FreeImageClaimRow>('free_image_claims', freeImageClaimSchema);

/** @returns the claim of a mailbox, or null when it has none. @param addressHashes under which it may be stored */
export function findFreeImageClaim(
  db: Db,
  addressHashes: readonly string[],
): Promise<FreeImageClaimRow | null> {
  return freeImageClaims(db)
    .findOne({ _id: { $in: addressHashes } })
    .lean();
}

/**
 * Claims free images for a mailbox, which only one seller can do.
 * @param count images
 * @param lifeMs how long the address can get no others, in ms
 * @returns the claim of the address: this one, or an earlier one
 */
export async function claimFreeImages(
  db: Db,
  addressHash: string,
  { sellerId, count, lifeMs }: { sellerId: string; count: number; lifeMs: number },
): Promise<FreeImageClaimRow | null> {
  const at = new Date();
  const claim = {
    _id: addressHash,
    pending: { profile: sellerId, count },
    at,
    expires_at: new Date(at.getTime() + lifeMs),
  };
  try {
    await freeImageClaims(db).create(claim);
    return claim;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return findFreeImageClaim(db, [addressHash]);
  }
}

/** Records that the images of a claim are granted, or never will be: their seller is gone. */
export async function endFreeImageClaim(db: Db, addressHash: string): Promise<void> {
  await freeImageClaims(db).updateOne({ _id: addressHash }, { $set: { pending: null } });
}

/** @returns claims from before a moment whose images are not granted */
export function findPendingFreeImageClaims(
  db: Db,
  before: Date,
  limit: number,
): Promise<FreeImageClaimRow[]> {
  return freeImageClaims(db)
    .find({ 'pending.profile': { $gt: '' }, at: { $lt: before } })
    .limit(limit)
    .lean();
}

/** Removes a seller's id from the claims, because the account is deleted. */
export async function detachFreeImageClaims(db: Db, sellerId: string): Promise<void> {
  await freeImageClaims(db).updateMany({ 'pending.profile': sellerId }, { $set: { pending: null } });
}
