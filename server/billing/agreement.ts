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
  if (at < since || at > now.prorationDate) throw amountChanged(now);
  const then = at === now.prorationDate ? now : await previewCharge(stripe, change, at);
  return within(then, now, agreed.amount);
}

function within(charge: UpgradeCharge, now: UpgradeCharge, amount: number): number {
  if (charge.dueNow.amount > amount) throw amountChanged(now);
  return charge.prorationDate;
}

function amountChanged({ dueNow, currency }: UpgradeCharge): AppError {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  const amount = format.format(dueNow.amount / 100);
  return new AppError('AMOUNT_CHANGED', {
    message: `This change costs ${amount} now. Nothing was charged. Please check the amount and confirm again.`,
  });
}
