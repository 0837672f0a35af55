import {
  type OperatorEventList,
  type OperatorMailList,
  operatorEventListSchema,
  operatorMailListSchema,
  paths,
} from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Mails that failed. @throws ApiError */
export function listMails(signal: AbortSignal): Promise<OperatorMailList> {
  return callApi('GET', paths.operatorMails, operatorMailListSchema, { signal });
}

/** Sends a mail again that was given up. @throws ApiError */
export function sendMail(id: string, reason: string): Promise<OperatorMailList> {
  return callApi('POST', paths.operatorSendMail(encodeURIComponent(id)), operatorMailListSchema, {
    body: { reason },
  });
}

/** Events of Stripe that were not handled. @throws ApiError */
export function listEvents(signal: AbortSignal): Promise<OperatorEventList> {
  return callApi('GET', paths.operatorEvents, operatorEventListSchema, { signal });
}

/** Handles an event of Stripe again. @throws ApiError */
export function handleEvent(id: string, reason: string): Promise<OperatorEventList> {
  return callApi('POST', paths.operatorHandleEvent(encodeURIComponent(id)), operatorEventListSchema, {
    body: { reason },
  });
}
