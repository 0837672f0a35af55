import { z } from 'zod';
import { planIds } from './plan-list.ts';

export const planIdSchema = z.enum(planIds, { error: 'Invalid subscription plan' });

/** Stripe's subscription statuses, and `inactive` for a seller who never subscribed. */
export const subscriptionStatuses = [
  'inactive',
  'active',
  'trialing',
  'past_due',
  'unpaid',
  'incomplete',
  'incomplete_expired',
  'paused',
  'canceled',
] as const;
export const subscriptionStatusSchema = z.enum(subscriptionStatuses);
export type SubscriptionStatus = z.infer<typeof subscriptionStatusSchema>;

/** Statuses in which a seller may generate; `past_due` as well, until the grace period ends. */
export const generatingStatuses: readonly SubscriptionStatus[] = ['active', 'trialing'];

/** Statuses of a seller who has never paid for a plan. */
export const neverPaidStatuses: readonly SubscriptionStatus[] = [
  'inactive',
  'incomplete',
  'incomplete_expired',
];

/** Statuses of a subscription that has not ended: it is changed, instead of starting a new one. */
export const liveStatuses: readonly SubscriptionStatus[] = [
  'active',
  'trialing',
  'past_due',
  'unpaid',
  'paused',
  'incomplete',
];

/** Statuses of a subscription whose period is not paid: Stripe may go on trying to charge it. */
export const unpaidStatuses: readonly SubscriptionStatus[] = ['past_due', 'unpaid', 'paused', 'incomplete'];

/** What an operator decides about the billing of a seller whose account is disabled or enabled. */
export const billingOrderKinds = ['end-now', 'end-with-period', 'renew'] as const;
export type BillingOrderKind = (typeof billingOrderKinds)[number];

/** What a seller sees of plan, balance and billing. */
export const subscriptionViewSchema = z.object({
  plan: planIdSchema,
  status: subscriptionStatusSchema,
  /** True only when the status is `active`. */
  isActive: z.boolean(),
  /** Whether the plan lets the seller generate now: active, trialing, or overdue within the grace period. */
  canGenerate: z.boolean(),
  /** Whether it ends with the current period, or has ended. */
  isCancelled: z.boolean(),
  /** True for a plan without a monthly number of images. */
  unlimited: z.boolean(),
  /** Images of the plan that are available: what is left minus what is on hold; null when unlimited. */
  generationsLeft: z.number().int().nullable(),
  /** Images on hold for generations in progress, free ones included. */
  generationsHeld: z.number().int(),
  /**
   * The free images of the account, used when the plan allows none: how many there were, how many are available, and how
   * many are on hold. All are 0 for an account that got none; with `due`, a later sign-in may bring them.
   */
  freeImages: z.object({
    granted: z.number().int(),
    left: z.number().int(),
    held: z.number().int(),
    due: z.boolean(),
  }),
  /**
   * Images that were bought in packs, used when neither the plan nor the free images allow one: how many were bought, how many
   * are available, how many are on hold, and how many belong to payments that are under way. Absent for a seller without packs.
   */
  packImages: z
    .object({
      bought: z.number().int(),
      left: z.number().int(),
      held: z.number().int(),
      arriving: z.number().int(),
    })
    .optional(),
  /** Images per month of the plan; null when unlimited. */
  totalGenerations: z.number().int().nullable(),
  /** How many images the seller may ask for in a day (UTC), how many today, and when the next day begins. Absent without a limit. */
  dailyLimit: z
    .object({ images: z.number().int(), left: z.number().int(), renewsAt: z.iso.datetime() })
    .optional(),
  /** End of the period, when it renews unless cancelled. Null without a subscription. */
  currentPeriodEnd: z.iso.datetime().nullable(),
  cancelAtPeriodEnd: z.boolean(),
  /** `card` or another of Stripe's payment method types; null if unknown. */
  paymentMethod: z.string().nullable(),
  last4: z.string().nullable(),
  cardBrand: z.string().nullable(),
  isTrial: z.boolean(),
  trialEnd: z.iso.datetime().nullable(),
  /** A scheduled change of plan, such as a downgrade at the end of the period. */
  nextPlan: z.object({ plan: planIdSchema, at: z.iso.datetime() }).nullable(),
  /** End of the grace period; null unless overdue. */
  graceUntil: z.iso.datetime().nullable(),
  /** Whether the billing portal can be opened. */
  hasBilling: z.boolean(),
  /** Increases with each change of balance or plan: a view with a smaller one is old. */
  revision: z.number().int(),
});
export type SubscriptionView = z.infer<typeof subscriptionViewSchema>;

