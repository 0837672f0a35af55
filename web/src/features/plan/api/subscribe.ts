import { paths, type Subscribe, type SubscribeReply, subscribeReplySchema } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Subscribes, or changes the plan. @returns the checkout's URL, or the changed subscription @throws ApiError */
export function subscribe(body: Subscribe): Promise<SubscribeReply> {
  return callApi('POST', paths.subscribe, subscribeReplySchema, { body });
}
