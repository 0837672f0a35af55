import type { QueryFilter } from 'mongoose';
import { type PlanId, plans } from '#contract';
import { newSecretText } from '#shared/data/account-tokens.ts';
import { type Db, isDuplicateKey, newId } from '#shared/data/db.ts';
import { modelsOf } from '#shared/data/models.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import type { UserRow } from '#shared/data/users.ts';

/** A sign-up as its schema gives it, with the password's hash. */
export interface NewAccount {
  email: string;
  fullName: string;
  passwordHash: string;
  plan: PlanId;
}

/** What a plan promises; the balance is granted by payments. */
function planFields(plan: PlanId) {
  const monthly = plans[plan].monthlyGenerations ?? 0;
  return { subscription_plan: plan, credits: monthly, total_generations: monthly };
}

/**
 * Makes an account: profile, settings, and last the user, whose unique address decides. Until the user is there
 * nobody can sign in to what was written before, and what is written before is removed when a later write fails.
 * Its plan is only chosen: images come with the first paid invoice.
 * @param account verified: whether its address is; signUp: else, the hash of what the browser holds that signed up
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
    await modelsOf(db).profiles.create({
      _id: id,
      email: account.email,
      full_name: account.fullName,
      ...planFields(account.plan),
      email_verified: verified,
      half_made_at: now,
      created_at: now,
      updated_at: now,
    });
    await modelsOf(db).userSettings.create({ _id: id, user_id: id, created_at: now, updated_at: now });
    const user = await modelsOf(db).users.create({
      _id: id,
      email: account.email,
      password_hash: account.passwordHash,
      password_changed_at: now,
      sign_up: verified ? null : (account.signUp ?? newSecretText()),
      created_at: now,
    });
    const profile = await modelsOf(db)
      .profiles.findOneAndUpdate({ _id: id }, { $unset: { half_made_at: '' } }, { returnDocument: 'after' })
      .lean();
    return { user: user.toObject(), profile: profile! };
  } catch (error) {
    if (!(await modelsOf(db).users.exists({ _id: id }))) await removeWithoutUser(db, [id]);
    if (isDuplicateKey(error)) return null;
    throw error;
  }
}

/**
 * Lets a new sign-up take the place of one whose address was never verified: whoever did that one has not shown that the
 * address is theirs. Links of the older one no longer fit.
 * @param account signUp: the hash of what the browser holds that signed up
 * @returns the account's id, or null when there is none for the address, or its address is verified
 */
