import { paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Ends one of the seller's sessions. @throws ApiError */
export function endOneSession(id: string): Promise<void> {
  return callApi('DELETE', paths.oneSession(id), {
    status: 204,
    check: 'Reload this page to see where you are signed in.',
  });
}
