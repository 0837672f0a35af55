import { paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Requests a link to set a new password. @throws ApiError */
export function requestPasswordReset(email: string): Promise<void> {
  return callApi<void>('POST', paths.passwordReset, null, { body: { email } });
}
