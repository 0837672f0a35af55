import { Schema } from 'mongoose';
import {
  billingOrderKinds,
  planIds,
  securityLevels,
  subscriptionStatuses,
  unreachableKinds,
} from '#contract';
import { collection } from '#shared/data/collection.ts';
import {
  date,
  flag,
  nullableDate,
  nullableText,
  number,
  optional,
  partOptions,
  type Row,
  rowOptions,
  text,
} from '#shared/data/row.ts';

const plan = { type: String, enum: planIds, required: true } as const;
/** Images. */
const count = { type: Number, required: true, min: 0 } as const;
const counter = { ...count, default: 0 };

const paidPeriod = { plan, start: date, end: date };
export const paidPeriodSchema = new Schema(paidPeriod, partOptions);

/**
 * Where the images of a hold come from: `metered`, the monthly number of a plan (`generations_left`); `unlimited`, a plan
 * without one; `free`, the free images (`free_images.left`); `pack`, those of packs (`pack_images.left`); `remake`, none: an
 * image that is made again at no charge.
 */
export const holdBalances = ['metered', 'unlimited', 'free', 'pack', 'remake'] as const;
export type HoldBalance = (typeof holdBalances)[number];

const hold = {
  /** The generation, or an id of its own for the images of a batch that are not enqueued yet (`waiting`). */
  generation: text,
  count,
  balance: { type: String, enum: holdBalances, required: true },
  /**
   * Whether its period was renewed since: released, it is forfeited; settled, it does not count for the new period. Free
   * images and those of packs have no period, so a hold on them is never lapsed.
   */
  lapsed: flag,
  at: date,
  /** The batch that it is for. Absent for other generations. */
  batch: { type: String, ...optional },
  /** True for the images of a batch that are not enqueued yet: each generation takes its hold from this one. */
  waiting: { type: Boolean, ...optional },
  /** The day (UTC) in which its images are counted. Absent if they are in none: they wait, or an operator asked for them. */
  counted_on: { type: String, ...optional },
};

/** Images reserved for one generation that has not ended, or for those of a batch that wait. */
export interface Hold extends Row<typeof hold> {}

const pendingLedgerEntry = {
  /** An invoice, the payment of a pack, the seller for the free images, a generation whose hold lapsed, or an operator's action. A key is never used twice. */
  key: text,
  count,
  /** Null for free images, for packs, for a generation whose hold lapsed, and for an operator's action. */
  period: { type: paidPeriodSchema, default: null },
  at: date,
  /** Whether it is posted to the ledger. */
  posted: flag,
};
const pendingLedgerEntries = [new Schema(pendingLedgerEntry, partOptions)];

/** Images added or taken, recorded in the same write as the balance and posted to the ledger afterwards. */
export interface PendingLedgerEntry extends Row<typeof pendingLedgerEntry> {}

const pendingEmail = {
  /** The idempotency key of the mail. */
  id: text,
  kind: { type: String, enum: ['paymentFailed', 'subscriptionEnded'] as const, required: true },
  plan,
  /** Until when an overdue plan still works. */
  grace_until: nullableDate,
  at: date,
};

/** A status email, recorded in the same write as the change of the plan and put into the outbox afterwards. */
export interface PendingEmail extends Row<typeof pendingEmail> {}

const subscriptionData = {
  current_period_start: date,
  current_period_end: date,
  cancel_at_period_end: flag,
  payment_method: nullableText,
  last4: nullableText,
  card_brand: nullableText,
  is_trial: flag,
  trial_end: nullableDate,
  /** The plan that follows, and when. */
  next_plan: { type: new Schema({ plan, at: date }, partOptions), default: null },
  /** Since when the period is paid for under its plan: later than its start after an upgrade. */
  plan_since: date,
};

/** The current subscription, as of the last reading. */
export interface SubscriptionData extends Row<typeof subscriptionData> {}

const billingOrder = {
  id: text,
  kind: { type: String, enum: billingOrderKinds, required: true },
  /** The seller's subscription when it was given. */
  subscription: nullableText,
  asked_at: date,
  tries: { type: Number, default: 0 },
  /** When it is carried out, or tried again; absent once it is. */
  due_at: { type: Date, ...optional },
  /** Why the last try failed. */
  failure: nullableText,
  done_at: nullableDate,
  /** When billing ends or has ended; null until it is carried out, and if there was nothing to end. */
  ends_at: nullableDate,
};

