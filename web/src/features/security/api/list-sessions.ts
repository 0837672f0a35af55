import { paths, type SessionList, sessionListSchema } from '../../../../../shared/contract/index.ts';
import { callApi } from '../../../lib/api.ts';

/** The seller's open sessions. @throws ApiError */
export function listSessions(signal?: AbortSignal): Promise<SessionList> {
  return callApi('GET', paths.sessions, sessionListSchema, { signal });
}
