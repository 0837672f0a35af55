import { paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Asks for a link to set a new password. @throws ApiError */
export function askPasswordReset(email: string): Promise<void> {
  return callApi<void>('POST', paths.passwordReset, null, { body: { email } });
}
