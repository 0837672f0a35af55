import { paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Requests a link to set a new password. @throws ApiError */
export function requestPasswordReset(email: string): Promise<void> {
  return callApi(
    'POST',
    paths.passwordReset,
    { status: 202, check: 'Look for our mail before you try again.' },
    { body: { email } },
  );
}
