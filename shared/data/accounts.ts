import { type PlanId, plans } from '../contract/index.ts';
import { newSecretText, removeTokens } from './account-tokens.ts';
import { type Data, isDuplicateKey, newId } from './connect.ts';
import type { ProfileRow } from './profile.ts';
import type { UserRow } from './user.ts';

/** A sign-up as its schema gives it, with the password's hash. */
export interface NewAccount {
  email: string;
  fullName: string;
  passwordHash: string;
  plan: PlanId;
}

/** What a plan promises (seed §9); what is left of it is counted from payments. */
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
  data: Data,
  account: NewAccount & { verified?: boolean; signUp?: string },
): Promise<{ user: UserRow; profile: ProfileRow } | null> {
  const id = newId();
  const now = new Date();
  const verified = account.verified ?? false;
  try {
    const profile = await data.profiles.create({
      _id: id,
      email: account.email,
      full_name: account.fullName,
      ...planFields(account.plan),
      email_verified: verified,
      created_at: now,
      updated_at: now,
    });
    await data.userSettings.create({ _id: id, user_id: id, created_at: now, updated_at: now });
    const user = await data.users.create({
      _id: id,
      email: account.email,
      password_hash: account.passwordHash,
      password_changed_at: now,
      sign_up: verified ? null : (account.signUp ?? newSecretText()),
      created_at: now,
    });
    return { user: user.toObject(), profile: profile.toObject() };
  } catch (error) {
    if (!(await data.users.exists({ _id: id }))) await removeWithoutUser(data, id);
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
  data: Data,
  account: NewAccount & { signUp: string },
): Promise<string | null> {
  const now = new Date();
  const user = await data.users
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
  await data.profiles.updateOne(
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
export async function markVerified(data: Data, userId: string, signUp: string): Promise<boolean> {
  const { modifiedCount } = await data.users.updateOne(
    { _id: userId, sign_up: signUp },
    { $set: { sign_up: null } },
  );
  if (modifiedCount === 0) return false;
  // A process that dies here is no harm: the profile follows at the next sign-in.
  await data.profiles.updateOne({ _id: userId }, { $set: { email_verified: true, updated_at: new Date() } });
  return true;
}

/** Removes the account of somebody who signed up with an address and never verified it: the address has another owner. */
export async function removeUnverified(data: Data, email: string): Promise<void> {
  const user = await data.users.findOneAndDelete({ email, sign_up: { $ne: null } }).lean();
  if (!user) return;
  await removeTokens(data, user._id);
  await removeWithoutUser(data, user._id);
}

/**
 * Sets a password in place of the one that was checked.
 * @param user as it was read when its password was checked
 * @returns the user after it, or null when the password was changed since
 */
export async function setPassword(
  data: Data,
  user: Pick<UserRow, '_id' | 'password_hash'>,
  passwordHash: string,
): Promise<UserRow | null> {
  return data.users
    .findOneAndUpdate(
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
export async function resetPassword(
  data: Data,
  userId: string,
  passwordHash: string,
): Promise<UserRow | null> {
  const user = await data.users
    .findByIdAndUpdate(
      userId,
      { $set: { password_hash: passwordHash, password_changed_at: new Date(), sign_up: null } },
      { returnDocument: 'after' },
    )
    .lean();
  if (user)
    await data.profiles.updateOne(
      { _id: userId },
      { $set: { email_verified: true, updated_at: new Date() } },
    );
  return user;
}

/** Writes into the profile whether the account is locked (seed §3); what locks it is kept by its address. */
export async function setLocked(data: Data, userId: string, locked: boolean): Promise<void> {
  await data.profiles.updateOne(
    { _id: userId },
    { $set: { account_locked: locked, updated_at: new Date() } },
  );
}

/**
 * Notes a sign-in in the profile (seed §4), which is brought up to what the user says.
 * @returns the profile after it, or null when the account was given up
 */
export async function noteSignIn(
  data: Data,
  user: Pick<UserRow, '_id' | 'email'>,
): Promise<ProfileRow | null> {
  return data.profiles
    .findOneAndUpdate(
      { _id: user._id, deletion_asked_at: null },
      {
        $set: { last_login: new Date(), email: user.email, email_verified: true, account_locked: false },
        $inc: { login_count: 1 },
      },
      { returnDocument: 'after' },
    )
    .lean();
}

/**
 * Removes profiles and settings of sign-ups that died before their user was written.
 * @param before only those made before this time, so none that is under way
 * @returns how many
 */
export async function removeHalfMadeAccounts(data: Data, before: Date): Promise<number> {
  const candidates = await data.profiles
    .find({
      login_count: 0,
      // An account that is being deleted has no user either, and more than this to remove.
      deletion_asked_at: null,
      created_at: { $lt: before, $gte: new Date(before.getTime() - 86_400_000) },
    })
    .select({ _id: 1 })
    .lean();
  let removed = 0;
  for (const { _id } of candidates) {
    if (await data.users.exists({ _id })) continue;
    await removeWithoutUser(data, _id);
    removed += 1;
  }
  return removed;
}

/** The profile goes last: by it the rest is found again after a crash. */
async function removeWithoutUser(data: Data, id: string): Promise<void> {
  await data.userSettings.deleteOne({ _id: id });
  await data.profiles.deleteOne({ _id: id });
}
