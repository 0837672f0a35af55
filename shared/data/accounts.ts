import { type PlanId, plans } from '../contract/index.ts';
import { type Data, isDuplicateKey, newId } from './connect.ts';
import type { ProfileRow } from './profile.ts';
import type { UserRow } from './user.ts';

/**
 * Makes an account: profile, settings, and last the user, whose unique address decides. Until the user is there
 * nobody can sign in to what was written before, and what is written before is removed when a later write fails.
 * Its plan is only chosen: images come with the first paid invoice.
 * @param account email and name as their schemas give them; passwordHash from `hashPassword`
 * @returns null when the address has an account
 */
export async function createAccount(
  data: Data,
  account: { email: string; fullName: string; passwordHash: string; plan: PlanId; verified?: boolean },
): Promise<{ user: UserRow; profile: ProfileRow } | null> {
  const id = newId();
  const now = new Date();
  const monthly = plans[account.plan].monthlyGenerations ?? 0;
  try {
    const profile = await data.profiles.create({
      _id: id,
      email: account.email,
      full_name: account.fullName,
      subscription_plan: account.plan,
      // What a month of the plan will bring (seed §9); what is left of it is counted from payments.
      credits: monthly,
      total_generations: monthly,
      email_verified: account.verified ?? false,
      created_at: now,
      updated_at: now,
    });
    await data.userSettings.create({ _id: id, user_id: id, created_at: now, updated_at: now });
    const user = await data.users.create({
      _id: id,
      email: account.email,
      password_hash: account.passwordHash,
      password_changed_at: now,
      created_at: now,
    });
    return { user: user.toObject(), profile: profile.toObject() };
  } catch (error) {
    if (!(await data.users.exists({ _id: id }))) await removeWithoutUser(data, id);
    if (isDuplicateKey(error)) return null;
    throw error;
  }
}

/** Notes a sign-in in the profile (seed §4). @returns the profile after it */
export async function noteSignIn(data: Data, userId: string): Promise<ProfileRow | null> {
  return data.profiles
    .findByIdAndUpdate(
      userId,
      { $set: { last_login: new Date() }, $inc: { login_count: 1 } },
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
    .find({ login_count: 0, created_at: { $lt: before, $gte: new Date(before.getTime() - 86_400_000) } })
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
