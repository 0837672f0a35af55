import { type ActivityList, activityListSchema, paths } from '../../../../../shared/contract/index.ts';
import { callApi } from '../../../lib/api.ts';

/** What happened in the account lately, newest first. @throws ApiError */
export function listActivity(signal?: AbortSignal): Promise<ActivityList> {
  return callApi('GET', paths.activity, activityListSchema, { signal });
}
