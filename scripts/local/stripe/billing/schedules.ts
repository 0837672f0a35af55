import type { Core } from '../core/core.ts';
import { newId } from '../core/ids.ts';
import { invalidRequest } from '../errors.ts';
import type { Subscription, SubscriptionItem, SubscriptionSchedule } from '../objects.ts';
import { addPendingLines } from './invoices.ts';
import { prorationLines } from './lines.ts';
import { mergeMetadata } from './metadata.ts';
import { itemWith, withItems } from './pending-update.ts';
import { type PhaseParams, phaseOf, resolvePhases } from './schedule-phases.ts';
import { itemOf } from './subscriptions.ts';

/** Creates a schedule for a running subscription, with one phase that describes its current state. */
export function createSchedule(
  core: Core,
  subscriptionId: string,
  metadata: Record<string, string> = {},
): SubscriptionSchedule {
  const subscription = core.getOrThrow('subscription', subscriptionId, 'from_subscription');
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
  const schedule = getActiveSchedule(core, id);
  const changes: Partial<SubscriptionSchedule> = {
    end_behavior: phaseParams.endBehavior ?? schedule.end_behavior,
    metadata: mergeMetadata(schedule.metadata, phaseParams.metadata),
  };
  if (phaseParams.phases !== undefined) {
    const subscription = core.getOrThrow('subscription', schedule.subscription as string);
    const phases = resolvePhases(schedule, subscription, phaseParams.phases);
    const current = phases.find((phase) => phase.start_date <= core.now() && phase.end_date > core.now());
    if (current === undefined) throw invalidRequest('One phase must be running now.', 'phases');
    changes.phases = phases;
    changes.current_phase = { start_date: current.start_date, end_date: current.end_date };
  }
  return core.change(schedule, changes, 'subscription_schedule.updated');
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
export function scheduleDue(core: Core, schedule: SubscriptionSchedule): 'ended' | undefined {
  const at = schedule.current_phase?.end_date;
  const next = schedule.phases.find((phase) => phase.start_date === at);
  if (next === undefined) {
    if (schedule.end_behavior === 'cancel') return 'ended';
    releaseSchedule(core, schedule.id);
    return undefined;
  }
  const subscription = core.getOrThrow('subscription', schedule.subscription as string);
  const before = itemOf(subscription);
  const [wanted] = next.items;
  const price = core.getOrThrow('price', wanted?.price as string);
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
    addPendingLines(core, changed, prorationLines(core, change));
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
  const schedule = core.getOrThrow('subscription_schedule', subscription.schedule);
  const item: SubscriptionItem = itemOf(subscription);
  const phases = schedule.phases.map((phase) =>
    phase.start_date === schedule.current_phase?.start_date
      ? { ...phase, items: phaseOf(item.price, item.quantity, 0, 1, {}).items }
      : phase,
  );
  core.change(schedule, { phases }, 'subscription_schedule.updated');
  return subscription;
}