export async function replaceUnverified(
  db: Db,
  account: NewAccount & { signUp: string },
): Promise<string | null> {
  const now = new Date();
  const user = await modelsOf(db)
    .users.findOneAndUpdate(
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
  await modelsOf(db).profiles.updateOne(
    { _id: user._id, email_verified: false },
    { $set: { full_name: account.fullName, ...planFields(account.plan), updated_at: now } },
  );
  return user._id;
}

/**
 * Notes that the address belongs to whoever signed up. One write decides, so a newer sign-up for the same address either
 * comes before it, and makes this one void, or finds the address taken.
 * @param signUp the one that the link belongs to
 * @returns false when it was replaced by a newer one, or the address is verified already
 */
export async function markVerified(db: Db, sellerId: string, signUp: string): Promise<boolean> {
  const { modifiedCount } = await modelsOf(db).users.updateOne(
    { _id: sellerId, sign_up: signUp },
    { $set: { sign_up: null } },
  );
  if (modifiedCount === 0) return false;
  // A process that dies here is no harm: the profile follows at the next sign-in.
  await modelsOf(db).profiles.updateOne(
    { _id: sellerId },
    { $set: { email_verified: true, updated_at: new Date() } },
  );
  return true;
}

/**
 * Removes the account of somebody who signed up with an address and never verified it: the address has another owner. One
 * that comes in between, or is verified then, stays.
 */
export async function removeUnverified(db: Db, email: string): Promise<void> {
  const user = await modelsOf(db)
    .users.findOne({ email, sign_up: { $ne: null } })
    .lean();
  if (user) await removeUnverifiedAccounts(db, [user._id], { email, sign_up: user.sign_up });
}

/**
 * Sets a password in place of the one that was checked.
 * @param user as it was read when its password was checked
 * @returns the user after it, or null when the password was changed since
 */
export async function setPassword(
  db: Db,
  user: Pick<UserRow, '_id' | 'password_hash'>,
  passwordHash: string,
): Promise<UserRow | null> {
  return modelsOf(db)
    .users.findOneAndUpdate(
      { _id: user._id, password_hash: user.password_hash },
      { $set: { password_hash: passwordHash, password_changed_at: new Date() } },
      { returnDocument: 'after' },
    )
    .lean();
}

/**
 * Sets a password for whoever has shown that the mailbox is theirs: the address is verified by that.
 * @returns the user after it, or null when there is none
 */
export async function resetPassword(db: Db, sellerId: string, passwordHash: string): Promise<UserRow | null> {
  const user = await modelsOf(db)
    .users.findByIdAndUpdate(
      sellerId,
      { $set: { password_hash: passwordHash, password_changed_at: new Date(), sign_up: null } },
      { returnDocument: 'after' },
    )
    .lean();
  if (user)
    await modelsOf(db).profiles.updateOne(
      { _id: sellerId },
      { $set: { email_verified: true, updated_at: new Date() } },
    );
  return user;
}

/**
 * Records in the profile whether the account is locked: no unknown device may sign in, from any network. The failures that
 * lock it are counted by address.
 */
export async function setLocked(db: Db, sellerId: string, locked: boolean): Promise<void> {
  await modelsOf(db).profiles.updateOne(
    { _id: sellerId, account_locked: !locked },
    { $set: { account_locked: locked, updated_at: new Date() } },
  );
}

/**
 * Records a sign-in in the profile and copies the address of the user into it.
 * @param user as it was read when the sign-in began
 * @returns the profile after it, or null when the account was given up
 */
export async function noteSignIn(db: Db, user: Pick<UserRow, '_id' | 'email'>): Promise<ProfileRow | null> {
  const profile = await modelsOf(db)
    .profiles.findOneAndUpdate(
      { _id: user._id, deletion_asked_at: null },
      {
        $set: { last_login: new Date(), email_verified: true },
        $inc: { login_count: 1 },
      },
      { returnDocument: 'after' },
    )
    .lean();
  if (!profile || profile.email === user.email) return profile;
  return followAddress(db, profile);
}

/** Brings a profile's address up to its user's: either a change died on the way, or it was just made. */
async function followAddress(db: Db, profile: ProfileRow): Promise<ProfileRow> {
  const { _id, email } = profile;
  const user = await modelsOf(db).users.findById(_id).select({ email: 1 }).lean();
  if (!user || user.email === email) return profile;
  // Only in place of the address that was seen: a change that is under way writes its own.
  const followed = await modelsOf(db)
    .profiles.findOneAndUpdate({ _id, email }, { $set: { email: user.email } }, { returnDocument: 'after' })
    .lean();
  return followed ?? profile;
}

/**
 * Removes what is left of accounts that died while they were made or removed: none of them has a user.
 * @param before only those where it began before this time, so none that is under way
 * @returns how many
 */
export async function removeHalfMadeAccounts(db: Db, before: Date): Promise<number> {
  const halfMade = await modelsOf(db)
    .profiles // An account that is being deleted has no user either, and more than this to remove.
    .find({ half_made_at: { $lt: before }, deletion_asked_at: null })
    .select({ _id: 1 })
    .limit(batch)
    .lean();
  return removeWhereNoUser(
    db,
    halfMade.map(({ _id }) => _id),
  );
}

const batch = 500;

/**
 * Removes unverified accounts with all that is kept for them. One write for each decides: a user who has verified the
 * address, or is another than was seen in some other way, stays.
 * @param still what must hold of a user in the moment in which they go
 * @returns how many are gone
 */
export async function removeUnverifiedAccounts(
  db: Db,
  ids: string[],
  still: QueryFilter<UserRow>,
): Promise<number> {
  // By this the rest is found again after a crash.
  await modelsOf(db).profiles.updateMany({ _id: { $in: ids } }, { $set: { half_made_at: new Date() } });
  await modelsOf(db).users.deleteMany({ ...still, _id: { $in: ids } });
  return removeWhereNoUser(db, ids);
}

/** Removes what is left of those accounts that have no user; the others are whole. @returns how many */
async function removeWhereNoUser(db: Db, ids: string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const users = await modelsOf(db)
    .users.find({ _id: { $in: ids } })
    .select({ _id: 1 })
    .lean();
  const whole = new Set(users.map(({ _id }) => _id));
  if (whole.size > 0)
    await modelsOf(db).profiles.updateMany({ _id: { $in: [...whole] } }, { $unset: { half_made_at: '' } });
  const userless = ids.filter((id) => !whole.has(id));
  if (userless.length > 0) await removeWithoutUser(db, userless);
  return userless.length;
}

/** The profile goes last: by it the rest is found again after a crash. */
async function removeWithoutUser(db: Db, ids: string[]): Promise<void> {
  await modelsOf(db).accountTokens.deleteMany({ user_id: { $in: ids } });
  await modelsOf(db).activities.deleteMany({ user_id: { $in: ids } });
  await modelsOf(db).userSettings.deleteMany({ _id: { $in: ids } });
  await modelsOf(db).profiles.deleteMany({ _id: { $in: ids }, deletion_asked_at: null });
}
