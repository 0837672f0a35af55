import { type PasswordAndCode, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Turns two-factor sign-in off. @throws ApiError */
export function disableTwoFactor(body: PasswordAndCode): Promise<void> {
  return callApi<void>('DELETE', paths.twoFactor, null, { body });
}
