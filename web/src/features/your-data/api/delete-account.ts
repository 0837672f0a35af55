import { type DeleteAccount, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Deletes the account and all of the seller's data. @throws ApiError */
export function deleteAccount(body: DeleteAccount): Promise<void> {
  return callApi(
    'POST',
    paths.deletion,
    {
      status: 204,
      check: 'Reload this page: if it shows your account, it is still there, and so is your plan.',
    },
    { body },
  );
}
