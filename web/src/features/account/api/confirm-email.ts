import { paths } from '../../../../../shared/contract/index.ts';
import { callApi } from '../../../lib/api.ts';

/** Moves an account to its new address by the link of a mail. @throws ApiError */
export function confirmEmail(token: string): Promise<void> {
  return callApi<void>('POST', paths.confirmEmail, null, { body: { token } });
}
