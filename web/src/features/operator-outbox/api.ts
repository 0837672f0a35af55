import {
  type OperatorEventList,
  type OperatorMailList,
  type OperatorWebhookCallList,
  operatorEventListSchema,
  operatorMailListSchema,
  operatorPaths,
  operatorWebhookCallListSchema,
} from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Mails that failed. @throws ApiError */
export function listMails(signal: AbortSignal): Promise<OperatorMailList> {
  return callApi('GET', operatorPaths.mails, operatorMailListSchema, { signal });
}

/** Sends a mail again that was given up. @throws ApiError */
export function sendMail(id: string, reason: string): Promise<OperatorMailList> {
  return callApi('POST', operatorPaths.sendMail(encodeURIComponent(id)), operatorMailListSchema, {
    body: { reason },
  });
}

/** Events of Stripe that were not handled. @throws ApiError */
export function listEvents(signal: AbortSignal): Promise<OperatorEventList> {
  return callApi('GET', operatorPaths.events, operatorEventListSchema, { signal });
}

/** Handles an event of Stripe again. @throws ApiError */
export function handleEvent(id: string, reason: string): Promise<OperatorEventList> {
  return callApi('POST', operatorPaths.handleEvent(encodeURIComponent(id)), operatorEventListSchema, {
    body: { reason },
  });
}

/** Calls of the alert webhook that failed. @throws ApiError */
export function listWebhookCalls(signal: AbortSignal): Promise<OperatorWebhookCallList> {
  return callApi('GET', operatorPaths.webhookCalls, operatorWebhookCallListSchema, { signal });
}

/** Calls the alert webhook again with what was given up. @throws ApiError */
export function callWebhook(id: string, reason: string): Promise<OperatorWebhookCallList> {
  return callApi('POST', operatorPaths.callWebhook(encodeURIComponent(id)), operatorWebhookCallListSchema, {
    body: { reason },
  });
}