const unreachable = {
  address: text,
  kind: { type: String, enum: unreachableKinds, required: true },
  reason: text,
  at: date,
  tried_at: nullableDate,
};

const profile = {
  _id: text,
  email: text,
  full_name: text,
  subscription_plan: plan,
  subscription_status: { type: String, enum: subscriptionStatuses, default: 'inactive' as const },
  credits: counter,
  generations_left: counter,
  total_generations: counter,
  granted: counter,
  settled: counter,
  /** Part of `settled` that was made under an unlimited plan: granted in the write that settled it, without a grant in the ledger. */
  settled_unlimited: counter,
  forfeited: counter,
  /** Taken back because their payment was refunded or is disputed, less what was reinstated since. */
  refunded: counter,
  holds: [new Schema(hold, partOptions)],
  grants: pendingLedgerEntries,
  forfeits: pendingLedgerEntries,
  refunds: pendingLedgerEntries,
  reinstates: pendingLedgerEntries,
  support_added: pendingLedgerEntries,
  support_removed: pendingLedgerEntries,
  /** The packs that were paid, in the order in which they were read. Absent in profiles that are older than packs. */
  packs: { type: pendingLedgerEntries, ...optional },
  /**
   * Images of packs: `bought`, all of them; `left`, those that are not used up, those on hold included; `arriving`, those of
   * payments that are under way at Stripe. Absent until the seller opens the first checkout for one.
   */
  pack_images: {
    type: new Schema({ bought: counter, left: counter, arriving: counter }, partOptions),
    ...optional,
  },
  /** Images to be taken back in all, of each pack whose payment was returned, as of the last reading. Absent for none. */
  pack_returns: { type: [new Schema({ key: text, count }, partOptions)], ...optional },
  /** Images that operators gave and took. What was given is part of the free images. */
  support: { added: counter, removed: counter },
  /**
   * The free images of a new account. `due`: whether it is still to be decided if the seller gets them; `granted`: how many
   * there were; `left`: how many are not used up, those on hold included.
   */
  free_images: { due: { type: Boolean, default: false }, granted: counter, left: counter },
  /**
   * Images made again at no charge: `made`, all of them; `used`, those made or on hold in the calendar month (UTC) `month`,
   * such as `2026-11`.
   */
  remakes: { month: nullableText, used: counter, made: counter },
  /** Images asked for in the last day (UTC) with any, such as `2026-11-28`. Absent before the first one. */
  images_today: { type: new Schema({ day: text, used: count }, partOptions), ...optional },
  /**
   * When an image of the seller last failed or was cancelled, at the latest; null for never. Written with the end of its hold, so
   * that counts of such images are read only where there may be any.
   */
  unmade_at: nullableDate,
  /** The daily limit that an operator gave the seller; null for none. Absent for that of the installation. */
  daily_limit: {
    type: new Schema({ images: { type: Number, default: null }, set_at: date }, partOptions),
    ...optional,
  },
  /** Images made under the unlimited plan in the period that began at `period_start`. */
  fair_use: { period_start: nullableDate, used: counter },
  stripe_customer_id: nullableText,
  /** Customers that Stripe no longer has, the newest last. */
  former_customers: [String],
  /** The current subscription; null before the first and after the last one. */
  subscription_id: nullableText,
  subscription_data: { type: new Schema(subscriptionData, partOptions), default: null },
  /** Until when an overdue plan still works; null unless overdue. */
  grace_until: nullableDate,
  /** When the images end, because the plan has ended; null for never, and while there is a plan. */
  images_end_at: nullableDate,
  /** Whether everything paid for the current period was refunded or is disputed; then the seller cannot generate. */
  period_refunded: { type: Boolean, default: false },
  /** The key of the newest grant whose payment is returned: its images that are released are taken back. Null for none. */
  returned_grant: nullableText,
  /** Number of the last reading that was begun. */
  billing_asked: { type: Number, default: 0 },
  /** Number of the last reading that was applied. Readings with a smaller number are dropped. */
  billing_applied: { type: Number, default: 0 },
  /** Status emails that are not in the outbox yet. */
  pending_emails: [new Schema(pendingEmail, partOptions)],
  /** The lease of a change of plan. */
  billing_lease_until: nullableDate,
  /** When a reading was last applied. */
  billing_seen_at: nullableDate,
  /** Upkeep's tries to read the state after a period has ended: how many began, and when the next one is due. */
  billing_retry: { type: new Schema({ tries: number, due_at: date }, partOptions), default: null },
  /** What an operator decided about the billing when the account was disabled or enabled; absent without a decision. */
  billing_order: { type: new Schema(billingOrder, partOptions), ...optional },
  /** Increases by one with each change of balance or plan. */
  revision: { type: Number, default: 0 },
  /** Since when what programs are told is recorded: before the first API key or webhook is made, for good. Absent before. */
  events_since: { type: Date, ...optional },
  /** The same for webhooks: before the first one is made. */
  webhooks_since: { type: Date, ...optional },
  last_login: nullableDate,
  login_count: { type: Number, default: 0 },
  account_locked: { type: Boolean, default: false },
  /** How well the account is protected: written together with `two_factor_enabled`. */
  security_level: { type: String, enum: securityLevels, default: 'standard' as const },
  two_factor_enabled: { type: Boolean, default: false },
  email_verified: { type: Boolean, default: false },
  /**
   * Set while mail to the address of the account comes back, or its owner reported it as spam. It is about `address`: another
   * address of the account is reachable. `tried_at`: when a mail that the owner asked for was last tried all the same. Absent
   * otherwise.
   */
  unreachable: { type: new Schema(unreachable, partOptions), ...optional },
  /** When the seller asked to delete the account: from then on nobody can sign in, and upkeep removes it. */
  deletion_asked_at: nullableDate,
  /** True if an operator does that for the person; absent otherwise. */
  deletion_by_operator: { type: Boolean, ...optional },
  /** When an operator will have the account deleted, for a person who was told; absent otherwise. */
  deletion_planned: {
    type: new Schema(
      {
        asked_at: date,
        due_at: date,
        /** The order by which its plan is not renewed meanwhile; null if there is none. */
        order: nullableText,
      },
      partOptions,
    ),
    ...optional,
  },
  /** Since when the operator lets nobody sign in (`npm run account`); absent otherwise. */
  disabled_at: { type: Date, ...optional },
  /** Since when the account may use the operator's pages (`npm run operator`); absent otherwise. */
  operator_since: { type: Date, ...optional },
  /** The `two_factor_id` with which the role was granted: with another one it is suspended. Absent without the role. */
  operator_factor: { type: String, ...optional },
  /** Since when the account is being created or removed; absent once it is complete. */
  incomplete_since: { type: Date, ...optional },
  created_at: date,
  updated_at: date,
};

