/** Cards in the portal: the card added last becomes the default. */
import type { Core } from '../../core/core.ts';
import type { PaymentMethod } from '../../objects.ts';
import type { CardDetails } from '../../views.ts';
import { behaviourOf, checkCard, type Decline, digitsOf } from '../cards.ts';
import { setDefaultCard } from '../customers.ts';
import { attach, createCard, getCardOf } from '../payment-methods.ts';
import { isRunning } from '../subscriptions.ts';

/** Attaches a card and makes it the customer's default for invoices. */
export function attachDefaultCard(core: Core, customer: string, paymentMethod: string): PaymentMethod {
  const card = attach(core, paymentMethod, customer);
  makeDefaultCard(core, customer, card.id);
  return card;
}

/** Makes one of the customer's cards the default, also for their subscriptions. */
export function makeDefaultCard(core: Core, customer: string, paymentMethod: string): void {
  getCardOf(core, customer, paymentMethod);
  setDefaultCard(core, customer, paymentMethod);
  for (const subscription of core.store.list('subscription', { customer })) {
    // A subscription's own card takes precedence over the customer's default, so it must be changed as well.
    if (!isRunning(subscription) || subscription.default_payment_method === null) continue;
    core.change(subscription, { default_payment_method: paymentMethod }, 'customer.subscription.updated');
  }
}

/**
 * Validates the card that was typed. Returns a saved card that is not attached yet, or the reason for the decline.
 */
export function saveTypedCard(
  core: Core,
  card: CardDetails,
): { declined: Decline } | { method: PaymentMethod; needsChallenge: boolean } {
  const wrong = checkCard(card, core.now());
  if (wrong !== undefined) return { declined: wrong };
  const { saving, challenge } = behaviourOf(digitsOf(card.cardNumber));
  if (saving !== undefined) return { declined: saving };
  return { method: createCard(core, card), needsChallenge: challenge !== undefined };
}
