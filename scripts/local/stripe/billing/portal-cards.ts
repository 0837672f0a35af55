/** Cards as the portal handles them: the newest one is charged. */
import type { Core } from '../core/core.ts';
import type { CardDetails } from '../engine.ts';
import type { PaymentMethod } from '../objects.ts';
import { behaviourOf, checkCard, type Decline, digitsOf } from './cards.ts';
import { setDefaultCard } from './customers.ts';
import { attach, createCard, needCardOf } from './payment-methods.ts';
import { isRunning } from './subscriptions.ts';

/** Attaches a card and makes it the one that the customer's invoices are charged to. */
export function adoptCard(core: Core, customer: string, paymentMethod: string): PaymentMethod {
  const card = attach(core, paymentMethod, customer);
  chooseCard(core, customer, card.id);
  return card;
}

/** Makes one of the customer's cards the one that is charged, by their subscriptions too. */
export function chooseCard(core: Core, customer: string, paymentMethod: string): void {
  needCardOf(core, customer, paymentMethod);
  setDefaultCard(core, customer, paymentMethod);
  for (const subscription of core.store.list('subscription', { customer })) {
    // A subscription's own card goes before the customer's: it has to follow, or the old one were charged.
    if (!isRunning(subscription) || subscription.default_payment_method === null) continue;
    core.change(subscription, { default_payment_method: paymentMethod }, 'customer.subscription.updated');
  }
}

/** Reads what was typed: a saved card, attached to nobody yet, or why it is refused. */
export function typedCard(
  core: Core,
  card: CardDetails,
): { declined: Decline } | { method: PaymentMethod; mustAsk: boolean } {
  const wrong = checkCard(card, core.now());
  if (wrong !== undefined) return { declined: wrong };
  const { saving, challenge } = behaviourOf(digitsOf(card.cardNumber));
  if (saving !== undefined) return { declined: saving };
  return { method: createCard(core, card), mustAsk: challenge !== undefined };
}
