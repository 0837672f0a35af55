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

/** The subscription fields that change when a cancellation at the end of the period is set or removed. */
export function atPeriodEnd(core: Core, subscription: Subscription, cancel: boolean): Partial<Subscription> {
  if (cancel === subscription.cancel_at_period_end) return {};
  if (subscription.schedule !== null) {
    throw invalidRequest(
      `The subscription is managed by the subscription schedule \`${subscription.schedule}\`: change its cancellation there, or release it first.`,
      'cancel_at_period_end',
    );
  }
  const end = subscription.items.data[0]?.current_period_end ?? null;
  return {
    cancel_at_period_end: cancel,
    cancel_at: cancel ? end : null,
    canceled_at: cancel ? core.now() : null,
    cancellation_details: { reason: cancel ? 'cancellation_requested' : null },
  };
}
