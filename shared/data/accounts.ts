import { type PlanId, plans } from '../contract/index.ts';
import { enterGrant } from '../credits.ts';
import { Refusal } from '../errors.ts';
import { type Data, isDuplicateKey, newId } from './connect.ts';
import type { ProfileRow } from './profile.ts';
import type { UserRow } from './user.ts';

/**
 * Makes an account: profile, settings, and last the user, whose unique address decides. Until the user is there
 * nobody can sign in to what was written before, and what is written before is removed when a later write fails.
 * @param account email and name as their schemas give them; passwordHash from `hashPassword`
 * @throws Refusal SIGN_UP_REFUSED when the address is taken
 */
export async function createAccount(
  data: Data,
  account: { email: string; fullName: string; passwordHash: string; plan: PlanId },
): Promise<{ user: UserRow; profile: ProfileRow }> {
  const id = newId();
  const now = new Date();
  const images = plans[account.plan].monthlyGenerations ?? 0;
  const grant = { key: `sign-up:${id}`, count: images, at: now, entered: false };
  try {
    const profile = await data.profiles.create({
      _id: id,
      email: account.email,
      full_name: account.fullName,
      subscription_plan: account.plan,
      // Billing decides this once it exists; until then a plan is active from sign-up.
      subscription_status: 'active',
      credits: images,
      generations_left: images,
      total_generations: images,
      granted: images,
      grants: images > 0 ? [grant] : [],
      created_at: now,
      updated_at: now,
    });
    await data.userSettings.create({ _id: id, user_id: id, created_at: now, updated_at: now });
    const user: UserRow = {
      _id: id,
      email: account.email,
      password_hash: account.passwordHash,
      created_at: now,
    };
    await data.users.create(user);
    if (images > 0) await enterGrant(data, { profile: id, key: grant.key });
    return { user, profile: profile.toObject() };
  } catch (error) {
    if (!(await data.users.exists({ _id: id }))) await removeWithoutUser(data, id);
    if (isDuplicateKey(error)) throw new Refusal('SIGN_UP_REFUSED');
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
  await data.creditEntries.deleteMany({ profile: id });
  await data.userSettings.deleteOne({ _id: id });
  await data.profiles.deleteOne({ _id: id });
}
