import { type ChangePassword, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Changes the password, and ends the seller's other sessions. @throws ApiError */
export function changePassword(body: ChangePassword): Promise<void> {
  return callApi(
    'POST',
    paths.password,
    { status: 204, check: 'Sign out and in again to see which password is yours.' },
    { body },
  );
}
