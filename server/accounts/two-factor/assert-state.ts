import { factorsOf } from '#shared/data/accounts/two-factor.ts';
import type { Db } from '#shared/data/db.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { findUser, type UserRow } from '#shared/data/users.ts';
import { AppError } from '#shared/platform/errors.ts';
import { hasTwoFactor } from './two-factor.ts';

/** @throws AppError TWO_FACTOR_ON or TWO_FACTOR_OFF unless two-factor sign-in is in the expected state */
export async function assertTwoFactorState(db: Db, sellerId: string, expected: 'on' | 'off'): Promise<void> {
  const [user, profile] = await Promise.all([findUser(db, sellerId), findProfile(db, sellerId)]);
  if (!user || !profile) throw new AppError('UNAUTHENTICATED');
  const state = hasTwoFactor(user, profile) ? 'on' : 'off';
  if (state !== expected) throw new AppError(state === 'on' ? 'TWO_FACTOR_ON' : 'TWO_FACTOR_OFF');
}

/**
 * @returns whether two-factor sign-in is on, with passkeys
 * @throws AppError TWO_FACTOR_ON if there is an authenticator app already
 */
export async function assertNoApp(db: Db, user: Pick<UserRow, '_id' | 'two_factor'>): Promise<boolean> {
  const profile = await findProfile(db, user._id);
  if (!profile) throw new AppError('UNAUTHENTICATED');
  const on = hasTwoFactor(user, profile);
  if (on && factorsOf(user).app) throw new AppError('TWO_FACTOR_ON');
  return on;
}
