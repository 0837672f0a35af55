/** Moves the clock and does everything that is due, in chronological order. */
import { nextBoundary } from '../core/calendar.ts';
import type { Core } from '../core/core.ts';
import { invalidRequest } from '../errors.ts';
import type { Stored, Subscription } from '../objects.ts';
import type { ClockStep } from '../views.ts';
import { cancelNow } from './cancellation.ts';
import { expireCheckout, settleCheckoutDebit } from './checkout.ts';
import { collect, expireIncomplete, markPastDue, retryInvoice, settleDebit } from './collection.ts';
import { lastingDiscounts } from './discounts.ts';
import { issueInvoice } from './invoices.ts';
import { periodLine } from './lines.ts';
import { discardPendingUpdate, withItems } from './pending-update.ts';
import { scheduleDue } from './schedules.ts';
import { itemOf } from './subscriptions.ts';

/** The time that a step leads to, in Unix seconds. @throws StripeApiError 400 for a step backwards */
export function targetOf({ clock }: Core, step: ClockStep): number {
  const now = clock.now();
  const target =
    'to' in step ? step.to : 'months' in step ? clock.monthsLater(step.months) : now + step.seconds;
  if (!Number.isInteger(target) || target < now) {
    throw invalidRequest('The clock only moves forward.', 'to');
  }
  return target;
}

/**
 * Does everything that is due up to a time, each item at its own time and in its own transaction, and leaves the
 * clock at that time. A crash in between loses nothing: the rest is still due.
 */
export function moveClock(core: Core, target: number): void {
  for (
    let next = core.store.nextDue();
    next !== undefined && next.due <= target;
    next = core.store.nextDue()
  ) {
    const { due } = next;
    // At the same time, schedules come before renewals, so that the renewal invoice has the price of the new phase.
    const object = firstOf(core, due, next.object);
    core.clock.at(due, () =>
      core.perform(() => {
        core.clock.moveTo(due);
        doDue(core, object);
      }),
    );
  }
  core.clock.moveTo(target);
}

function firstOf(core: Core, due: number, object: Stored): Stored {
  if (object.object !== 'subscription' || object.schedule === null) return object;
  const schedule = core.store.get('subscription_schedule', object.schedule);
  return schedule !== undefined && (schedule.current_phase?.end_date ?? Infinity) <= due ? schedule : object;
}

function doDue(core: Core, object: Stored): void {
  switch (object.object) {
    case 'subscription':
      subscriptionDue(core, object);
      return;
    case 'subscription_schedule':
      scheduleDue(core, object);
      return;
    case 'invoice':
      retryInvoice(core, object);
      return;
    case 'payment_intent':
      if (object.invoice === null) settleCheckoutDebit(core, object);
      else settleDebit(core, object, object.invoice);
      return;
    case 'checkout.session':
      expireCheckout(core, object);
      return;
    default:
      throw new Error(`nothing can be due for a ${object.object}`);
  }
}

/** The longest delay that a timer supports. */
const maxTimerMs = 2 ** 31 - 1;

/** Waits until the next object is due. */
export class DueTimer {
  readonly #core: Core;
  #timer: NodeJS.Timeout | undefined;

  constructor(core: Core) {
    this.#core = core;
  }

  /** Does everything that is due now, and waits for the next. An error is logged. */
  run(): void {
    try {
      moveClock(this.#core, this.#core.now());
      this.schedule();
    } catch (error) {
      console.error('local stripe: processing due objects failed:', error);
    }
  }

  /** Starts the timer for the next due object; must be called after every change of the store. */
  schedule(): void {
    clearTimeout(this.#timer);
    const next = this.#core.store.nextDue();
    if (next === undefined) return;
    const waitMs = Math.max(0, next.due - this.#core.now()) * 1000;
    this.#timer = setTimeout(() => this.run(), Math.min(waitMs, maxTimerMs));
    this.#timer.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

/** Does what is due for a subscription now. */
function subscriptionDue(core: Core, subscription: Subscription): void {
  const now = core.now();
  const { pending_update: pending, cancel_at: cancelAt } = subscription;
  if (subscription.status === 'incomplete') expireIncomplete(core, subscription);
  else if (pending !== null && pending.expires_at <= now) discardPendingUpdate(core, subscription.id);
  else if (cancelAt !== null && cancelAt <= now) cancelNow(core, subscription.id);
  else renew(core, subscription);
}

/**
 * Starts the next period and invoices it in advance. The end of a trial starts the first paid period in the same way.
 */
function renew(core: Core, subscription: Subscription): void {
  const before = itemOf(subscription);
  const start = before.current_period_end;
  const end = nextBoundary(subscription.billing_cycle_anchor, start);
  const item = { ...before, current_period_start: start, current_period_end: end };
  const renewed: Subscription = {
    ...subscription,
    ...withItems(subscription, [item]),
    status: subscription.status === 'trialing' ? 'active' : subscription.status,
  };
  const invoice = issueInvoice(core, {
    subscription: renewed,
    reason: 'subscription_cycle',
    lines: [periodLine(core, renewed, item, { start, end })],
    period: { start: before.current_period_start, end: start },
  });
  core.change(
    subscription,
    {
      items: renewed.items,
      status: renewed.status,
      latest_invoice: invoice.id,
      discounts: lastingDiscounts(core, renewed),
    },
    'customer.subscription.updated',
  );
  const collection = collect(core, invoice, { presence: 'off-session' });
  const { outcome } = collection.result;
  if (outcome !== 'paid' && outcome !== 'processing') markPastDue(core, collection.invoice);
}
