/** Subscription schedules: phases that a subscription passes through over time. */
import { addIntervals, nextBoundary } from '../core/calendar.ts';
import type { Core } from '../core/core.ts';
import { newId } from '../core/store.ts';
import { invalidRequest } from '../errors.ts';
import type { Price, Subscription, SubscriptionItem, SubscriptionSchedule } from '../objects.ts';
import { keepPendingLines } from './invoices.ts';
import { prorationLines } from './lines.ts';
import { mergeMetadata } from './metadata.ts';
import { itemWith, withItems } from './pending-update.ts';
import { itemOf } from './subscriptions.ts';

type Phase = SubscriptionSchedule['phases'][number];

/** Parameters of a phase. Dates are in Unix seconds; a duration can be given instead of the end. */
export interface PhaseParams {
  price: Price;
  quantity: number;
  startDate?: number | undefined;
  endDate?: number | undefined;
  duration?: { interval: string; interval_count?: number | undefined } | undefined;
  /** Number of periods; 1 when neither an end nor a duration is given. */
  iterations?: number | undefined;
  prorationBehavior?: string | undefined;
  metadata?: Record<string, string> | undefined;
}

/** Creates a schedule for a running subscription, with one phase that describes its current state. */
export function createSchedule(
  core: Core,
  subscriptionId: string,
  metadata: Record<string, string> = {},
): SubscriptionSchedule {
  const subscription = core.need('subscription', subscriptionId, 'from_subscription');
  if (subscription.schedule !== null) {
    throw invalidRequest('The subscription already has a schedule.', 'from_subscription');
  }
  if (!['active', 'trialing', 'past_due'].includes(subscription.status)) {
    throw invalidRequest(`A ${subscription.status} subscription cannot be scheduled.`, 'from_subscription');
  }
  if (subscription.cancel_at_period_end) {
    throw invalidRequest('The subscription is set to end with its period.', 'from_subscription');
  }
  const item = itemOf(subscription);
  const phase = phaseOf(item.price, item.quantity, item.current_period_start, item.current_period_end, {});
  const schedule: SubscriptionSchedule = {
    id: newId('sub_sched'),
    object: 'subscription_schedule',
    application: null,
    billing_mode: subscription.billing_mode,
    canceled_at: null,
    completed_at: null,
    created: core.now(),
    current_phase: { start_date: phase.start_date, end_date: phase.end_date },
    customer: subscription.customer,
    customer_account: null,
    default_settings: {
      application_fee_percent: null,
      billing_cycle_anchor: 'automatic',
      billing_thresholds: null,
      collection_method: 'charge_automatically',
      default_payment_method: null,
      description: null,
      invoice_settings: {
        account_tax_ids: null,
        custom_fields: null,
        days_until_due: null,
        description: null,
        footer: null,
        issuer: { type: 'self' },
      },
      on_behalf_of: null,
      transfer_data: null,
    },
    end_behavior: 'release',
    livemode: false,
    metadata,
    pause_schedules: [],
    phases: [phase],
    released_at: null,
    released_subscription: null,
    status: 'active',
    subscription: subscription.id,
    test_clock: null,
  };
  core.create(schedule, 'subscription_schedule.created');
  core.change(subscription, { schedule: schedule.id }, 'customer.subscription.updated');
  return schedule;
}

/** Replaces the phases. The first must be the current one; each of the others starts where the one before it ends. */
export function updateSchedule(
  core: Core,
  id: string,
  phaseParams: {
    phases?: PhaseParams[] | undefined;
    endBehavior?: 'release' | 'cancel' | undefined;
    metadata?: Record<string, string> | '' | undefined;
  },
): SubscriptionSchedule {
  const schedule = needActive(core, id);
  const changes: Partial<SubscriptionSchedule> = {
    end_behavior: phaseParams.endBehavior ?? schedule.end_behavior,
    metadata: mergeMetadata(schedule.metadata, phaseParams.metadata),
  };
  if (phaseParams.phases !== undefined) {
    const subscription = core.need('subscription', schedule.subscription as string);
    const phases = resolvePhases(schedule, subscription, phaseParams.phases);
    const current = phases.find((phase) => phase.start_date <= core.now() && phase.end_date > core.now());
    if (current === undefined) throw invalidRequest('One phase must be running now.', 'phases');
    changes.phases = phases;
    changes.current_phase = { start_date: current.start_date, end_date: current.end_date };
  }
  return core.change(schedule, changes, 'subscription_schedule.updated');
}

