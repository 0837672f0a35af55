import { type ChangeEmail, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Requests a change of email; a link is sent to the new address. @throws ApiError */
export function changeEmail(body: ChangeEmail): Promise<void> {
  return callApi<void>('POST', paths.email, null, { body });
}
