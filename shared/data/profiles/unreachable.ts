import { limits, type Unreachable } from '#contract';
import { findUserByEmail } from '#shared/data/accounts/users.ts';
import type { Db } from '#shared/data/db.ts';
import { type ProfileRow, profiles } from './schema.ts';

/**
 * Records that mail to an address comes back. An address that no account has is not recorded.
 * @returns the seller's id, or null
 */
export async function markUnreachable(
  db: Db,
  address: string,
  { kind, reason }: Pick<Unreachable, 'kind' | 'reason'>,
): Promise<string | null> {
  const user = await findUserByEmail(db, address);
  if (!user) return null;
  const now = new Date();
  const said = reason.slice(0, limits.mailReasonCharacters) || kind;
  const { unreachable: before } = (await profiles(db).findById(user._id).lean()) ?? {};
  // A try that failed again does not begin anew.
  const tried = before?.address === address ? before.tried_at : null;
  await profiles(db).updateOne(
    { _id: user._id },
    { $set: { unreachable: { address, kind, reason: said, at: now, tried_at: tried }, updated_at: now } },
  );
  return user._id;
}

/** Records that mail arrives at an account's address again. @param address the one that was confirmed; any unless given */
export async function markReachable(db: Db, sellerId: string, address?: string): Promise<void> {
  await profiles(db).updateOne(
    address === undefined ? { _id: sellerId } : { _id: sellerId, 'unreachable.address': address },
    { $unset: { unreachable: 1 }, $set: { updated_at: new Date() } },
  );
}

/** @returns the profile of the account with an address, if mail to it comes back; else null */
export async function findUnreachable(db: Db, address: string): Promise<ProfileRow | null> {
  const user = await findUserByEmail(db, address);
  const profile = user && (await profiles(db).findById(user._id).lean());
  return profile?.unreachable?.address === address ? profile : null;
}

/**
 * Takes the one try of `limits.unreachableTryHours` that an address whose mail comes back has for mails that its owner asks for.
 * @returns whether it was free
 */
export async function takeTry(db: Db, { _id, unreachable }: ProfileRow): Promise<boolean> {
  const now = new Date();
  const before = new Date(now.getTime() - limits.unreachableTryHours * 3_600_000);
  const { modifiedCount } = await profiles(db).updateOne(
    {
      _id,
      'unreachable.address': unreachable?.address ?? '',
      $or: [{ 'unreachable.tried_at': null }, { 'unreachable.tried_at': { $lt: before } }],
    },
    { $set: { 'unreachable.tried_at': now } },
  );
  return modifiedCount === 1;
}