function resolvePhases(
  schedule: SubscriptionSchedule,
  subscription: Subscription,
  phaseParams: PhaseParams[],
): Phase[] {
  const phases: Phase[] = [];
  for (const [index, params] of phaseParams.entries()) {
    const start = params.startDate ?? phases.at(-1)?.end_date ?? schedule.current_phase?.start_date;
    const expected = phases.at(-1)?.end_date;
    if (start === undefined || (expected !== undefined && start !== expected)) {
      throw invalidRequest(
        `Phase ${index} must begin where the one before ends.`,
        `phases[${index}][start_date]`,
      );
    }
    if (index === 0 && start !== schedule.current_phase?.start_date) {
      throw invalidRequest(
        'The start date of the first phase must be that of the current phase.',
        'phases[0][start_date]',
      );
    }
    const { recurring } = params.price;
    // A phase of n periods ends on the subscription's own dates, so that a renewal on the 31st does not move after
    // February.
    let end = params.endDate;
    if (end === undefined && params.duration !== undefined) {
      end = addIntervals(
        start,
        { ...recurring, ...params.duration, interval_count: params.duration.interval_count ?? 1 },
        1,
      );
    }
    if (end === undefined) {
      end = start;
      for (let count = params.iterations ?? 1; count > 0; count -= 1) {
        end = nextBoundary(subscription.billing_cycle_anchor, recurring, end);
      }
    }
    if (end <= start) throw invalidRequest('A phase must end after it begins.', `phases[${index}][end_date]`);
    phases.push(phaseOf(params.price, params.quantity, start, end, params));
  }
  return phases;
}

function phaseOf(
  price: Price,
  quantity: number,
  start: number,
  end: number,
  phaseParams: Pick<PhaseParams, 'prorationBehavior' | 'metadata'>,
): Phase {
  return {
    add_invoice_items: [],
    application_fee_percent: null,
    billing_cycle_anchor: null,
    billing_thresholds: null,
    collection_method: null,
    currency: price.currency,
    default_payment_method: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    end_date: end,
    invoice_settings: null,
    items: [
      {
        billing_thresholds: null,
        discounts: [],
        metadata: {},
        plan: price.id,
        price: price.id,
        quantity,
        tax_rates: [],
      },
    ],
    metadata: phaseParams.metadata ?? {},
    on_behalf_of: null,
    proration_behavior: phaseParams.prorationBehavior ?? 'create_prorations',
    start_date: start,
    transfer_data: null,
    trial_end: null,
  };
}

/** Releases a subscription from its schedule; the subscription itself does not change. */
export function releaseSchedule(core: Core, id: string): SubscriptionSchedule {
  const schedule = needActive(core, id);
  const subscription = core.need('subscription', schedule.subscription as string);
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
function needActive(core: Core, id: string): SubscriptionSchedule {
  const schedule = core.need('subscription_schedule', id);
  if (schedule.status !== 'active') {
    throw invalidRequest(`This schedule is ${schedule.status}: it can no longer be changed.`);
  }
  return schedule;
}

/** Runs when the current phase ends: starts the next phase, or releases the subscription. */
export function scheduleDue(core: Core, schedule: SubscriptionSchedule): 'ended' | undefined {
  const at = schedule.current_phase?.end_date;
  const next = schedule.phases.find((phase) => phase.start_date === at);
  if (next === undefined) {
    if (schedule.end_behavior === 'cancel') return 'ended';
    releaseSchedule(core, schedule.id);
    return undefined;
  }
  const subscription = core.need('subscription', schedule.subscription as string);
  const before = itemOf(subscription);
  const [wanted] = next.items;
  const price = core.need('price', wanted?.price as string);
  const after = itemWith(before, price, wanted?.quantity ?? 1);
  const changed = core.change(
    subscription,
    {
      ...withItems(subscription, [after]),
      metadata: mergeMetadata(subscription.metadata, next.metadata ?? {}),
    },
    'customer.subscription.updated',
  );
  // At the end of a period there is nothing to prorate, and the renewal uses the new price.
  if (next.proration_behavior !== 'none' && before.current_period_end > core.now()) {
    const change = { item: before, to: price, quantity: after.quantity, at: core.now() };
    keepPendingLines(core, changed, prorationLines(core, change));
  }
  core.change(
    schedule,
    { current_phase: { start_date: next.start_date, end_date: next.end_date } },
    'subscription_schedule.updated',
  );
  return undefined;
}

/** Updates the current phase after a direct change to a subscription that has a schedule. */
export function updateCurrentPhase(core: Core, subscription: Subscription): Subscription {
  if (subscription.schedule === null) return subscription;
  const schedule = core.need('subscription_schedule', subscription.schedule);
  const item: SubscriptionItem = itemOf(subscription);
  const phases = schedule.phases.map((phase) =>
    phase.start_date === schedule.current_phase?.start_date
      ? { ...phase, items: phaseOf(item.price, item.quantity, 0, 1, {}).items }
      : phase,
  );
  core.change(schedule, { phases }, 'subscription_schedule.updated');
  return subscription;
}
