import { type ChangePassword, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Changes the password; other sessions end. @throws ApiError */
export function changePassword(body: ChangePassword): Promise<void> {
  return callApi<void>('POST', paths.password, null, { body });
}
