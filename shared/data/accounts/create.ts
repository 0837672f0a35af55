import { type PlanId, plans, type Theme } from '#contract';
import { type Db, isDuplicateKey, newId } from '#shared/data/db.ts';
import { type ProfileRow, profiles } from '#shared/data/profiles/schema.ts';
import { accountTokens, randomSecret } from './account-tokens.ts';
import { activities } from './activities.ts';
import { themeFields, userSettings } from './user-settings.ts';
import { type UserRow, users } from './users.ts';

/** A validated sign-up, with the hash of the password. */
export interface NewAccount {
  email: string;
  fullName: string;
  passwordHash: string;
  plan: PlanId;
  /** What was chosen on the device of the sign-up; `system` unless given. */
  theme?: Theme | undefined;
}

/** The profile's fields about a chosen plan. Images are granted by payments only. */
function planFields(plan: PlanId) {
  const monthly = plans[plan].monthlyGenerations ?? 0;
  return { subscription_plan: plan, credits: monthly, total_generations: monthly };
}

/**
 * Creates an account: profile and settings first, the user last, because its unique address decides between concurrent
 * sign-ups. If a write fails, the earlier ones are removed. The plan is only chosen: images come with the first paid
 * invoice.
 * @param account verified: whether the address is verified; signUp: if not, the hash of the secret of the browser that
 *   signed up
 * @returns null when the address has an account
 */
export async function createAccount(
  db: Db,
  account: NewAccount & { verified?: boolean; signUp?: string },
): Promise<{ user: UserRow; profile: ProfileRow } | null> {
  const id = newId();
  const now = new Date();
  const verified = account.verified ?? false;
  try {
    await profiles(db).create({
      _id: id,
      email: account.email,
      full_name: account.fullName,
      ...planFields(account.plan),
      email_verified: verified,
      // Programs that create verified accounts give them plans; free images are for those who sign up.
      free_images: { due: !verified },
      incomplete_since: now,
      created_at: now,
      updated_at: now,
    });
    await userSettings(db).create({
      _id: id,
      user_id: id,
      ...themeFields(account.theme ?? 'system'),
      created_at: now,
      updated_at: now,
    });
    const user = await users(db).create({
      _id: id,
      email: account.email,
      password_hash: account.passwordHash,
      password_changed_at: now,
      sign_up: verified ? null : (account.signUp ?? randomSecret()),
      created_at: now,
    });
    const profile = await profiles(db)
      .findOneAndUpdate({ _id: id }, { $unset: { incomplete_since: '' } }, { returnDocument: 'after' })
      .lean();
    return { user: user.toObject(), profile: profile! };
  } catch (error) {
    if (!(await users(db).exists({ _id: id }))) await removeIncompleteRows(db, [id]);
    if (isDuplicateKey(error)) return null;
    throw error;
  }
}

/**
 * Replaces an unverified sign-up with a newer one for the same address: nobody has proved to own it. Links of the older
 * sign-up stop working.
 * @param account signUp: the hash of the secret of the browser that signed up
 * @returns the account's id, or null when the address has no account or is verified
 */
export async function replaceUnverified(
  db: Db,
  account: NewAccount & { signUp: string },
): Promise<string | null> {
  const now = new Date();
  const user = await users(db)
    .findOneAndUpdate(
      { email: account.email, sign_up: { $ne: null } },
      {
        $set: {
          password_hash: account.passwordHash,
          password_changed_at: now,
          sign_up: account.signUp,
        },
      },
    )
    .lean();
  if (!user) return null;
  await profiles(db).updateOne(
    { _id: user._id, email_verified: false },
    {
      $set: {
        full_name: account.fullName,
        ...planFields(account.plan),
        'free_images.due': true,
        updated_at: now,
      },
    },
  );
  await userSettings(db).updateOne(
    { _id: user._id },
    { $set: { ...themeFields(account.theme ?? 'system'), updated_at: now } },
  );
  return user._id;
}

/*
 * An account is incomplete while it has no user: before its creation ends, and after its removal begins. Its profile
 * carries `incomplete_since` during that time, so upkeep can remove what a crash left. Accounts that are being deleted have no
 * user either, but `deletion_asked_at`; finishDeletion removes them.
 */

/** Incomplete accounts that are removed in one round. */
const batchSize = 500;

/**
 * Removes accounts whose creation or removal was interrupted by a crash.
 * @param before only accounts whose creation or removal began before this time, so none that is under way
 * @returns the number of accounts removed
 */
export async function removeIncompleteAccounts(db: Db, before: Date): Promise<number> {
  const incomplete = await profiles(db)
    .find({ incomplete_since: { $lt: before }, deletion_asked_at: null })
    .select({ _id: 1 })
    .limit(batchSize)
    .lean();
  const sellerIds = incomplete.map(({ _id }) => _id);
  return removeThoseWithoutUser(db, sellerIds);
}

/** Marks accounts as incomplete before their users are removed. */
export async function markIncomplete(db: Db, sellerIds: string[]): Promise<void> {
  await profiles(db).updateMany({ _id: { $in: sellerIds } }, { $set: { incomplete_since: new Date() } });
}

/**
 * Removes those of the accounts that have no user, and unmarks the others.
 * @returns the number of accounts removed
 */
export async function removeThoseWithoutUser(db: Db, sellerIds: string[]): Promise<number> {
  if (sellerIds.length === 0) return 0;
  const existing = await users(db)
    .find({ _id: { $in: sellerIds } })
    .select({ _id: 1 })
    .lean();
  const complete = new Set(existing.map(({ _id }) => _id));
  if (complete.size > 0) {
    await profiles(db).updateMany({ _id: { $in: [...complete] } }, { $unset: { incomplete_since: '' } });
  }
  const incomplete = sellerIds.filter((sellerId) => !complete.has(sellerId));
  if (incomplete.length > 0) await removeIncompleteRows(db, incomplete);
  return incomplete.length;
}

/** Removes all rows of incomplete accounts. The profile goes last: after a crash, upkeep finds the rest by it. */
async function removeIncompleteRows(db: Db, sellerIds: string[]): Promise<void> {
  await accountTokens(db).deleteMany({ user_id: { $in: sellerIds } });
  await activities(db).deleteMany({ user_id: { $in: sellerIds } });
  await userSettings(db).deleteMany({ _id: { $in: sellerIds } });
  await profiles(db).deleteMany({ _id: { $in: sellerIds }, deletion_asked_at: null });
}
