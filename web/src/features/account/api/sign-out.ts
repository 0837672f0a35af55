import { paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Ends the session. @throws ApiError */
export function signOut(): Promise<void> {
  return callApi('DELETE', paths.session, {
    status: 204,
    check: 'Reload this page: if it shows your account, you are still signed in.',
  });
}
