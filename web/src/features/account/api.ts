import { type ConfirmEmail, pages, paths, type SetPassword, type SignUp } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Signs up. A mail is always sent, so the reply does not reveal whether the address has an account. @throws ApiError */
export function signUp(body: SignUp): Promise<void> {
  return callApi(
    'POST',
    paths.accounts,
    { status: 202, check: 'Look for our mail before you try again.' },
    { body },
  );
}

/** Requests another verification link. @throws ApiError */
export function resendVerification(email: string): Promise<void> {
  return callApi(
    'POST',
    paths.verification,
    { status: 202, check: 'Look for our mail before you try again.' },
    { body: { email } },
  );
}

/** Requests a link to set a new password. @throws ApiError */
export function requestPasswordReset(email: string): Promise<void> {
  return callApi(
    'POST',
    paths.passwordReset,
    { status: 202, check: 'Look for our mail before you try again.' },
    { body: { email } },
  );
}

/** Sets a new password with the token of a mail. @throws ApiError */
export function setPassword(body: SetPassword): Promise<void> {
  return callApi(
    'POST',
    paths.confirmPasswordReset,
    { status: 204, check: 'Try to sign in with the new password.' },
    { body },
  );
}

/** Unlocks a locked account with the token of a mail. @throws ApiError */
export function unlock(token: string): Promise<void> {
  return callApi('POST', paths.unlock, { status: 204, check: 'Try to sign in.' }, { body: { token } });
}

/** Confirms a new address with the token of a mail. @throws ApiError; CODE_REQUIRED if two-factor sign-in is on */
export function confirmEmail(body: ConfirmEmail): Promise<void> {
  return callApi(
    'POST',
    paths.confirmEmail,
    { status: 204, check: 'Your profile shows which email your account has.' },
    { body },
  );
}

/** Confirms with the token of a mail that mail arrives at an address again. @throws ApiError */
export function confirmReachable(token: string): Promise<void> {
  return callApi(
    'POST',
    paths.confirmReachable,
    { status: 204, check: 'Open your account settings: they say whether our email reaches you.' },
    { body: { token } },
  );
}

/** Undoes a change of email with the token of a mail, and sets a new password. @throws ApiError */
export function undoEmail(body: SetPassword): Promise<void> {
  return callApi(
    'POST',
    paths.undoEmail,
    { status: 204, check: 'Try to sign in with your old email and the new password.' },
    { body },
  );
}

/** Turns mails of one kind off with the token of such a mail. @throws ApiError */
export function unsubscribe(token: string): Promise<void> {
  const check = 'Open your settings: they say whether these emails are on.';
  return callApi('POST', `${pages.unsubscribe}?${new URLSearchParams({ token })}`, { status: 202, check });
}

/** Keeps two-factor sign-in, which support is to turn off, with the token of a mail. @throws ApiError */
export function keepTwoFactor(token: string): Promise<void> {
  const check = 'Sign in with a code: that keeps two-factor sign-in as well.';
  return callApi('POST', paths.keepTwoFactor, { status: 204, check }, { body: { token } });
}
