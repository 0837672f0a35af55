/** Subscription schedules: a change of price at the end of the period. */
import { addMonths, nextBoundary } from '../core/calendar.ts';
import { type Core, newId } from '../core/core.ts';
import { invalidRequest } from '../errors.ts';
import type { Phase, Price, Subscription, SubscriptionItem, SubscriptionSchedule } from '../objects.ts';
import { itemWith, withItems } from './pending-update.ts';
import { itemOf } from './subscriptions.ts';

/** Creates a schedule for a running subscription, with one phase that describes its current state. */
export function createSchedule(core: Core, subscriptionId: string): SubscriptionSchedule {
  const subscription = core.getOrThrow('subscription', subscriptionId, 'from_subscription');
  if (subscription.schedule !== null) {
    throw invalidRequest('The subscription already has a schedule.', 'from_subscription');
  }
  if (!['active', 'trialing', 'past_due'].includes(subscription.status)) {
    throw invalidRequest(`A ${subscription.status} subscription cannot be scheduled.`, 'from_subscription');
  }
  if (subscription.cancel_at !== null) {
    throw invalidRequest('The subscription is set to end.', 'from_subscription');
  }
  const item = itemOf(subscription);
  const phase = phaseOf(
    item.price,
    item.current_period_start,
    item.current_period_end,
    'create_prorations',
    settingsOf(subscription),
  );
  const schedule: SubscriptionSchedule = {
    id: newId('sub_sched'),
    object: 'subscription_schedule',
    canceled_at: null,
    created: core.now(),
    current_phase: { start_date: phase.start_date, end_date: phase.end_date },
    customer: subscription.customer,
    end_behavior: 'release',
    metadata: {},
    phases: [phase],
    released_at: null,
    released_subscription: null,
    status: 'active',
    subscription: subscription.id,
  };
  core.create(schedule, 'subscription_schedule.created');
  core.change(subscription, { schedule: schedule.id }, 'customer.subscription.updated');
  return schedule;
}

/** What a phase sets in the subscription, besides its price. */
export interface PhaseSettings {
  automatic_tax: { enabled: boolean };
  default_payment_method: string | null;
  /** Ids of the subscription's discounts. */
  discounts: string[];
  metadata: Record<string, string>;
  /** In Unix seconds. */
  trial_end: number | null;
}

const noSettings: PhaseSettings = {
  automatic_tax: { enabled: false },
  default_payment_method: null,
  discounts: [],
  metadata: {},
  trial_end: null,
};

/** What a subscription has now. */
export function settingsOf(subscription: Subscription): PhaseSettings {
  const { automatic_tax, default_payment_method, discounts, metadata, trial_end } = subscription;
  return { automatic_tax, default_payment_method, discounts, metadata, trial_end };
}

/** A phase begins, or the current one is replaced: the subscription has its settings. Only metadata is merged. */
function applySettings(core: Core, before: Subscription, phase: Phase): void {
  const subscription = core.getOrThrow('subscription', before.id);
  const { automatic_tax, default_payment_method, trial_end } = phase;
  const isTrialEnded = subscription.status === 'trialing' && trial_end === null;
  core.change(
    subscription,
    {
      automatic_tax,
      default_payment_method,
      discounts: phase.discounts.map(({ discount }) => discount),
      metadata: { ...subscription.metadata, ...phase.metadata },
      ...(isTrialEnded && { status: 'active' as const, trial_end: core.now() }),
    },
    'customer.subscription.updated',
  );
}

/** Parameters of a phase. Dates are in Unix seconds. */
interface PhaseParams {
  price: Price;
  startDate?: number | undefined;
  endDate?: number | undefined;
  /** It ends a month after it begins; without an end, it ends with a period of the subscription. */
  isOneMonth?: boolean;
  /** What is not given is gone from the subscription when the phase begins. */
  settings?: PhaseSettings | undefined;
}

/**
 * Replaces the phases by the current one, which ends with the paid period, and the one after it.
 * @throws StripeApiError 400 when the first phase is not the current one, or when there is a gap between the two
 */
