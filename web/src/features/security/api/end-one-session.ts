import { paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Ends one of the seller's sessions. @throws ApiError */
export function endOneSession(id: string): Promise<void> {
  return callApi<void>('DELETE', paths.oneSession(id), null);
}
