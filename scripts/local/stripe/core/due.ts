/** When the clock has to process an object. */
import type { Stored } from '../objects.ts';

/** A subscription expires when its first invoice is not paid within this time (23 hours, as at Stripe). */
export const incompleteExpirySeconds = 23 * 3600;

/**
 * The time in Unix seconds, or null when nothing is due. What has to be done follows from the object (see
 * billing/timeline.ts).
 */
export function dueOf(object: Stored): number | null {
  switch (object.object) {
    case 'subscription':
      if (object.status === 'incomplete') return object.created + incompleteExpirySeconds;
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
