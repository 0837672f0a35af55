import { type Db, newId } from '#shared/data/db.ts';
import { modelsOf } from '#shared/data/models.ts';

/** The fields of a user without two-factor sign-in. */
export const noTwoFactor = {
  two_factor: null,
  two_factor_id: null,
  two_factor_removal: null,
  two_factor_setup: null,
} as const;

/**
 * For a pipeline that gives an account back to its owner: two-factor sign-in that is older than a time stays, a younger one
 * is removed, since a thief may have turned it on. A pending setup is removed in any case.
 */
export function keepFactorFrom(before: Date) {
  // Rows from before `since` existed are old.
  const isOld = { $lt: [{ $ifNull: ['$two_factor.since', new Date(0)] }, before] };
  const ifOld = (field: string) => ({ $cond: [isOld, { $ifNull: [field, null] }, null] });
  return {
    two_factor: ifOld('$two_factor'),
    two_factor_id: ifOld('$two_factor_id'),
    two_factor_removal: ifOld('$two_factor_removal'),
    two_factor_setup: null,
  };
}

/**
 * Stores a secret that is not in force until a first code confirms it. It replaces an earlier one.
 * @param stored the secret, sealed
 */
export async function saveTwoFactorSetup(db: Db, sellerId: string, stored: string): Promise<void> {
  await modelsOf(db).users.updateOne(
    { _id: sellerId },
    { $set: { two_factor_setup: { secret: stored, at: new Date() } } },
  );
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
 * Turns two-factor sign-in on, as a compare-and-set on the secret of the setup.
 * @returns false when that setup was confirmed or replaced by another request
 */
export async function turnTwoFactorOn(
  db: Db,
  sellerId: string,
  { stored, step, recoveryCodeHashes }: ConfirmedSetup,
): Promise<boolean> {
  const { matchedCount } = await modelsOf(db).users.updateOne(
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

/** Turns two-factor sign-in off and removes the secret. */
export async function turnTwoFactorOff(db: Db, sellerId: string): Promise<void> {
  // In this order: a crash in between must not leave a profile that asks for codes of a removed secret.
  await setTwoFactorEnabled(db, sellerId, false);
  await modelsOf(db).users.updateOne({ _id: sellerId }, { $set: noTwoFactor });
}

/** Replaces the recovery codes. @returns false when two-factor sign-in is off */
export async function replaceRecoveryCodes(db: Db, sellerId: string, hashes: string[]): Promise<boolean> {
  const { matchedCount } = await modelsOf(db).users.updateOne(
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
  const { modifiedCount } = await modelsOf(db).users.updateOne(
    { _id: sellerId, 'two_factor.secret': stored, 'two_factor.last_step': { $lt: step } },
    { $set: { 'two_factor.last_step': step } },
  );
  return modifiedCount === 1;
}

/**
 * Uses up a recovery code.
 * @param stored the secret as it is stored; nothing is written if it has changed since
 * @returns false when there is no such code
 */
export async function consumeRecoveryCode(
  db: Db,
  sellerId: string,
  stored: string,
  hash: string,
): Promise<boolean> {
  const { modifiedCount } = await modelsOf(db).users.updateOne(
    { _id: sellerId, 'two_factor.secret': stored, 'two_factor.recovery_codes': hash },
    { $pull: { 'two_factor.recovery_codes': hash } },
  );
  return modifiedCount === 1;
}

/** Has the profile say that two-factor sign-in is off, for a user whose secret is removed. */
export async function markTwoFactorOff(db: Db, sellerId: string): Promise<void> {
  await setTwoFactorEnabled(db, sellerId, false);
}

async function setTwoFactorEnabled(db: Db, sellerId: string, enabled: boolean): Promise<void> {
  await modelsOf(db).profiles.updateOne(
    { _id: sellerId },
    { $set: { two_factor_enabled: enabled, updated_at: new Date() } },
  );
}
