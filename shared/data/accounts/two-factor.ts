import { securityLevelOf } from '#contract';
import { type Db, newId } from '#shared/data/db.ts';
import { profiles } from '#shared/data/profiles/schema.ts';
import { factorsFromBefore, keptFactors } from './factor-rules.ts';
import { type PasskeyRow, type UserRow, users } from './users.ts';

/** The fields of a user without two-factor sign-in. */
export const noTwoFactor = {
  two_factor: null,
  two_factor_id: null,
  two_factor_removal: null,
  two_factor_setup: null,
} as const;

/**
 * @param kept the expression of `two_factor` with the factors to keep; null if there are none
 * @returns for a pipeline: the fields of a user with these factors. When one was removed, `two_factor_id` is a new one
 */
const fieldsWith = (kept: object) => {
  const ifAny = (field: object) => ({ $cond: [{ $eq: [kept, null] }, null, field] });
  const count = (factors: object) => ({
    $let: {
      vars: { factors },
      in: {
        $add: [
          { $size: { $ifNull: ['$$factors.passkeys', []] } },
          { $cond: [{ $eq: [{ $ifNull: ['$$factors.secret', null] }, null] }, 0, 1] },
        ],
      },
    },
  });
  const allKept = { $eq: [count(kept), count({ $ifNull: ['$two_factor', null] })] };
  return {
    two_factor: kept,
    two_factor_id: ifAny({ $cond: [allKept, { $ifNull: ['$two_factor_id', null] }, newId()] }),
    two_factor_removal: ifAny({ $ifNull: ['$two_factor_removal', null] }),
  };
};

/**
 * For a pipeline that gives an account back to its owner: factors that are older than a time stay, younger ones are removed,
 * since a thief may have added them. A pending setup is removed in any case.
 */
export const keepFactorsFrom = (before: Date) => ({
  ...fieldsWith(factorsFromBefore(before)),
  two_factor_setup: null,
});

/** @returns how many second factors a user has, in force or not */
export function countFactors(user: Pick<UserRow, 'two_factor'>): number {
  const { app, passkeys } = factorsOf(user);
  return passkeys.length + Number(app);
}

/**
 * Stores a secret that is not in force until a first code confirms it. It replaces an earlier one.
 * @param stored the secret, sealed
 */
export async function saveTwoFactorSetup(db: Db, sellerId: string, stored: string): Promise<void> {
  await users(db).updateOne(
    { _id: sellerId },
    { $set: { two_factor_setup: { secret: stored, at: new Date() } } },
  );
}

/** What an account has besides its password. */
export interface Factors {
  app: boolean;
  passkeys: PasskeyRow[];
}

/** @returns the factors of a user, in force or not */
export function factorsOf({ two_factor: stored }: Pick<UserRow, 'two_factor'>): Factors {
  return { app: Boolean(stored?.secret), passkeys: stored?.passkeys ?? [] };
}

/** Whether a user has a second factor that was added at this time or later. */
export function hasFactorFrom({ two_factor: stored }: Pick<UserRow, 'two_factor'>, time: Date): boolean {
  if (!stored) return false;
  const app = stored.secret === null ? [] : [stored.app_since ?? stored.since];
  const added = [...app, ...(stored.passkeys ?? []).map(({ created_at: at }) => at)];
  return added.some((at) => at !== null && at >= time);
}

/** A setup whose first code was correct. */
export interface ConfirmedSetup {
  /** The secret of the setup as it is stored. */
  stored: string;
  /** Time step of the first code. */
  step: number;
  recoveryCodeHashes: string[];
}

/**
 * Turns two-factor sign-in on with an authenticator app, as a compare-and-set on the secret of the setup.
 * @returns false when that setup was confirmed or replaced by another request
 */
export async function turnTwoFactorOn(
  db: Db,
  sellerId: string,
  { stored, step, recoveryCodeHashes }: ConfirmedSetup,
): Promise<boolean> {
  const { matchedCount } = await users(db).updateOne(
    { _id: sellerId, 'two_factor_setup.secret': stored },
    [
      {
        $set: {
          two_factor: {
            // $literal: a text that begins with `$` would refer to a field.
            secret: { $literal: stored },
            last_step: step,
            recovery_codes: { $literal: recoveryCodeHashes },
            since: new Date(),
          },
          // Not kept from a time when it was on before: whatever was bound to it then does not come back.
          two_factor_id: newId(),
          two_factor_removal: null,
          two_factor_setup: null,
        },
      },
    ],
    { updatePipeline: true },
  );
  if (matchedCount === 0) return false;
  await setTwoFactorEnabled(db, sellerId, true);
  return true;
}

/**
 * Adds an authenticator app to the passkeys of an account, as a compare-and-set on the secret of the setup. Its recovery
 * codes stay.
 * @returns false when that setup was confirmed or replaced by another request, or the account has no passkeys any more
 */
