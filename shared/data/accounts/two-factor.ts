import type { Db } from '#shared/data/db.ts';
import { modelsOf } from '#shared/data/models.ts';

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
    {
      $set: {
        two_factor: {
          secret: stored,
          last_step: step,
          recovery_codes: recoveryCodeHashes,
          since: new Date(),
        },
        two_factor_setup: null,
      },
    },
  );
  if (matchedCount === 0) return false;
  await setTwoFactorEnabled(db, sellerId, true);
  return true;
}

/** Turns two-factor sign-in off and removes the secret. */
export async function turnTwoFactorOff(db: Db, sellerId: string): Promise<void> {
  // In this order: a crash in between must not leave a profile that asks for codes of a removed secret.
  await setTwoFactorEnabled(db, sellerId, false);
  await modelsOf(db).users.updateOne({ _id: sellerId }, { $set: { two_factor: null } });
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

async function setTwoFactorEnabled(db: Db, sellerId: string, enabled: boolean): Promise<void> {
  await modelsOf(db).profiles.updateOne(
    { _id: sellerId },
    { $set: { two_factor_enabled: enabled, updated_at: new Date() } },
  );
}
