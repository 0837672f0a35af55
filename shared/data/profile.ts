import { type Model, Schema } from 'mongoose';
import { type PlanId, planIds, type SubscriptionStatus, subscriptionStatuses } from '#contract';

/** Images reserved for one generation that has not ended. */
export interface Hold {
  generation: string;
  count: number;
  /** False when it was placed under an unlimited plan: it takes nothing from `generations_left`. */
  metered: boolean;
  /** Whether its period has been renewed since: given back, it is forfeited; settled, it does not count for the new one. */
  lapsed: boolean;
  at: Date;
}

/** The period that an invoice paid for. */
export interface PaidPeriod {
  plan: PlanId;
  start: Date;
  end: Date;
}

/** Images added or forfeited once, under a key that is never used again: an invoice, or a generation that lapsed. */
export interface PendingLedgerEntry {
  key: string;
  count: number;
  /** Null for a generation that lapsed. */
  period: PaidPeriod | null;
  at: Date;
  /** Whether the ledger has its line. */
  entered: boolean;
}

/** A mail about the plan that is to be posted; it stands in the profile from the change that it tells of until it is. */
export interface PendingPlanEmail {
  /** The mail's id: it is sent once, however often it is posted. */
  id: string;
  kind: 'paymentFailed' | 'subscriptionEnded';
  plan: PlanId;
  /** Until when an overdue plan still works. */
  grace_until: Date | null;
  at: Date;
}

/** What Stripe said about the subscription last. */
export interface SubscriptionData {
  current_period_start: Date;
  current_period_end: Date;
  cancel_at_period_end: boolean;
  payment_method: string | null;
  last4: string | null;
  card_brand: string | null;
  is_trial: boolean;
  trial_end: Date | null;
  /** The plan that follows at a date. */
  next_plan: { plan: PlanId; at: Date } | null;
}

/** A seller's profile, keyed by the user's id; the document that credits are counted in (docs/credits.md). */
export interface ProfileRow {
  _id: string;
  email: string;
  full_name: string;
  subscription_plan: PlanId;
  subscription_status: SubscriptionStatus;
  credits: number;
  generations_left: number;
  total_generations: number;
  granted: number;
  settled: number;
  /** Part of `settled` that was made under an unlimited plan: granted as it was counted, under no key. */
  settled_unlimited: number;
  forfeited: number;
  /** Taken back because what paid for them was refunded or is disputed, less what was given back since. */
  refunded: number;
  holds: Hold[];
  grants: PendingLedgerEntry[];
  forfeits: PendingLedgerEntry[];
  refunds: PendingLedgerEntry[];
  reinstates: PendingLedgerEntry[];
  /** Images made under the unlimited plan in the period that began then. */
  fair_use: { period_start: Date | null; used: number };
  stripe_customer_id: string | null;
  /** Customers that Stripe no longer had, each replaced by the next, the newest last. */
  former_customers: string[];
  /** The subscription that counts; null before the first and after the last one. */
  subscription_id: string | null;
  subscription_data: SubscriptionData | null;
  /** Until when an overdue plan still works; null unless overdue. */
  grace_until: Date | null;
  /** Whether all that was paid for the current period was refunded or is disputed: then nothing is made. */
  period_refunded: boolean;
  /** How often Stripe was asked about the seller: the number of each reading, given before it is asked. */
  billing_asked: number;
  /** The number of the newest reading that was applied; one with a smaller number is old. */
  billing_applied: number;
  /** Mails about the plan that are still to be posted. */
  notices: PendingPlanEmail[];
  /** Until when a change of the plan has the account to itself. */
  billing_busy_until: Date | null;
  /** When it was last held against Stripe. */
  billing_seen_at: Date | null;
  /** Upkeep's questions about a period that is over, as long as Stripe does not answer them: how many, and when the next is due. */
  billing_retry: { tries: number; due_at: Date } | null;
  /** Grows by one with each change of the balance or the plan. */
  revision: number;
  last_login: Date | null;
  login_count: number;
  account_locked: boolean;
  security_level: string;
  two_factor_enabled: boolean;
  email_verified: boolean;
  /** When the seller asked for the account to be deleted: from then on it is nobody's, and upkeep removes it. */
  deletion_asked_at: Date | null;
  /** Since when the account has been made, or removed; absent once it is whole. Without a user by then, it is nobody's. */
  half_made_at?: Date;
  created_at: Date;
  updated_at: Date;
}

export type ProfileModel = Model<ProfileRow>;

