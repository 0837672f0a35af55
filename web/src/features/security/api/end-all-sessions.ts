import { paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Ends all of the seller's sessions, including this one. @throws ApiError */
export function endAllSessions(): Promise<void> {
  return callApi('DELETE', paths.sessions, {
    status: 204,
    check: 'Reload this page to see where you are signed in.',
  });
}
