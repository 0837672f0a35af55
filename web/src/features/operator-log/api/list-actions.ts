import { type OperatorActionList, operatorActionListSchema, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** A page of the audit log, newest first. @param cursor null for the first page @throws ApiError */
export function listActions(cursor: string | null, signal: AbortSignal): Promise<OperatorActionList> {
  const query = new URLSearchParams({ limit: '50', ...(cursor !== null && { cursor }) });
  return callApi('GET', `${paths.operatorActions}?${query}`, operatorActionListSchema, { signal });
}
