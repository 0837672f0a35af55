import { z } from 'zod';
import { planIdSchema } from './plans.ts';

/** An amount in the currency's smallest unit, such as cents. */
const amountSchema = z.number().int();

/** Query of `GET /api/subscription/preview`. */
export const planChangeQuerySchema = z.strictObject({ planId: planIdSchema });

/** What a change of plan costs, as of one moment. */
export const planChangePreviewSchema = z.object({
  planId: planIdSchema,
  /** Three letters, such as `usd`. */
  currency: z.string(),
  /**
   * What is charged at once; null when nothing is, because the plan changes later or in a trial. `amount` is `remaining`
   * minus `unused` minus `discount` plus `tax`, unless that is included, plus `balance`.
   */
  dueNow: z
    .object({
      amount: amountSchema,
      /** The rest of the period with the new plan, and with the current one. */
      remaining: amountSchema,
      unused: amountSchema,
      /** What is not in these two already. */
      discount: amountSchema,
      tax: amountSchema,
      taxIncluded: z.boolean(),
      /** Credit that is used (negative), or what is still owed. */
      balance: amountSchema,
      /** The time that it was computed for. */
      prorationDate: z.iso.datetime(),
    })
    .nullable(),
  /** The payment after that, with its tax; null if it is not known. */
  next: z
    .object({
      amount: amountSchema,
      tax: amountSchema,
      taxIncluded: z.boolean(),
      at: z.iso.datetime(),
    })
    .nullable(),
});
export type PlanChangePreview = z.infer<typeof planChangePreviewSchema>;
