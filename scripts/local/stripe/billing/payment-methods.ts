/** Saved cards. */
import { type Core, newId } from '../core/core.ts';
import { cardError, invalidRequest, noSuch } from '../errors.ts';
import type { CardNumber, PaymentMethod } from '../objects.ts';
import type { CardDetails } from '../views.ts';
import { behaviourOf, digitsOf, predefinedCards, testBankAccount } from './cards.ts';

/** Saves a card that is not attached to a customer yet. The security code is not stored. */
export function createCard(core: Core, card: CardDetails): PaymentMethod {
  const number = digitsOf(card.cardNumber);
  const { brand } = behaviourOf(number);
  const now = core.now();
  const method: PaymentMethod = {
    id: newId('pm'),
    object: 'payment_method',
    billing_details: { name: card.name || null },
    card: {
      brand,
      country: 'US',
      exp_month: card.expMonth,
      exp_year: card.expYear,
      funding: 'credit',
      last4: number.slice(-4),
    },
    created: now,
    customer: null,
    metadata: {},
    type: 'card',
  };
  core.create(method);
  core.create<CardNumber>({
    id: `number_${method.id}`,
    object: 'card_number',
    created: now,
    number,
    authenticated: false,
  });
  return method;
}

/** Saves a bank account for debits. Its card is not shown by the API. */
export function createBankAccount(core: Core): PaymentMethod {
  const card = createCard(core, { cardNumber: testBankAccount, expMonth: 12, expYear: 9999 });
  const last4 = testBankAccount.slice(-4);
  return core.change(card, {
    type: 'us_bank_account',
    us_bank_account: { bank_name: 'STRIPE TEST BANK', last4 },
  });
}

/** The number of a saved card. */
export function cardNumberOf(core: Core, paymentMethod: string): CardNumber {
  return core.getOrThrow('card_number', `number_${paymentMethod}`);
}

/** A saved card; the name of a predefined test card creates a new card of that kind. */
function getCard(core: Core, id: string, param?: string): PaymentMethod {
  const number = predefinedCards[id];
  if (number === undefined) return core.getOrThrow('payment_method', id, param);
  const inThreeYears = new Date(core.now() * 1000).getUTCFullYear() + 3;
  return createCard(core, { cardNumber: number, expMonth: 12, expYear: inThreeYears });
}

/**
 * Attaches a card to a customer.
 * @throws StripeApiError 402 when the card is declined, 400 when it belongs to another customer
 */
export function attach(core: Core, id: string, customer: string): PaymentMethod {
  core.getOrThrow('customer', customer, 'customer');
  const method = getCard(core, id);
  if (method.customer === customer) return method;
  if (method.customer !== null) {
    throw invalidRequest('The payment method is already attached to another customer.', 'payment_method');
  }
  const decline = behaviourOf(cardNumberOf(core, method.id).number).saving;
  if (decline !== undefined) throw cardError(decline, { payment_method: method });
  const attached: PaymentMethod = { ...method, customer };
  core.store.put(attached);
  core.record('payment_method.attached', attached);
  return attached;
}

/** Detaches a card from its customer, so that it can no longer be charged. */
export function detach(core: Core, id: string): PaymentMethod {
  const method = core.getOrThrow('payment_method', id);
  const { customer } = method;
  if (customer === null) {
    throw invalidRequest(
      'The payment method is not attached to a customer, so it cannot be detached.',
      'payment_method',
    );
  }
  for (const subscription of core.store.list('subscription', { customer })) {
    if (subscription.default_payment_method !== id) continue;
    core.change(subscription, { default_payment_method: null }, 'customer.subscription.updated');
  }
  const owner = core.getOrThrow('customer', customer);
  if (owner.invoice_settings.default_payment_method === id) {
    core.change(
      owner,
      { invoice_settings: { ...owner.invoice_settings, default_payment_method: null } },
      'customer.updated',
    );
  }
  const detached: PaymentMethod = { ...method, customer: null };
  core.store.put(detached);
  core.record('payment_method.detached', detached, { customer });
  return detached;
}

/** A card of this customer. @throws StripeApiError 404 when it belongs to someone else */
export function getCardOf(core: Core, customer: string, id: string): PaymentMethod {
  const method = core.store.get('payment_method', id);
  if (method?.customer !== customer) throw noSuch('PaymentMethod', id);
  return method;
}
