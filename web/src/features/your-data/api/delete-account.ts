import { type DeleteAccount, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Deletes the account and everything that is the seller's. @throws ApiError */
export function deleteAccount(body: DeleteAccount): Promise<void> {
  return callApi<void>('POST', paths.deletion, null, { body });
}
