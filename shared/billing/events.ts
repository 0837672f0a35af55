import { z } from 'zod';
import { type Data, isDuplicateKey } from '../data/connect.ts';
import { idOf } from './catalogue.ts';
import type { BillingContext } from './client.ts';
import { syncBilling } from './sync.ts';

/** How long one who sees to an event has it for themselves, in ms; after that they are taken for dead. */
const busyMs = 60_000;

/** The events that tell of something we show or count. `npm run stripe:setup` asks Stripe for these. */
export const eventTypes = [
  'checkout.session.completed',
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
  'subscription_schedule.created',
  'subscription_schedule.updated',
  'subscription_schedule.released',
  'subscription_schedule.canceled',
  'subscription_schedule.completed',
] as const;

const id = z.string().min(1).max(255);

/** What is read of an event: its id, and whom it is about. */
export const eventSchema = z.object({
  id,
  type: id,
  data: z.object({
    object: z.object({
      object: z.string(),
      id: id.optional(),
      customer: z.union([id, z.object({ id })]).nullish(),
    }),
  }),
});
export type StripeNotice = z.output<typeof eventSchema>;

/** Keeps an event before anything is done about it; of a repeated one there is still one row. */
export async function keepEvent(data: Data, event: StripeNotice): Promise<void> {
  try {
    await data.stripeEvents.create({
      _id: event.id,
      type: event.type,
      customer: customerOf(event),
      received_at: new Date(),
    });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

/** Whom an event is about: all that is taken from it. What happened is asked of Stripe. */
function customerOf({ data: { object: about } }: StripeNotice): string | null {
  if (about.object === 'customer') return about.id ?? null;
  return about.customer ? idOf(about.customer) : null;
}

/**
 * Sees to a kept event: the seller's plan and balance follow what Stripe says now. Replaying does no harm, nor does the
 * order of events.
 * @returns false when it was seen to before, or somebody is seeing to it
 * @throws Stripe's error when it does not answer; then it is tried again
 */
export async function handleEvent(context: BillingContext, eventId: string): Promise<boolean> {
  const { data, log } = context;
  const now = new Date();
  const event = await data.stripeEvents
    .findOneAndUpdate(
      {
        _id: eventId,
        handled_at: null,
        $or: [{ busy_until: null }, { busy_until: { $lt: now } }],
      },
      { $set: { busy_until: new Date(now.getTime() + busyMs) } },
    )
    .lean();
  if (!event) return false;
  try {
    const seller =
      event.customer === null
        ? null
        : await data.profiles.findOne({ stripe_customer_id: event.customer }).select({ _id: 1 }).lean();
    if (seller) await syncBilling(context, seller._id);
    else log.info({ event: eventId, type: event.type }, 'an event about nobody we know');
    await data.stripeEvents.updateOne({ _id: eventId }, { $set: { handled_at: new Date() } });
    return true;
  } catch (error) {
    await data.stripeEvents.updateOne({ _id: eventId }, { $set: { busy_until: null } });
    throw error;
  }
}

/** Sees to events whose handling failed or whose process died. @returns how many */
export async function handleLeftEvents(context: BillingContext, before: Date, most: number): Promise<number> {
  const left = await context.data.stripeEvents
    .find({ handled_at: null, received_at: { $lt: before } })
    .sort({ received_at: 1 })
    .limit(most)
    .lean();
  let handled = 0;
  for (const { _id } of left) if (await handleEvent(context, _id)) handled += 1;
  return handled;
}
