import { z } from 'zod';
import { type Db, isDuplicateKey } from '#shared/data/db.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import type { StripeEventRow } from '#shared/data/stripe-events.ts';
import { retryDue } from '#shared/platform/retry.ts';
import { idOf } from './catalogue.ts';
import { type BillingContext, nullIfMissing } from './client.ts';
import { syncBilling } from './sync.ts';

/** How long one who sees to an event has it for themselves, in ms; after that they are taken for dead. */
const busyMs = 60_000;

/** The events that tell of something we show or count. `npm run stripe:setup` asks Stripe for these. */
export const eventTypes = [
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
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

/** What is read of an event: its id, and whom it is about. */
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

/** Keeps an event before anything is done about it; of a repeated one there is still one row. */
export async function keepEvent(db: Db, event: ReceivedEvent): Promise<void> {
  try {
    await db.stripeEvents.create({
      _id: event.id,
      type: event.type,
      ...subjectOf(event),
      received_at: new Date(),
    });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

/** Whom an event is about: all that is taken from it. What happened is asked of Stripe. */
function subjectOf({ data: { object: about } }: ReceivedEvent): Pick<StripeEventRow, 'customer' | 'charge'> {
  const customer = about.object === 'customer' ? about.id : about.customer;
  return { customer: customer ? idOf(customer) : null, charge: about.charge ? idOf(about.charge) : null };
}

/**
 * Sees to a kept event: the seller's plan and balance follow what Stripe says now. Replaying does no harm, nor does the
 * order of events.
 * @returns false when it was seen to before, or somebody is seeing to it
 * @throws Stripe's error when it does not answer; then it is tried again
 */
export async function handleEvent(context: BillingContext, eventId: string): Promise<boolean> {
  const { db, log } = context;
  const now = new Date();
  const event = await db.stripeEvents
    .findOneAndUpdate(
      {
        _id: eventId,
        handled_at: null,
        $or: [{ lease_until: null }, { lease_until: { $lt: now } }],
      },
      { $set: { lease_until: new Date(now.getTime() + busyMs) }, $inc: { tries: 1 } },
      { returnDocument: 'after' },
    )
    .lean();
  if (!event) return false;
  try {
    const seller = await sellerOf(context, event);
    if (seller) await syncBilling(context, seller._id);
    else log.info({ event: eventId, type: event.type }, 'an event about nobody we know');
    await db.stripeEvents.updateOne({ _id: eventId }, { $set: { handled_at: new Date() } });
    return true;
  } catch (error) {
    await db.stripeEvents.updateOne(
      { _id: eventId },
      { $set: { lease_until: null, due_at: retryDue(event.tries) } },
    );
    throw error;
  }
}

/** Whose customer an event is about, also one that Stripe has no more. A dispute names only the charge. */
async function sellerOf(
  { db, billing: { stripe } }: BillingContext,
  { customer, charge }: StripeEventRow,
): Promise<Pick<ProfileRow, '_id'> | null> {
  const paidBy =
    customer === null && charge !== null ? await stripe.charges.retrieve(charge).catch(nullIfMissing) : null;
  const about = customer ?? (paidBy?.customer ? idOf(paidBy.customer) : null);
  if (about === null) return null;
  return db.profiles
    .findOne({ $or: [{ stripe_customer_id: about }, { former_customers: about }] })
    .select({ _id: 1 })
    .lean();
}
