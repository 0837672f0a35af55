import { paths, type SignUp } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Signs up. A mail is always sent, so the reply does not reveal whether the address has an account. @throws ApiError */
export function signUp(body: SignUp): Promise<void> {
  return callApi(
    'POST',
    paths.accounts,
    { status: 202, check: 'Look for our mail before you try again.' },
    { body },
  );
}
