import {
  claimWebhookCall,
  delayWebhookCall,
  endWebhookCall,
  type WebhookCallRow,
} from '#shared/data/operator/webhook-calls.ts';
import { retryDelayMs } from '#shared/platform/retry.ts';
import type { WatchContext } from './context.ts';

/** How long the receiver may take to answer, in ms. */
const answerMs = 10_000;
/** Lease of a call, in ms: longer than it may take. */
const leaseMs = 60_000;
/** Age at which a call that was not accepted is given up, in ms. */
const maxAgeMs = 86_400_000;
/** Calls that one round sends at most. */
const mostCalls = 20;

/**
 * Sends one body to the webhook. A redirection is not followed.
 * @throws Error that says why it was not accepted; it does not contain the URL, which may be a secret
 */
export async function postToWebhook(url: string, id: string, body: string): Promise<void> {
  let response: Response;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': id },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(answerMs),
    });
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } };
    throw new Error(name === 'TimeoutError' ? 'no answer in time' : (cause?.code ?? 'no connection'));
  }
  await response.body?.cancel();
  if (!response.ok) throw new Error(`answered ${response.status}`);
}

/** Sends the calls of the webhook that are due. Delivery is at-least-once. @returns how many were accepted */
export async function sendWebhookCalls({ db, log, config }: WatchContext): Promise<number> {
  const { webhookUrl } = config.alerts;
  if (webhookUrl === undefined) return 0;
  let accepted = 0;
  for (let sent = 0; sent < mostCalls; sent += 1) {
    const call = await claimWebhookCall(db, leaseMs);
    if (!call) break;
    try {
      await postToWebhook(webhookUrl, call._id, call.body);
    } catch (error) {
      await retryOrGiveUp({ db, log }, call, (error as Error).message);
      continue;
    }
    await endWebhookCall(db, call, null);
    accepted += 1;
  }
  return accepted;
}

async function retryOrGiveUp(
  { db, log }: Pick<WatchContext, 'db' | 'log'>,
  call: WebhookCallRow,
  failure: string,
): Promise<void> {
  if (Date.now() - call.created_at.getTime() > maxAgeMs) {
    log.error({ call: call._id, failure }, 'a call of the alert webhook was given up');
    return endWebhookCall(db, call, failure);
  }
  const delayMs = retryDelayMs(call.attempts);
  log.warn({ call: call._id, failure, delayMs }, 'a call of the alert webhook is tried again later');
  return delayWebhookCall(db, call, delayMs, failure);
}