export function updateSchedule(core: Core, id: string, phaseParams: PhaseParams[]): SubscriptionSchedule {
  const schedule = getActiveSchedule(core, id);
  const subscription = core.getOrThrow('subscription', schedule.subscription as string);
  const phases: Phase[] = [];
  for (const [
    index,
    { price, startDate, endDate, isOneMonth, settings = noSettings },
  ] of phaseParams.entries()) {
    const expected = phases.at(-1)?.end_date ?? (schedule.current_phase?.start_date as number);
    const start = startDate ?? expected;
    if (start !== expected) {
      throw invalidRequest(
        'The first phase must be the current one, and each other begin where the one before ends.',
        `phases[${index}][start_date]`,
      );
    }
    // A phase of a period ends on the subscription's own dates, so that a renewal on the 31st does not move after
    // February.
    const ends = isOneMonth ? addMonths(start, 1) : nextBoundary(subscription.billing_cycle_anchor, start);
    const end = endDate ?? ends;
    const isCurrent = index === 0;
    if (end <= start || (isCurrent && end !== itemOf(subscription).current_period_end)) {
      throw invalidRequest('The current phase ends with the paid period.', `phases[${index}][end_date]`);
    }
    phases.push(phaseOf(price, start, end, 'none', settings));
  }
  const [current] = phases as [Phase];
  applySettings(core, subscription, current);
  return core.change(
    schedule,
    { phases, current_phase: { start_date: current.start_date, end_date: current.end_date } },
    'subscription_schedule.updated',
  );
}

/** Releases a subscription from its schedule; the subscription itself does not change. */
export function releaseSchedule(core: Core, id: string): SubscriptionSchedule {
  const schedule = getActiveSchedule(core, id);
  const subscription = core.getOrThrow('subscription', schedule.subscription as string);
  const released: SubscriptionSchedule = {
    ...schedule,
    status: 'released',
    released_at: core.now(),
    released_subscription: schedule.subscription,
    subscription: null,
    current_phase: null,
  };
  core.store.put(released);
  core.record('subscription_schedule.released', released);
  core.change(subscription, { schedule: null }, 'customer.subscription.updated');
  return released;
}

/** A schedule that has not ended. @throws StripeApiError 404 for an unknown id, 400 for one that has ended */
function getActiveSchedule(core: Core, id: string): SubscriptionSchedule {
  const schedule = core.getOrThrow('subscription_schedule', id);
  if (schedule.status !== 'active') {
    throw invalidRequest(`This schedule is ${schedule.status}: it can no longer be changed.`);
  }
  return schedule;
}

/** Runs when the current phase ends: starts the next phase, or releases the subscription. */
export function scheduleDue(core: Core, schedule: SubscriptionSchedule): void {
  const at = schedule.current_phase?.end_date;
  const next = schedule.phases.find((phase) => phase.start_date === at);
  if (next === undefined) {
    releaseSchedule(core, schedule.id);
    return;
  }
  const subscription = core.getOrThrow('subscription', schedule.subscription as string);
  const price = core.getOrThrow('price', next.items[0]?.price as string);
  // A phase begins with a period, so there is nothing to prorate, and the renewal uses the new price.
  const after = itemWith(itemOf(subscription), price);
  const changed = core.change(
    subscription,
    withItems(subscription, [after]),
    'customer.subscription.updated',
  );
  applySettings(core, changed, next);
  core.change(
    schedule,
    { current_phase: { start_date: next.start_date, end_date: next.end_date } },
    'subscription_schedule.updated',
  );
}

/**
 * Updates the current phase after a direct change to a subscription that has a schedule. Later phases stay as they are,
 * with the payment method that they name.
 */
export function updateCurrentPhase(core: Core, subscription: Subscription): Subscription {
  if (subscription.schedule === null) return subscription;
  const schedule = core.getOrThrow('subscription_schedule', subscription.schedule);
  const item: SubscriptionItem = itemOf(subscription);
  const phases = schedule.phases.map(
    (phase): Phase =>
      phase.start_date === schedule.current_phase?.start_date
        ? {
            ...phase,
            ...phaseSettings(settingsOf(subscription)),
            items: [{ price: item.price.id, quantity: 1 }],
          }
        : phase,
  );
  core.change(schedule, { phases }, 'subscription_schedule.updated');
  return subscription;
}

function phaseSettings({ discounts, ...settings }: PhaseSettings) {
  return {
    ...settings,
    discounts: discounts.map((discount) => ({ coupon: null, discount, promotion_code: null })),
  };
}

/** A phase of the schedule with one price. `start` and `end` are in Unix seconds. */
function phaseOf(
  price: Price,
  start: number,
  end: number,
  prorationBehavior: string,
  settings: PhaseSettings,
): Phase {
  return {
    currency: price.currency,
    end_date: end,
    items: [{ price: price.id, quantity: 1 }],
    proration_behavior: prorationBehavior,
    billing_thresholds: null,
    collection_method: 'charge_automatically',
    invoice_settings: null,
    ...phaseSettings(settings),
    start_date: start,
  };
}
