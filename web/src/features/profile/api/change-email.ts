import { type ChangeEmail, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Asks to move to another address; a link goes there. @throws ApiError */
export function changeEmail(body: ChangeEmail): Promise<void> {
  return callApi<void>('POST', paths.email, null, { body });
}
