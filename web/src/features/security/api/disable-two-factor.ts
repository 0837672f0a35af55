import { type PasswordAndCode, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Turns two-factor sign-in off. @throws ApiError */
export function disableTwoFactor(body: PasswordAndCode): Promise<void> {
  return callApi(
    'DELETE',
    paths.twoFactor,
    { status: 204, check: 'Reload this page to see whether two-factor sign-in is off.' },
    { body },
  );
}
