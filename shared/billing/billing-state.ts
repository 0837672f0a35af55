import type { PlanId, SubscriptionStatus } from '#contract';

/** A subscription at Stripe. */
export interface SubscriptionState {
  id: string;
  status: Exclude<SubscriptionStatus, 'inactive'>;
  plan: PlanId;
  periodStart: Date;
  periodEnd: Date;
  /** Since when the period is paid for under this plan: after an upgrade, later than its start. */
  planSince: Date;
  cancelAtPeriodEnd: boolean;
  /** Whether the seller has paid for an upgrade that withdraws the cancellation. */
  isWithdrawalDue: boolean;
  trialEnd: Date | null;
  /** Type of the payment method, and the details of a card. */
  payment: { method: string; last4: string | null; brand: string | null } | null;
  /** The plan that a schedule changes to, and when. */
  nextPlan: { plan: PlanId; at: Date } | null;
  /**
   * The id of the price of the next phase, if that names a payment method: it would be charged even if it is replaced
   * until then.
   */
  pinnedPrice: string | null;
  /** The attached schedule; Stripe refuses to cancel the subscription until it is released. */
  scheduleId: string | null;
  /** The item whose price is the plan's. */
  itemId: string;
  /** Whether everything that was paid for the current period was refunded or is disputed. */
  refunded: boolean;
}

/** A paid invoice for a whole period of a plan; an invoice with nothing but prorations is not one. */
export interface PaidInvoice {
  id: string;
  paidAt: Date;
  period: { plan: PlanId; start: Date; end: Date };
  /** Whether its whole amount was refunded, or withdrawn by a dispute that is not won. */
  refunded: boolean;
}

/** The payment for a pack of images: it is paid, or under way. */
export interface PackPayment {
  /** Of the payment intent. */
  id: string;
  images: number;
  isPaid: boolean;
  /** What was received, with tax, and what of it was refunded, or withdrawn by a dispute that is not won. */
  amount: number;
  returned: number;
}

/** Everything that Stripe decides about a seller, as of one reading. */
export interface BillingState {
  /**
   * Whether Stripe has the seller's customer. `deleted`: it had, and the deletion ended every subscription. `unknown`:
   * this Stripe account never had it.
   */
  customer: 'there' | 'deleted' | 'unknown';
  /** The newest live subscription, or the newest one if none is live. */
  subscription: SubscriptionState | null;
  /** In the order in which they were paid. */
  paid: readonly PaidInvoice[];
  /** In the order in which they were begun; those that failed are left out. */
  packs: readonly PackPayment[];
}
