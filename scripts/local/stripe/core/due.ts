/** When the clock has something to do with an object. */
import type { Stored } from '../objects.ts';

/** The first first invoice waits this long for its payment before the subscription expires (Stripe: 23 hours). */
export const incompleteSeconds = 23 * 3600;

/** Unix seconds, or null when nothing is to come. The object itself says what is to be done (see billing/timeline.ts). */
export function dueOf(object: Stored): number | null {
  switch (object.object) {
    case 'subscription':
      if (object.status === 'incomplete') return object.created + incompleteSeconds;
      if (!['active', 'trialing', 'past_due'].includes(object.status)) return null;
      return Math.min(
        object.items.data[0]?.current_period_end ?? Number.MAX_SAFE_INTEGER,
        object.cancel_at ?? Number.MAX_SAFE_INTEGER,
        object.pending_update?.expires_at ?? Number.MAX_SAFE_INTEGER,
      );
    case 'subscription_schedule':
      return object.status === 'active' ? (object.current_phase?.end_date ?? null) : null;
    case 'invoice':
      return object.status === 'open' ? object.next_payment_attempt : null;
    case 'checkout.session':
      return object.status === 'open' ? object.expires_at : null;
    default:
      return null;
  }
}
