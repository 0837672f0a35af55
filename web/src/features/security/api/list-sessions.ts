import { paths, type SessionList, sessionListSchema } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** The seller's sessions. @throws ApiError */
export function listSessions(signal?: AbortSignal): Promise<SessionList> {
  return callApi('GET', paths.sessions, sessionListSchema, { signal });
}
