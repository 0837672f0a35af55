import { z } from 'zod';
import { userViewSchema } from './accounts.ts';
import { asciiAddress } from './email-address.ts';
import { limits } from './limits.ts';
import { operatorReasonSchema } from './operators.ts';
import { planIdSchema, subscriptionStatusSchema, subscriptionViewSchema } from './plans.ts';

/** The most images that an operator gives or takes at once. */
export const supportImagesMost = 10_000;

/** Query of `GET /api/operator/sellers`: the beginning of an address, or an id. */
export const operatorSellerQuerySchema = z.strictObject({
  query: z
    .string()
    .overwrite(asciiAddress)
    .min(2, { error: 'Please enter at least 2 characters of an address, or an id.' })
    .max(254),
});

/** A seller in the operator's list. */
export const operatorSellerSchema = z.object({
  id: z.string(),
  email: z.string(),
  fullName: z.string(),
  plan: planIdSchema,
  status: subscriptionStatusSchema,
  disabled: z.boolean(),
});
export type OperatorSeller = z.infer<typeof operatorSellerSchema>;

/** Reply of `GET /api/operator/sellers`, by address. */
export const operatorSellerListSchema = z.object({
  sellers: z.array(operatorSellerSchema),
  /** Whether there are more than are listed. */
  more: z.boolean(),
});
export type OperatorSellerList = z.infer<typeof operatorSellerListSchema>;

/** A plan as one side has it. */
export const operatorPlanSchema = z.object({
  plan: planIdSchema,
  status: subscriptionStatusSchema,
  subscriptionId: z.string().nullable(),
  periodStart: z.iso.datetime().nullable(),
  periodEnd: z.iso.datetime().nullable(),
  cancelAtPeriodEnd: z.boolean(),
  nextPlan: planIdSchema.nullable(),
});
export type OperatorPlan = z.infer<typeof operatorPlanSchema>;

/** Reply of `GET /api/operator/sellers/:id`. */
export const operatorSellerViewSchema = z.object({
  user: userViewSchema,
  subscription: subscriptionViewSchema,
  emailVerified: z.boolean(),
  lastSignIn: z.iso.datetime().nullable(),
  disabledAt: z.iso.datetime().nullable(),
  /** When two-factor sign-in will be removed, as an operator asked; null or absent if nobody did. */
  twoFactorRemovalDueAt: z.iso.datetime().nullable().optional(),
  /** When the seller asked to delete the account. */
  deletionAskedAt: z.iso.datetime().nullable(),
  /** The counters of docs/credits.md. */
  balance: z.object({
    granted: z.number().int(),
    left: z.number().int(),
    freeLeft: z.number().int(),
    used: z.number().int(),
    expired: z.number().int(),
    refunded: z.number().int(),
    added: z.number().int(),
    removed: z.number().int(),
    held: z.number().int(),
    /** What an operator can take. */
    available: z.number().int(),
  }),
  /** Calls to the image provider today (UTC) that no image pays for, and how many are allowed. */
  unpaidCalls: z.object({
    used: z.number().int(),
    allowed: z.number().int(),
    /** Whether the seller's network has used up its own number. */
    stoppedByNetwork: z.boolean(),
  }),
  /** Images that count today (UTC), and the daily limit: null for none. `ownSince`: when an operator set it; null for that of the installation. */
  today: z
    .object({
      images: z.number().int(),
      limit: z.number().int().nullable(),
      ownSince: z.iso.datetime().nullable(),
    })
    .optional(),
  /** The plan as it is stored here, and when Stripe was last read. */
  plan: operatorPlanSchema,
  planReadAt: z.iso.datetime().nullable(),
  /** The customer at Stripe. */
  customerId: z.string().nullable(),
});
export type OperatorSellerView = z.infer<typeof operatorSellerViewSchema>;

/** Reply of `GET /api/operator/sellers/:id/stripe`. */
export const operatorStripePlanSchema = z.object({
  /** `none`: the seller has no customer. `deleted`: Stripe has deleted it. `unknown`: this Stripe account never had it. */
  customer: z.enum(['none', 'there', 'deleted', 'unknown']),
  /** Null without a subscription. */
  plan: operatorPlanSchema.nullable(),
  invoicesPaid: z.number().int(),
});
export type OperatorStripePlan = z.infer<typeof operatorStripePlanSchema>;

/** Body of `POST /api/operator/sellers/:id/images`. */
export const operatorImagesSchema = z.strictObject({
  action: z.enum(['give', 'take']),
  count: z
    .number({ error: 'Please enter a number of images.' })
    .int({ error: 'Please enter a whole number.' })
    .min(1, { error: 'Please enter at least 1.' })
    .max(supportImagesMost, { error: 'At most 10,000 images at once.' }),
  reason: operatorReasonSchema,
  /** Idempotency key, chosen by the client: a repeated request changes nothing. */
  key: z.string().min(1).max(limits.idempotencyKeyCharacters),
});
export type OperatorImages = z.infer<typeof operatorImagesSchema>;

/** The highest daily limit of a seller. */
const dailyLimitMost = 1_000_000;

/** Body of `PUT /api/operator/sellers/:id/daily-limit`. */
export const operatorDailyLimitSchema = z.strictObject({
  /** Images a day; `none` for no limit, `installation` for that of the installation. */
  limit: z.union([
    z.enum(['none', 'installation']),
    z
      .number({ error: 'Please enter a number of images.' })
      .int({ error: 'Please enter a whole number.' })
      .min(1, { error: 'Please enter at least 1. To stop the seller, disable the account.' })
      .max(dailyLimitMost, { error: 'At most 1,000,000 images a day.' }),
  ]),
  reason: operatorReasonSchema,
});
export type OperatorDailyLimit = z.infer<typeof operatorDailyLimitSchema>;

/** What an operator does with an account; part of the path. */
export const operatorSellerActions = [
  'disable',
  'enable',
  'read-plan',
  'reset-unpaid-calls',
  'mark-reachable',
  'ask-two-factor-removal',
  'stop-two-factor-removal',
] as const;
export type OperatorSellerAction = (typeof operatorSellerActions)[number];
