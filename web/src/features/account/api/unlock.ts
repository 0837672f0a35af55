import { paths } from '../../../../../shared/contract/index.ts';
import { callApi } from '../../../lib/api.ts';

/** Unlocks a locked account by the link of a mail. @throws ApiError */
export function unlock(token: string): Promise<void> {
  return callApi<void>('POST', paths.unlock, null, { body: { token } });
}
