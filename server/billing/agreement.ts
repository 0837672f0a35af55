import type Stripe from 'stripe';
import type { Agreement } from '#contract';
import { AppError } from '#shared/platform/errors.ts';
import { type PriceChange, previewCharge, type UpgradeCharge } from './plan-change-preview.ts';

/**
 * Compares what an upgrade would charge with what the seller agreed to.
 * @param since when the period and its plan began, in Unix seconds: an agreement of before is about something else
 * @returns the time for which the charge is to be computed, in Unix seconds, so that it is the agreed amount
 * @throws AppError AMOUNT_CHANGED, with the amount, when more would be charged; Stripe's error when it does not answer
 */
export async function agreedProrationDate(
  stripe: Stripe,
  change: PriceChange,
  since: number,
  agreed: Agreement | undefined,
): Promise<number> {
  const now = await previewCharge(stripe, change);
  if (agreed?.prorationDate === undefined) return within(now, now, agreed?.amount ?? 0);
  const at = Math.floor(Date.parse(agreed.prorationDate) / 1_000);
  // A time that is yet to come would be cheaper.
  if (at < since || at > now.prorationDate) throw costsNow(now);
  const then = at === now.prorationDate ? now : await previewCharge(stripe, change, at);
  return within(then, now, agreed.amount);
}

function within(charge: UpgradeCharge, now: UpgradeCharge, amount: number): number {
  if (charge.dueNow.amount > amount) throw costsNow(now);
  return charge.prorationDate;
}

const costsNow = ({ dueNow, currency }: UpgradeCharge) =>
  amountChanged('This change costs', dueNow.amount, currency);

/** @param what is charged, as the beginning of a sentence: `This change costs` @param amount in the currency's smallest unit */
export function amountChanged(what: string, amount: number, currency: string): AppError {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  return new AppError('AMOUNT_CHANGED', {
    message: `${what} ${format.format(amount / 100)} now. Nothing was charged. Please check the amount and confirm again.`,
  });
}
