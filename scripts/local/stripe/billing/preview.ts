/** The invoice that a subscription would get next, or that a change would create at once. Nothing is stored. */
import { nextBoundary } from '../core/calendar.ts';
import { type Core, newId } from '../core/core.ts';
import { invalidRequest, StripeApiError } from '../errors.ts';
import type { Invoice } from '../invoice-objects.ts';
import type { Phase, Price, Subscription } from '../objects.ts';
import { type PlannedCancellation, plannedCancellation } from './cancellation.ts';
import { type ProrationBehavior, previewChangeInvoice } from './change.ts';
import { chosenDiscounts, type DiscountChoice } from './discounts.ts';
import { draftInvoice } from './invoices.ts';
import { periodLine } from './lines.ts';
import { isRunning, itemOf } from './subscriptions.ts';

/** What is previewed: the next invoice after a change, if one is given. */
interface PreviewParams extends PlannedCancellation {
  subscription: string;
  price?: Price | undefined;
  prorationBehavior?: ProrationBehavior | undefined;
  /** In Unix seconds. */
  prorationDate?: number | undefined;
  /** Instead of the subscription's discounts. */
  discounts?: readonly DiscountChoice[] | undefined;
}

/**
 * A change that is invoiced at once has its prorations only. Otherwise it is the invoice of the renewal.
 * @throws StripeApiError 404 when there will be none, because the subscription has ended or will
 */
export function previewInvoice(core: Core, params: PreviewParams): Invoice {
  const { discounts, price, prorationBehavior, prorationDate } = params;
  const subscription = core.getOrThrow('subscription', params.subscription, 'subscription');
  if (!isRunning(subscription)) throw noUpcomingInvoice(subscription);
  if (prorationDate !== undefined && price === undefined) {
    throw invalidRequest(
      'subscription_details[proration_date] needs subscription_details[items].',
      'subscription_details[proration_date]',
    );
  }
  const planned: Subscription = {
    ...subscription,
    ...plannedCancellation(core, subscription, params),
    ...(discounts && { discounts: chosenDiscounts(core, subscription, discounts) }),
  };
  const immediate = price && previewChangeInvoice(core, planned, { price, prorationBehavior, prorationDate });
  if (immediate === undefined) return previewRenewal(core, planned, price);
  const parent = immediate.parent!;
  return {
    ...immediate,
    id: newId('upcoming_in'),
    billing_reason: 'upcoming',
    parent: {
      ...parent,
      subscription_details: {
        ...parent.subscription_details,
        subscription_proration_date: prorationDate ?? core.now(),
      },
    },
  };
}

function previewRenewal(core: Core, subscription: Subscription, changed: Price | undefined): Invoice {
  const before = itemOf(subscription);
  const { current_period_start, current_period_end: start } = before;
  if (subscription.cancel_at !== null && subscription.cancel_at <= start) {
    throw noUpcomingInvoice(subscription);
  }
  const end = nextBoundary(subscription.billing_cycle_anchor, start);
  const phase = phaseAt(core, subscription, start);
  // A phase that begins with the renewal has its own price, whatever changes before.
  const price =
    phase === undefined ? (changed ?? before.price) : core.getOrThrow('price', phase.items[0].price);
  const renewed: Subscription =
    phase === undefined
      ? subscription
      : {
          ...subscription,
          automatic_tax: phase.automatic_tax,
          discounts: phase.discounts.map(({ discount }) => discount),
        };
  const item = { ...before, price, current_period_start: start, current_period_end: end };
  const draft = draftInvoice(core, {
    subscription: renewed,
    reason: 'upcoming',
    lines: [periodLine(core, renewed, item, { start, end })],
    period: { start: current_period_start, end: start },
  });
  return { ...draft, id: newId('upcoming_in'), created: start, next_payment_attempt: start + 3_600 };
}

/** The phase of the subscription's schedule that begins at a time. */
function phaseAt(core: Core, { schedule }: Subscription, at: number): Phase | undefined {
  if (schedule === null) return undefined;
  return core
    .getOrThrow('subscription_schedule', schedule)
    .phases.find(({ start_date: start }) => start === at);
}

function noUpcomingInvoice({ customer }: Subscription): StripeApiError {
  return new StripeApiError(404, {
    type: 'invalid_request_error',
    code: 'invoice_upcoming_none',
    message: `No upcoming invoices for customer: ${customer}`,
  });
}
