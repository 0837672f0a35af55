/** Cancels subscriptions, at once or at the end of the period. */
import type { Core } from '../core/core.ts';
import { invalidRequest } from '../errors.ts';
import type { Subscription } from '../objects.ts';

/** Cancels a subscription immediately. @throws StripeApiError 400 when it has already ended */
export function cancelNow(
  core: Core,
  id: string,
  reason?: 'cancellation_requested' | 'payment_failed',
): Subscription {
  const subscription = core.getOrThrow('subscription', id);
  if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired') {
    throw invalidRequest('This subscription has already ended, so it cannot be canceled.');
  }
  const now = core.now();
  if (subscription.schedule !== null) {
    const schedule = core.getOrThrow('subscription_schedule', subscription.schedule);
    const ended = { status: 'canceled', canceled_at: now, current_phase: null } as const;
    core.store.put({ ...schedule, ...ended });
    core.record('subscription_schedule.canceled', { ...schedule, ...ended });
  }
  for (const invoice of core.store.list('invoice', { owner: id })) {
    if (invoice.status !== 'open') continue;
    core.change(invoice, { auto_advance: false, next_payment_attempt: null }, 'invoice.updated');
  }
  const ended: Subscription = {
    ...subscription,
    status: 'canceled',
    canceled_at: subscription.canceled_at ?? now,
    ended_at: now,
    pending_update: null,
    schedule: null,
    cancellation_details: {
      reason: reason ?? subscription.cancellation_details.reason ?? 'cancellation_requested',
    },
  };
  core.store.put(ended);
  core.record('customer.subscription.deleted', ended);
  return ended;
}

/** What a request or a customer wants of a cancellation that is planned; only one of the two, as at Stripe. */
export interface PlannedCancellation {
  cancelAtPeriodEnd?: boolean | undefined;
  /** In Unix seconds; null clears it. */
  cancelAt?: number | null | undefined;
}

/**
 * The subscription fields that change when a cancellation is planned or withdrawn. The flag clears only what the flag
 * has set: a cancellation with nothing but `cancel_at` stays.
 * @throws StripeApiError 400 for both, and while a schedule manages the subscription
 */
export function plannedCancellation(
  core: Core,
  subscription: Subscription,
  { cancelAtPeriodEnd, cancelAt }: PlannedCancellation,
): Partial<Subscription> {
  if (cancelAtPeriodEnd !== undefined && cancelAt !== undefined) {
    throw invalidRequest(
      'Received both cancel_at_period_end and cancel_at parameters. Please pass in only one.',
      'cancel_at',
    );
  }
  if (cancelAt === null) return subscription.cancel_at === null ? {} : cancellation(core, subscription, null);
  if (cancelAt !== undefined) return cancellation(core, subscription, cancelAt);
  if (cancelAtPeriodEnd === undefined || cancelAtPeriodEnd === subscription.cancel_at_period_end) return {};
  return {
    ...cancellation(core, subscription, cancelAtPeriodEnd ? periodEndOf(subscription) : null),
    cancel_at_period_end: cancelAtPeriodEnd,
  };
}

/** The fields of a cancellation at the end of the period in the portal: the flag is set in the classic mode only. */
export function portalCancellation(core: Core, subscription: Subscription): Partial<Subscription> {
  return {
    ...cancellation(core, subscription, periodEndOf(subscription)),
    cancel_at_period_end: subscription.billing_mode.type === 'classic',
  };
}

/** @throws StripeApiError 400 while a schedule manages the subscription */
export function assertNoSchedule({ schedule }: Subscription): void {
  if (schedule === null) return;
  throw invalidRequest(
    `The subscription is managed by the subscription schedule \`${schedule}\`: change its cancellation there, or release it first.`,
    'cancel_at_period_end',
  );
}

function cancellation(core: Core, subscription: Subscription, at: number | null): Partial<Subscription> {
  assertNoSchedule(subscription);
  return {
    cancel_at: at,
    cancel_at_period_end: false,
    canceled_at: at === null ? null : core.now(),
    cancellation_details: { reason: at === null ? null : 'cancellation_requested' },
  };
}

function periodEndOf({ items }: Subscription): number {
  return items.data[0]!.current_period_end;
}
