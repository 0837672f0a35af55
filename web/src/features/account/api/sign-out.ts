import { paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Ends the session. @throws ApiError */
export function signOut(): Promise<void> {
  return callApi<void>('DELETE', paths.session, null);
}
