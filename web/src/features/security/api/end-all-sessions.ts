import { paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Ends every session of the seller, this one too. @throws ApiError */
export function endAllSessions(): Promise<void> {
  return callApi<void>('DELETE', paths.sessions, null);
}