export async function addAuthenticatorApp(
  db: Db,
  sellerId: string,
  { stored, step }: Omit<ConfirmedSetup, 'recoveryCodeHashes'>,
): Promise<boolean> {
  const { matchedCount } = await users(db).updateOne(
    {
      _id: sellerId,
      'two_factor_setup.secret': stored,
      'two_factor.secret': null,
      two_factor: { $ne: null },
    },
    {
      $set: {
        'two_factor.secret': stored,
        'two_factor.last_step': step,
        'two_factor.app_since': new Date(),
        two_factor_setup: null,
      },
    },
  );
  return matchedCount === 1;
}

/** Turns two-factor sign-in off and removes all factors: authenticator app, passkeys and recovery codes. */
export async function turnTwoFactorOff(db: Db, sellerId: string): Promise<void> {
  // In this order: a crash in between must not leave a profile that asks for codes of a removed secret.
  await setTwoFactorEnabled(db, sellerId, false);
  await users(db).updateOne({ _id: sellerId }, { $set: noTwoFactor });
}

/**
 * Removes one factor. Without any other two-factor sign-in is off, and the recovery codes are removed too.
 * @param which the app, or the id of a passkey
 * @returns whether two-factor sign-in is still on; null when there is no such factor
 */
export async function removeFactor(
  db: Db,
  sellerId: string,
  which: 'app' | { passkey: string },
): Promise<{ on: boolean } | null> {
  const before = await users(db).findById(sellerId).lean();
  if (!before) return null;
  const isLast = countFactors(before) === 1;
  const isThis =
    which === 'app' ? { 'two_factor.secret': { $ne: null } } : { 'two_factor.passkeys.id': which.passkey };
  if (!(await users(db).exists({ _id: sellerId, ...isThis }))) return null;
  // First, as in `turnTwoFactorOff`.
  if (isLast) await setTwoFactorEnabled(db, sellerId, false);
  const passkeys = { $ifNull: ['$two_factor.passkeys', []] };
  const left = keptFactors(
    which === 'app'
      ? { app: false, passkeys }
      : { app: true, passkeys: withoutPasskey(passkeys, which.passkey) },
  );
  const user = await users(db)
    .findOneAndUpdate({ _id: sellerId, ...isThis }, [{ $set: fieldsWith(left) }], {
      updatePipeline: true,
      returnDocument: 'after',
    })
    .lean();
  if (!user) return null;
  const on = user.two_factor !== null;
  // Another request may have added or removed the others meanwhile.
  if (isLast || !on) await setTwoFactorEnabled(db, sellerId, on);
  return { on };
}

const withoutPasskey = (passkeys: object, id: string) => ({
  $filter: { input: passkeys, as: 'each', cond: { $ne: ['$$each.id', { $literal: id }] } },
});

/** Replaces the recovery codes. @returns false when two-factor sign-in is off */
export async function replaceRecoveryCodes(db: Db, sellerId: string, hashes: string[]): Promise<boolean> {
  const { matchedCount } = await users(db).updateOne(
    { _id: sellerId, two_factor: { $ne: null } },
    { $set: { 'two_factor.recovery_codes': hashes } },
  );
  return matchedCount === 1;
}

/**
 * Uses up the code of a time step and those of all earlier steps.
 * @param stored the secret as it is stored; nothing is written if it has changed since
 * @returns false when the step was used up before
 */
export async function consumeTimeStep(
  db: Db,
  sellerId: string,
  stored: string,
  step: number,
): Promise<boolean> {
  const { modifiedCount } = await users(db).updateOne(
    { _id: sellerId, 'two_factor.secret': stored, 'two_factor.last_step': { $lt: step } },
    { $set: { 'two_factor.last_step': step } },
  );
  return modifiedCount === 1;
}

/**
 * Uses up a recovery code.
 * @param stored the secret as it is stored, null without an app; nothing is written if it has changed since
 * @returns false when there is no such code
 */
export async function consumeRecoveryCode(
  db: Db,
  sellerId: string,
  stored: string | null,
  hash: string,
): Promise<boolean> {
  const { modifiedCount } = await users(db).updateOne(
    { _id: sellerId, 'two_factor.secret': stored, 'two_factor.recovery_codes': hash },
    { $pull: { 'two_factor.recovery_codes': hash } },
  );
  return modifiedCount === 1;
}

/** What the profile says about two-factor sign-in. */
export const twoFactorFields = (enabled: boolean) => ({
  two_factor_enabled: enabled,
  security_level: securityLevelOf(enabled),
});

/** Writes to the profile whether two-factor sign-in is on. */
export async function setTwoFactorEnabled(db: Db, sellerId: string, enabled: boolean): Promise<void> {
  await profiles(db).updateOne(
    { _id: sellerId },
    { $set: { ...twoFactorFields(enabled), updated_at: new Date() } },
  );
}
