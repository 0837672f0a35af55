import { type ChangeEmail, paths } from '../../../../../shared/contract/index.ts';
import { callApi } from '../../../lib/api.ts';

/** Asks to move to another address; a link goes there. @throws ApiError */
export function changeEmail(body: ChangeEmail): Promise<void> {
  return callApi<void>('POST', paths.email, null, { body });
}
