import { paths, type SetPassword } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Sets a new password with the token of a mail. @throws ApiError */
export function setPassword(body: SetPassword): Promise<void> {
  return callApi(
    'POST',
    paths.confirmPasswordReset,
    { status: 204, check: 'Try to sign in with the new password.' },
    { body },
  );
}
