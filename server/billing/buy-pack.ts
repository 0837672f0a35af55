import type { CheckoutOrigin } from '#contract';
import { currency } from '#shared/billing/catalogue.ts';
import type { BillingContext } from '#shared/billing/client.ts';
import { customerOf } from '#shared/billing/customer.ts';
import { expectPacks } from '#shared/data/profiles/billing.ts';
import { AppError } from '#shared/platform/errors.ts';
import { amountChanged } from './agreement.ts';
import { checkoutUrl } from './checkout.ts';
import { underBillingLease } from './subscribe.ts';

/** A pack that a seller asked for. */
export interface WantedPack {
  images: number;
  /** What the seller agreed to pay, without tax. */
  agreed: { amount: number };
  /** The page to which the seller comes back after paying. */
  returnTo: CheckoutOrigin;
}

/**
 * Opens a page of Stripe on which the seller pays for a pack. Its images come with the reading that finds the payment.
 * @returns the address of the page
 * @throws AppError AMOUNT_CHANGED when there is no such pack, or it costs more than was agreed; those of `underBillingLease`
 */
export async function buyPack(
  context: BillingContext,
  sellerId: string,
  { images, agreed, returnTo }: WantedPack,
): Promise<string> {
  const pack = context.config.imagePacks.find((each) => each.images === images);
  if (!pack)
    throw new AppError('AMOUNT_CHANGED', { message: 'This pack is no longer sold. Nothing was charged.' });
  if (pack.priceCents > agreed.amount) {
    throw amountChanged(`${images} images cost`, pack.priceCents, currency);
  }
  return underBillingLease(context, sellerId, async (deadline) => {
    const customer = await customerOf(context, sellerId);
    // Before there is a page to pay on: else a reading would not look for the payment.
    const boughtBefore = await expectPacks(context.db, sellerId);
    return checkoutUrl(context, { sellerId, customer, item: { pack, boughtBefore }, returnTo, deadline });
  });
}
