import { factorsOf } from '#shared/data/accounts/two-factor.ts';
import type { UserRow } from '#shared/data/accounts/users.ts';
import { AppError } from '#shared/platform/errors.ts';

/** @returns the error that asks for a second factor, and says what the account has. Only for those who gave the password */
export function codeRequired(user: Pick<UserRow, 'two_factor'>): AppError {
  const { app, passkeys } = factorsOf(user);
  if (passkeys.length === 0) return new AppError('CODE_REQUIRED', { factors: ['app'] });
  return new AppError('CODE_REQUIRED', {
    factors: app ? ['app', 'passkey'] : ['passkey'],
    message: app
      ? 'Please use your passkey, or enter the code from your authenticator app or a recovery code.'
      : 'Please use your passkey, or enter a recovery code.',
  });
}
