import { type ChangePassword, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Changes the password, and ends the seller's other sessions. @throws ApiError */
export function changePassword(body: ChangePassword): Promise<void> {
  return callApi<void>('POST', paths.password, null, { body });
}
