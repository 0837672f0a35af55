import { type ConfirmEmail, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Confirms a new address with the token of a mail. @throws ApiError; CODE_REQUIRED if two-factor sign-in is on */
export function confirmEmail(body: ConfirmEmail): Promise<void> {
  return callApi(
    'POST',
    paths.confirmEmail,
    { status: 204, check: 'Your profile shows which email your account has.' },
    { body },
  );
}
