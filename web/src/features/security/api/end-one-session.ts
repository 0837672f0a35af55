import { paths } from '../../../../../shared/contract/index.ts';
import { callApi } from '../../../lib/api.ts';

/** Ends one of the seller's sessions. @throws ApiError */
export function endOneSession(id: string): Promise<void> {
  return callApi<void>('DELETE', paths.oneSession(id), null);
}