/** A seller's profile, and the document in which images are counted. `_id` is the seller's id. */
export interface ProfileRow extends Row<typeof profile> {}

const profileSchema = new Schema<ProfileRow>(profile, rowOptions);
// Upkeep looks for holds that are older than any request, for pending ledger entries and mails, for periods that have
// ended, for accounts and images to delete, and for accounts whose creation or removal was interrupted.
profileSchema.index({ 'holds.at': 1 });
profileSchema.index({ incomplete_since: 1 }, { sparse: true });
const entryLists = [
  'grants',
  'forfeits',
  'refunds',
  'reinstates',
  'support_added',
  'support_removed',
  'packs',
];
for (const list of entryLists) {
  const posted = `${list}.posted`;
  profileSchema.index({ [posted]: 1 }, { partialFilterExpression: { [posted]: false } });
}
profileSchema.index({ 'pending_emails.at': 1 });
profileSchema.index({ stripe_customer_id: 1 });
profileSchema.index({ former_customers: 1 });
profileSchema.index({ 'subscription_data.current_period_end': 1 });
profileSchema.index({ deletion_asked_at: 1 });
profileSchema.index({ images_end_at: 1 });
profileSchema.index({ operator_since: 1 }, { sparse: true });

// Upkeep looks for planned deletions, and for orders of operators that are not carried out, which are few.
profileSchema.index(
  { 'deletion_planned.due_at': 1 },
  { partialFilterExpression: { 'deletion_planned.due_at': { $gt: new Date(0) } } },
);
profileSchema.index(
  { 'billing_order.due_at': 1 },
  { partialFilterExpression: { 'billing_order.due_at': { $gt: new Date(0) } } },
);

export const profiles = collection<ProfileRow>('profiles', profileSchema, 'apart');
