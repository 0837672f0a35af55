import { paths } from '../../../../../shared/contract/index.ts';
import { callApi } from '../../../lib/api.ts';

/** Ends the session. @throws ApiError */
export function signOut(): Promise<void> {
  return callApi<void>('DELETE', paths.session, null);
}
