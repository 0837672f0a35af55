import { type PlanId, paths, type SubscribeReply, subscribeReplySchema } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Begins a subscription, or changes it to this plan. @returns where to pay, or the changed one. @throws ApiError */
export function subscribe(planId: PlanId): Promise<SubscribeReply> {
  return callApi('POST', paths.subscribe, subscribeReplySchema, { body: { planId } });
}
