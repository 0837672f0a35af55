import { paths, type SignUp } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Signs up; what comes next is in a mail, whether or not the address has an account. @throws ApiError */
export function signUp(body: SignUp): Promise<void> {
  return callApi<void>('POST', paths.accounts, null, { body });
}
