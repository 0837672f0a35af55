import { z } from 'zod';
import {
  claimStripeEvent,
  markStripeEventHandled,
  postponeStripeEvent,
  recordStripeEvent,
  type StripeEventRow,
} from '#shared/data/billing/stripe-events.ts';
import type { Db } from '#shared/data/db.ts';
import { findSellerOfCustomer } from '#shared/data/profiles/billing.ts';
import { retryDue } from '#shared/platform/retry.ts';
import { idOf } from './catalogue.ts';
import { type BillingContext, nullIfMissing } from './client.ts';
import { syncBilling } from './sync.ts';

/** The lease of an event, in ms. */
const leaseMs = 60_000;

/** The types of events after which a billing state may differ. `npm run stripe:setup` registers these. */
export const eventTypes = [
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'checkout.session.async_payment_failed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.completed',
  'customer.deleted',
  'customer.updated',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'invoice.voided',
  'invoice.marked_uncollectible',
  'payment_method.attached',
  'payment_method.detached',
  'refund.created',
  'refund.failed',
  'refund.updated',
  'subscription_schedule.created',
  'subscription_schedule.updated',
  'subscription_schedule.released',
  'subscription_schedule.canceled',
  'subscription_schedule.completed',
] as const;

const id = z.string().min(1).max(255);

const reference = z.union([id, z.object({ id })]).nullish();

/** The part of an event that is used: its id, its type and the customer that it is about. */
export const eventSchema = z.object({
  id,
  type: id,
  data: z.object({
    object: z.object({
      object: z.string(),
      id: id.optional(),
      customer: reference,
      charge: reference,
    }),
  }),
});
export type ReceivedEvent = z.output<typeof eventSchema>;

/** Stores an event before it is handled. Idempotent: of a repeated event there is one row. */
export function recordEvent(db: Db, event: ReceivedEvent): Promise<void> {
  return recordStripeEvent(db, { _id: event.id, type: event.type, ...subjectOf(event) });
}

/** Whom an event is about. Nothing else of it is used; what has happened is read from Stripe. */
function subjectOf({ data: { object } }: ReceivedEvent): Pick<StripeEventRow, 'customer' | 'charge'> {
  const customer = object.object === 'customer' ? object.id : object.customer;
  return { customer: customer ? idOf(customer) : null, charge: object.charge ? idOf(object.charge) : null };
}

/**
 * Handles a stored event: reads the billing state of the seller that it is about. Idempotent, and independent of the
 * order of events.
 * @returns false when it was handled before, or another process holds its lease
 * @throws Stripe's error when it does not answer; then upkeep tries again
 */
export async function handleEvent(context: BillingContext, eventId: string): Promise<boolean> {
  const { db, log } = context;
  const event = await claimStripeEvent(db, eventId, leaseMs);
  if (!event) return false;
  try {
    const sellerId = await sellerOf(context, event);
    if (sellerId !== null) await syncBilling(context, sellerId);
    else log.info({ event: eventId, type: event.type }, 'an event about no seller');
    await markStripeEventHandled(db, eventId);
    return true;
  } catch (error) {
    await postponeStripeEvent(db, event, retryDue(event.tries));
    throw error;
  }
}

/** @returns the id of the seller whose current or former customer an event is about. A dispute names only the charge */
async function sellerOf(
  { db, billing: { stripe } }: BillingContext,
  { customer, charge: chargeId }: StripeEventRow,
): Promise<string | null> {
  if (customer !== null) return findSellerOfCustomer(db, customer);
  const charge = chargeId === null ? null : await stripe.charges.retrieve(chargeId).catch(nullIfMissing);
  return charge?.customer ? findSellerOfCustomer(db, idOf(charge.customer)) : null;
}
