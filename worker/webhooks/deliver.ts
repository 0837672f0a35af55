import { limits, pages } from '#contract';
import { findProfile } from '#shared/data/profiles/find.ts';
import { accountOf } from '#shared/data/test-seller.ts';
import { endWaiting, recordTry, type WebhookDeliveryRow } from '#shared/data/webhooks/deliveries.ts';
import {
  recordWebhookFailure,
  recordWebhookSuccess,
  secretsAt,
  switchOff,
  type WebhookEndpointRow,
} from '#shared/data/webhooks/endpoints.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';
import { webhookAttempts } from '#shared/metrics/metrics.ts';
import type { Outbound } from '#shared/outbound/outbound.ts';
import { createSeal } from '#shared/platform/seal.ts';
import { webhookHeaders } from '#shared/webhooks/signature.ts';
import type { WorkerContext } from '#worker/context.ts';
import {
  type Answer,
  answerOf,
  answerOfError,
  failingAfter,
  hasFailedTooLong,
  nextTry,
  restMs,
} from './outcome.ts';

export type DeliveryContext = Pick<WorkerContext, 'config' | 'db' | 'relay' | 'log'>;

/** Bytes of an answer that are kept. */
const replyBytes = 1_024;

/**
 * Sends an event to its endpoint, and records what came of it. The time and the signatures are those of this try.
 * @param signal aborted when this worker closes: then nothing is recorded, and another one tries
 * @returns whether it was delivered; otherwise the endpoint rests, or is off
 * @throws the reason of `signal`
 */
export async function deliver(
  context: DeliveryContext,
  outbound: Outbound,
  endpoint: WebhookEndpointRow,
  delivery: WebhookDeliveryRow,
  signal: AbortSignal,
): Promise<boolean> {
  const { db } = context;
  const at = new Date();
  const answer = await send(context, outbound, endpoint, delivery, at, signal);
  const now = new Date();
  const isGone = answer.status === 410;
  const next = answer.failure === null || isGone ? null : nextTry(delivery.attempts, answer, now.getTime());
  const made = {
    at,
    milliseconds: now.getTime() - at.getTime(),
    status: answer.status,
    failure: answer.failure,
    reply: answer.reply,
  };
  await recordTry(db, delivery, made, answer.failure === null ? 'delivered' : (next ?? 'failed'));
  webhookAttempts.inc({ outcome: answer.failure === null ? 'delivered' : next ? 'postponed' : 'given_up' });
  if (answer.failure === null) {
    await recordWebhookSuccess(db, endpoint);
    return true;
  }
  const failing = failingAfter(endpoint.failing, now);
  const rest = restMs(failing.tries, answer, now.getTime());
  const restUntil = new Date(now.getTime() + rest);
  if (!(await recordWebhookFailure(db, endpoint, failing, restUntil))) return false;
  if (isGone || hasFailedTooLong(failing))
    await giveUp(context, endpoint, isGone ? 'gone' : 'failing', failing.since);
  return false;
}

async function send(
  { config }: DeliveryContext,
  outbound: Outbound,
  endpoint: WebhookEndpointRow,
  { event, body }: WebhookDeliveryRow,
  at: Date,
  signal: AbortSignal,
): Promise<Answer> {
  const seal = createSeal(config.webhooks.keys);
  const secrets = secretsAt(endpoint, at).map((each) => seal.open(each, endpoint._id));
  const headers = { ...webhookHeaders(secrets, { id: event, at, body }), 'content-type': 'application/json' };
  try {
    return answerOf(await outbound.post(endpoint.url, { headers, body, mostBytes: replyBytes, signal }));
  } catch (error) {
    return answerOfError(error);
  }
}

/** Switches an endpoint off and tells its seller. The mail first, once: after a crash another try comes here again. */
async function giveUp(
  { db, relay, config }: DeliveryContext,
  { _id: id, profile: sellerId, url }: WebhookEndpointRow,
  reason: 'gone' | 'failing',
  since: Date,
): Promise<void> {
  const profile = await findProfile(db, accountOf(sellerId));
  if (profile) {
    const details = {
      fullName: profile.full_name,
      host: new URL(url).host,
      reason,
      days: limits.webhookFailingDays,
      link: config.linkUrl + pages.apiKeys,
    };
    const options = { id: `webhook-off-${id}-${since.getTime()}` };
    await enqueueMail(db, relay, 'webhookOff', profile.email, details, options);
  }
  await switchOff(db, id, reason);
  await endWaiting(db, id);
}
