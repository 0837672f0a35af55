import type { PlanId, SubscriptionStatus } from '#contract';

/** A subscription as Stripe has it. */
export interface SubscriptionState {
  id: string;
  status: Exclude<SubscriptionStatus, 'inactive'>;
  plan: PlanId;
  periodStart: Date;
  periodEnd: Date;
  cancelAtPeriodEnd: boolean;
  trialEnd: Date | null;
  /** Kind of the payment method, and the card's details where it is one. */
  payment: { method: string; last4: string | null; brand: string | null } | null;
  /** The plan that a schedule changes to. */
  nextPlan: { plan: PlanId; at: Date } | null;
  /** The schedule that does, which stands in the way of other changes. */
  scheduleId: string | null;
  /** The item whose price is the plan's. */
  itemId: string;
  /** Whether the plan was paid for until the end of the period, and all of that money was refunded or is disputed. */
  refunded: boolean;
}

/** An invoice that was paid for a whole period of a plan; prorations pay for no period of their own. */
export interface PaidInvoice {
  id: string;
  paidAt: Date;
  period: { plan: PlanId; start: Date; end: Date };
  /** Whether all of its money was refunded, or taken back by a dispute that is not won. */
  refunded: boolean;
}

/** All that Stripe decides about a seller, as it was at one time. */
export interface BillingState {
  /**
   * Whether Stripe has the seller's customer. `deleted`: it had, and every subscription ended with it. `unknown`: this
   * account of Stripe's never had one of that id.
   */
  customer: 'there' | 'deleted' | 'unknown';
  /** The one that counts: the newest that is alive, else the newest of all. */
  subscription: SubscriptionState | null;
  /** In the order in which they were paid. */
  paid: readonly PaidInvoice[];
}
