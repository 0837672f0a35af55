import { z } from 'zod';

/* What the calls to the image provider cost. Amounts are in micro-dollars: millionths of a US dollar. */

const amount = z.number().int();

/** Query of `GET /api/operator/costs`: for how many days, today included. */
export const operatorCostsQuerySchema = z.strictObject({ days: z.enum(['1', '7', '31']).default('7') });
export type OperatorCostsDays = z.infer<typeof operatorCostsQuerySchema>['days'];

/** The ended calls of one kind on one day. */
const costLineSchema = z.object({
  /** In UTC, as `2026-11-28`. */
  day: z.string(),
  provider: z.string(),
  model: z.string(),
  size: z.string(),
  quality: z.string(),
  calls: z.number().int(),
  /** Calls that gave an image that was accepted. */
  images: z.number().int(),
  /** What they cost, `estimated` included. */
  amount,
  /** What calls without a report cost at most. */
  estimated: amount,
  /** Calls whose cost is unknown, because no price of the model is. */
  unknown: z.number().int(),
});
export type OperatorCostLine = z.infer<typeof costLineSchema>;

/** Reply of `GET /api/operator/costs`. */
export const operatorCostsSchema = z.object({
  /** False where the image provider bills nothing: there are no costs then. */
  billed: z.boolean(),
  model: z.string(),
  /** The prices of the model today, in micro-dollars for a million tokens; null if they are not known. */
  price: z
    .object({ from: z.string(), textInput: amount, imageInput: amount, imageOutput: amount })
    .nullable(),
  today: z.object({
    day: z.string(),
    /** What the calls of today cost, and can cost that are under way. */
    total: amount,
    underWay: amount,
    callsUnderWay: z.number().int(),
    /** Null for no cap. */
    cap: amount.nullable(),
    /** Until when images wait, because the next call would pass the cap; null if they do not. */
    stoppedUntil: z.iso.datetime().nullable(),
  }),
  lines: z.array(costLineSchema),
  /** Those that cost most. */
  sellers: z.array(
    z.object({
      /** Null for all deleted accounts together. */
      id: z.string().nullable(),
      email: z.string(),
      calls: z.number().int(),
      amount,
    }),
  ),
});
export type OperatorCosts = z.infer<typeof operatorCostsSchema>;

/** An amount as a text: `$12.30`, and with four decimals below a dollar: `$0.0291`. Rounded up, so that nothing is free. */
export function dollarsText(microDollars: number): string {
  const decimals = microDollars < 1_000_000 ? 4 : 2;
  const unit = 10 ** (6 - decimals);
  const units = Math.ceil(microDollars / unit);
  const part = String(units % 10 ** decimals).padStart(decimals, '0');
  const whole = String(Math.floor(units / 10 ** decimals)).replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return `$${whole}.${part}`;
}
