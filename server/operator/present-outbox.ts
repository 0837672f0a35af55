import type { OperatorEvent, OperatorMail, OperatorWebhookCall } from '#contract';
import type { StripeEventRow } from '#shared/data/billing/stripe-events.ts';
import type { FailedMailRow } from '#shared/data/mails.ts';
import type { WebhookCallRow } from '#shared/data/operator/webhook-calls.ts';
import { type AlertNews, headingOf } from '#shared/mail/alert-message.ts';

/** A mail that failed, as operators see it: without its text. */
export function presentOperatorMail(row: FailedMailRow): OperatorMail {
  const { _id: id, kind, to, subject, created_at, attempts, failure, due_at, ended_at, has_text } = row;
  const givenUp = ended_at !== null;
  return {
    id,
    kind,
    to,
    subject,
    attempts,
    failure: failure ?? '',
    createdAt: created_at.toISOString(),
    nextTryAt: givenUp ? null : due_at.toISOString(),
    canSendAgain: givenUp && has_text,
  };
}

/** An event of Stripe, as operators see it. */
export function presentOperatorEvent(row: StripeEventRow): OperatorEvent {
  const { _id: id, type, customer, received_at, tries, due_at } = row;
  const nextTryAt = due_at?.toISOString() ?? null;
  return { id, type, customer, receivedAt: received_at.toISOString(), tries, nextTryAt };
}

/** A call of the alert webhook that failed, as operators see it. */
export function presentOperatorWebhookCall(row: WebhookCallRow): OperatorWebhookCall {
  const { _id: id, body, created_at, attempts, failure, due_at, ended_at } = row;
  const news = JSON.parse(body) as Pick<AlertNews, 'alert' | 'event' | 'details'>;
  const nextTryAt = ended_at === null ? due_at.toISOString() : null;
  return {
    id,
    title: headingOf(news),
    details: news.details,
    attempts,
    failure: failure ?? '',
    nextTryAt,
    createdAt: created_at.toISOString(),
  };
}
