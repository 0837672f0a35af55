import { type DeleteAccount, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Deletes the account and all of the seller's data. @throws ApiError */
export function deleteAccount(body: DeleteAccount): Promise<void> {
  return callApi<void>('POST', paths.deletion, null, { body });
}
