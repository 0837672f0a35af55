import {
  type OperatorQueueAction,
  type OperatorQueueView,
  operatorPaths,
  operatorQueueSchema,
} from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Pauses, resumes or drains the queue, or runs its failed jobs again. @throws ApiError */
export function steerQueue(action: OperatorQueueAction, reason: string): Promise<OperatorQueueView> {
  return callApi('POST', operatorPaths.queueAction(action), operatorQueueSchema, { body: { reason } });
}
