import { type ActivityList, activityListSchema, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** The account's activity log, newest first. @throws ApiError */
export function listActivity(signal?: AbortSignal): Promise<ActivityList> {
  return callApi('GET', paths.activity, activityListSchema, { signal });
}
