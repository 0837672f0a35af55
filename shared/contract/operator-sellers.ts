import { z } from 'zod';
import { userViewSchema } from './accounts.ts';
import { asciiAddress } from './email-address.ts';
import { limits } from './limits.ts';
import { operatorReasonSchema } from './operators.ts';
import {
  billingOrderKinds,
  planIdSchema,
  subscriptionStatusSchema,
  subscriptionViewSchema,
} from './plans.ts';

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
  /** When the deletion of the account began. */
  deletionAskedAt: z.iso.datetime().nullable(),
  /** When the account will be deleted after a notice to the person; null or absent if that is not planned. */
  deletionDueAt: z.iso.datetime().nullable().optional(),
  /** The counters of docs/credits.md. */
  balance: z.object({
    granted: z.number().int(),
    left: z.number().int(),
    freeLeft: z.number().int(),
    /** Images of packs; absent in replies of the release before. */
    packLeft: z.number().int().optional(),
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
  /** What an operator decided about the billing when the account was disabled or enabled; null or absent without that. */
  billingOrder: z
    .object({
      kind: z.enum(billingOrderKinds),
      askedAt: z.iso.datetime(),
      /** Whether Stripe is still to be told. */
      pending: z.boolean(),
      /** Why that failed so far. */
      problem: z.string().nullable(),
      /** When billing ends or has ended; null while that is not known, and if there was nothing to end. */
      endsAt: z.iso.datetime().nullable(),
    })
    .nullable()
    .optional(),
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

/** What becomes of a seller's billing when the account is disabled or enabled. `leave`: it stays as it is. */
export const operatorBillingChoices = [...billingOrderKinds, 'leave'] as const;
export type OperatorBillingChoice = (typeof operatorBillingChoices)[number];

const moneySchema = z.object({ cents: z.number().int(), currency: z.string() });

/** Reply of `GET /api/operator/sellers/:id/billing`: what each way to end the billing would do. */
export const operatorBillingSchema = z.object({
  /** `stored`: Stripe does not answer, so this is what is stored here, without amounts. */
  source: z.enum(['stripe', 'stored']),
  /** Null without a subscription that has not ended. */
  subscription: z
    .object({
      /** Null for one that is not of our plans. */
      plan: planIdSchema.nullable(),
      status: subscriptionStatusSchema,
      periodEnd: z.iso.datetime(),
      /** Whether it ends then. */
      ends: z.boolean(),
      /** The plan that a scheduled change begins then. */
      nextPlan: planIdSchema.nullable(),
      /** For each month, before tax and discounts; null if it is not known. */
      price: moneySchema.nullable(),
    })
    .nullable(),
  /** Further subscriptions that have not ended. */
  others: z.number().int(),
  /** What is due and not paid, for each invoice. */
  unpaid: z.array(moneySchema),
  /** The last payment, and what was given back of it. */
  lastPayment: moneySchema.extend({ at: z.iso.datetime(), refundedCents: z.number().int() }).nullable(),
  /** What an operator who disables the account can choose; nothing without a subscription. */
  choices: z.array(z.enum(operatorBillingChoices)),
});
export type OperatorBilling = z.infer<typeof operatorBillingSchema>;

/** Body of `POST /api/operator/sellers/:id/:action`. */
export const operatorSellerActionSchema = z.strictObject({
  reason: operatorReasonSchema,
  /** For `disable` and `enable`: what becomes of the billing; by default it stays as it is. */
  billing: z.enum(operatorBillingChoices).optional(),
});
export type OperatorSellerActionBody = z.infer<typeof operatorSellerActionSchema>;

/** Reply of `POST /api/operator/sellers/:id/export`: the path of the ZIP, which works for a minute in the same session. */
export const operatorExportSchema = z.object({ url: z.string(), expiresAt: z.iso.datetime() });
export type OperatorExport = z.infer<typeof operatorExportSchema>;

/** Body of `POST /api/operator/sellers/:id/delete`. */
export const operatorDeletionSchema = z.strictObject({
  reason: operatorReasonSchema,
  /** The address of the account, typed by the operator. */
  email: z.string({ error: 'Please type the address.' }).overwrite(asciiAddress).max(254),
  /** `notice`: after `limits.deletionNoticeDays`, of which a mail tells the person. */
  when: z.enum(['now', 'notice'], { error: 'Please choose when.' }),
});
export type OperatorDeletion = z.infer<typeof operatorDeletionSchema>;

/** Reply of it: the seller while the deletion is planned; null once it is being deleted. */
export const operatorDeletionReplySchema = z.object({ seller: operatorSellerViewSchema.nullable() });
export type OperatorDeletionReply = z.infer<typeof operatorDeletionReplySchema>;

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
  'stop-deletion',
] as const;
export type OperatorSellerAction = (typeof operatorSellerActions)[number];