const count = { type: Number, required: true, min: 0 };
const date = { type: Date, required: true };
const noDate = { type: Date, default: null };
const noText = { type: String, default: null };

export const paidPeriodSchema = new Schema<PaidPeriod>(
  { plan: { type: String, enum: planIds, required: true }, start: date, end: date },
  { _id: false },
);

const bookingSchema = new Schema<PendingLedgerEntry>(
  {
    key: { type: String, required: true },
    count,
    period: { type: paidPeriodSchema, default: null },
    at: date,
    entered: { type: Boolean, required: true },
  },
  { _id: false },
);

const noticeSchema = new Schema<PendingPlanEmail>(
  {
    id: { type: String, required: true },
    kind: { type: String, enum: ['paymentFailed', 'subscriptionEnded'], required: true },
    plan: { type: String, enum: planIds, required: true },
    grace_until: noDate,
    at: date,
  },
  { _id: false },
);

const subscriptionDataSchema = new Schema<SubscriptionData>(
  {
    current_period_start: date,
    current_period_end: date,
    cancel_at_period_end: { type: Boolean, required: true },
    payment_method: noText,
    last4: noText,
    card_brand: noText,
    is_trial: { type: Boolean, required: true },
    trial_end: noDate,
    next_plan: {
      type: new Schema({ plan: { type: String, enum: planIds, required: true }, at: date }, { _id: false }),
      default: null,
    },
  },
  { _id: false },
);

export const profileSchema = new Schema<ProfileRow, ProfileModel>(
  {
    _id: { type: String, required: true },
    email: { type: String, required: true },
    full_name: { type: String, required: true },
    subscription_plan: { type: String, enum: planIds, required: true },
    subscription_status: { type: String, enum: subscriptionStatuses, default: 'inactive' },
    credits: { ...count, default: 0 },
    generations_left: { ...count, default: 0 },
    total_generations: { ...count, default: 0 },
    granted: { ...count, default: 0 },
    settled: { ...count, default: 0 },
    settled_unlimited: { ...count, default: 0 },
    forfeited: { ...count, default: 0 },
    refunded: { ...count, default: 0 },
    holds: [
      new Schema<Hold>(
        {
          generation: { type: String, required: true },
          count,
          metered: { type: Boolean, required: true },
          lapsed: { type: Boolean, required: true },
          at: date,
        },
        { _id: false },
      ),
    ],
    grants: [bookingSchema],
    forfeits: [bookingSchema],
    refunds: [bookingSchema],
    reinstates: [bookingSchema],
    fair_use: { period_start: noDate, used: { ...count, default: 0 } },
    stripe_customer_id: noText,
    former_customers: [String],
    subscription_id: noText,
    subscription_data: { type: subscriptionDataSchema, default: null },
    grace_until: noDate,
    period_refunded: { type: Boolean, default: false },
    billing_asked: { type: Number, default: 0 },
    billing_applied: { type: Number, default: 0 },
    notices: [noticeSchema],
    billing_busy_until: noDate,
    billing_seen_at: noDate,
    billing_retry: {
      type: new Schema({ tries: { type: Number, required: true }, due_at: date }, { _id: false }),
      default: null,
    },
    revision: { type: Number, default: 0 },
    last_login: noDate,
    login_count: { type: Number, default: 0 },
    account_locked: { type: Boolean, default: false },
    security_level: { type: String, default: 'standard' },
    two_factor_enabled: { type: Boolean, default: false },
    email_verified: { type: Boolean, default: false },
    deletion_asked_at: noDate,
    half_made_at: { type: Date },
    created_at: date,
    updated_at: date,
  },
  { versionKey: false, strict: 'throw' },
);
// The reconciler looks for holds that are older than any request, for bookings without their line in the ledger, for
// mails that were not posted, for periods that are over, for accounts that were given up, and for those that died while
// they were made.
profileSchema.index({ 'holds.at': 1 });
profileSchema.index({ half_made_at: 1 }, { sparse: true });
for (const list of ['grants', 'forfeits', 'refunds', 'reinstates']) {
  const entered = `${list}.entered`;
  profileSchema.index({ [entered]: 1 }, { partialFilterExpression: { [entered]: false } });
}
profileSchema.index({ 'notices.at': 1 });
profileSchema.index({ stripe_customer_id: 1 });
profileSchema.index({ former_customers: 1 });
profileSchema.index({ 'subscription_data.current_period_end': 1 });
profileSchema.index({ deletion_asked_at: 1 });