/** The pages from which a checkout starts, and to which it returns. */
export const checkoutOriginSchema = z.enum(['profile', 'studio']);
export type CheckoutOrigin = z.infer<typeof checkoutOriginSchema>;

/** What the seller agreed to pay at once, in the currency's smallest unit, as of the time of a preview, if there was one. */
const agreementSchema = z.strictObject({
  amount: z.number().int().min(0).max(10_000_000),
  prorationDate: z.iso.datetime().optional(),
});
export type Agreement = z.infer<typeof agreementSchema>;

/** Body of `POST /api/subscribe`. */
export const subscribeSchema = z.strictObject({
  planId: planIdSchema,
  /** Where the seller comes back to after a checkout; a name, so that nobody can choose the address. */
  returnTo: checkoutOriginSchema.default('profile'),
  /** Without it, nothing is charged at once. */
  agreed: agreementSchema.optional(),
});
export type Subscribe = z.input<typeof subscribeSchema>;

/** Its reply: where to pay without a subscription, else the changed subscription. */
export const subscribeReplySchema = z.union([
  z.object({ url: z.url() }),
  z.object({ subscription: subscriptionViewSchema }),
]);
export type SubscribeReply = z.infer<typeof subscribeReplySchema>;

/** A pack of images that can be bought once, without a plan. */
export const imagePackSchema = z.object({
  images: z.number().int(),
  /** Without tax. */
  priceCents: z.number().int(),
});
export type ImagePack = z.infer<typeof imagePackSchema>;

/** Body of `POST /api/image-packs`. */
export const buyPackSchema = z.strictObject({
  images: z.number().int().min(1).max(100_000),
  /** What the seller agreed to pay, without tax: nothing is bought for more. */
  agreed: z.strictObject({ amount: z.number().int().min(0).max(10_000_000) }),
  returnTo: checkoutOriginSchema.default('profile'),
});
export type BuyPack = z.input<typeof buyPackSchema>;

/** Reply of `POST /api/create-portal-session`. */
export const portalReplySchema = z.object({ url: z.url() });
export type PortalReply = z.infer<typeof portalReplySchema>;

/** Kinds of ledger entries. */
export const creditEntryKinds = [
  'grant',
  'pack',
  'settle',
  'release',
  'remake',
  'forfeit',
  'refund',
  'reinstate',
  'support-added',
  'support-removed',
] as const;
export const creditEntryKindSchema = z.enum(creditEntryKinds);
export type CreditEntryKind = z.infer<typeof creditEntryKindSchema>;

/** One ledger entry. */
export const creditEntryViewSchema = z.object({
  id: z.string(),
  /**
   * `grant`: images added by a paid period, or the free images of a new account. `pack`: images that were bought once. `settle`: an image that was made, or a generation that was stopped while a
   * preview was visible (its state is `cancelled`). `release`: a generation that failed or was cancelled and is not
   * counted. `remake`: an image that was made again at no charge. `forfeit`: images that expired with their period. `refund`: images taken back because their payment was
   * refunded or is disputed; 0 if all of them were used. `reinstate`: such images, returned. `support-added` and `support-removed`: images that our support gave or took.
   */
  kind: creditEntryKindSchema,
  count: z.number().int(),
  at: z.iso.datetime(),
  /** Whether it is the grant of the free images. */
  free: z.boolean(),
  /** The generation that it is about, if any. */
  generation: z.object({ id: z.string(), name: z.string(), state: z.string() }).nullable(),
  /** The paid period that it is about, if any. */
  period: z.object({ plan: planIdSchema, start: z.iso.datetime(), end: z.iso.datetime() }).nullable(),
});
export type CreditEntryView = z.infer<typeof creditEntryViewSchema>;

export const creditEntryListSchema = z.object({
  entries: z.array(creditEntryViewSchema),
  /** Null on the last page. */
  nextCursor: z.string().nullable(),
});
export type CreditEntryList = z.infer<typeof creditEntryListSchema>;
