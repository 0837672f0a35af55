import Stripe from 'stripe';

/**
 * What a seller does on a page of Stripe before an upgrade can be paid: `confirm` it there, with 3-D Secure or another
 * card, or `add-method`, because there is nothing to charge.
 */
export type PaymentStep = 'confirm' | 'add-method';

/** The step that an error of an upgrade asks for; undefined for other errors. */
export function paymentStepOf(error: unknown): PaymentStep | undefined {
  if (!(error instanceof Stripe.errors.StripeError)) return undefined;
  // Declined, to be authenticated, or a debit whose money is not there yet. Not all of them are card errors.
  if (error.statusCode === 402) return 'confirm';
  // Its code is that of an unknown object, or none: only the text tells them apart.
  const isMethodMissing =
    error instanceof Stripe.errors.StripeInvalidRequestError &&
    /no attached payment source|default payment method/i.test(error.message);
  return isMethodMissing ? 'add-method' : undefined;
}
