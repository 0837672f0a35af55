import { type OperatorActionList, operatorActionListSchema, operatorPaths } from '#contract';
import { callApi } from '#web/lib/api.ts';

interface ActionPage {
  target: string | undefined;
  /** Null for the first page. */
  cursor: string | null;
}

/** A page of the audit log, newest first. @throws ApiError */
export function listActions(
  { target, cursor }: ActionPage,
  signal: AbortSignal,
): Promise<OperatorActionList> {
  const query = new URLSearchParams({ limit: '50' });
  if (target !== undefined) query.set('target', target);
  if (cursor !== null) query.set('cursor', cursor);
  return callApi('GET', `${operatorPaths.actions}?${query}`, operatorActionListSchema, { signal });
}
