/** Tests of the operations that the pages use: payments, 3-D Secure and the portal. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPrice, createProduct } from './billing/catalog.ts';
import { createCheckout } from './billing/checkout.ts';
import { createCustomer } from './billing/customers.ts';
import { createConfiguration } from './billing/portal/configurations.ts';
import { createPortalSession } from './billing/portal/sessions.ts';
import { itemOf } from './billing/subscriptions.ts';
import { Core } from './core/core.ts';
import { Store } from './core/store.ts';
import { createEngine, type StripeEngine } from './engine.ts';
import type { Price } from './objects.ts';
import type { CardDetails } from './views.ts';
import { Dispatcher } from './webhooks/dispatcher.ts';

let core: Core;
let engine: StripeEngine;
let basic: Price;
let pro: Price;
beforeEach(() => {
  core = new Core(new Store(undefined));
  core.origin = 'http://stripe.test';
  engine = createEngine(core, new Dispatcher(core.store, { retryMs: 10, maxAttempts: 2 }));
  const plan = (name: string, amount: number) =>
    createPrice(core, {
      product: createProduct(core, { name }).id,
      unit_amount: amount,
      currency: 'usd',
    });
  basic = plan('Basic', 1000);
  pro = plan('Pro', 3000);
  createConfiguration(core, {
    features: {
      subscription_cancel: { enabled: true, mode: 'at_period_end' },
      subscription_update: {
        enabled: true,
        default_allowed_updates: ['price'],
        products: [basic, pro].map(({ id, product }) => ({ product, prices: [id] })),
        proration_behavior: 'always_invoice',
        schedule_at_period_end: { conditions: [{ type: 'decreasing_item_amount' }] },
      },
    },
  });
});
afterEach(() => core.store.close());

const card = (cardNumber: string): CardDetails => ({ cardNumber, expMonth: 12, expYear: 2040 });
const good = card('4242 4242 4242 4242');
const asking = card('4000 0025 0000 3155');
const alwaysAsking = card('4000 0027 6000 3184');
const failingLater = card('4000 0000 0000 0341');

const openCheckout = (price: Price) =>
  createCheckout(core, {
    mode: 'subscription',
    line_items: [{ price: price.id }],
    success_url: 'https://app.test/ok?s={CHECKOUT_SESSION_ID}',
    customer: createCustomer(core, { email: 'buyer@example.com' }).id,
  });
/** Subscribes with a card and opens the portal. */
const subscribed = (price: Price): string => {
  const { id } = openCheckout(price);
  expect(engine.payCheckout(id, good)).toMatchObject({ outcome: 'paid' });
  const { session } = engine.findCheckout(id)!;
  return createPortalSession(core, { customer: session.customer }).id;
};
const view = (session: string) => engine.findPortal(session)!;
const priceOf = (session: string) => itemOf(view(session).subscription!).price.id;

describe('checkout', () => {
  test('shows the purchase and redirects to the success URL after payment', () => {
    const { id } = openCheckout(pro);
    expect(engine.findCheckout(id)).toMatchObject({
      session: { amount_total: 3000 },
      product: { name: 'Pro' },
    });
    expect(engine.payCheckout(id, good)).toEqual({
      outcome: 'paid',
      redirectUrl: `https://app.test/ok?s=${id}`,
    });
    expect(() => engine.payCheckout(id, good)).toThrow('complete');
    expect(engine.findCheckout('cs_none')).toBeUndefined();
  });

  test('requires 3-D Secure authentication once', () => {
    const { id } = openCheckout(pro);
    const refused = engine.payCheckout(id, asking);
    if (refused.outcome !== 'authenticate') throw new Error(refused.outcome);
    expect(engine.answerChallenge(refused.challengeId, false)).toMatchObject({
      outcome: 'declined',
      returnUrl: `http://stripe.test/c/pay/${id}`,
    });
    expect(engine.answerChallenge(refused.challengeId, true)).toMatchObject({ outcome: 'declined' });
    const accepted = engine.payCheckout(id, asking);
    if (accepted.outcome !== 'authenticate') throw new Error(accepted.outcome);
    expect(engine.findChallenge(accepted.challengeId)).toMatchObject({
      challenge: { amount: 3000, state: 'open' },
      card: { card: { last4: '3155' } },
    });
    const done = { outcome: 'done', returnUrl: `https://app.test/ok?s=${id}` };
    expect(engine.answerChallenge(accepted.challengeId, true)).toEqual(done);
    expect(engine.answerChallenge(accepted.challengeId, false)).toEqual(done);
    expect(engine.listSubscriptions()).toHaveLength(1);
  });

  test('reports a card that is declined after authentication', () => {
    const paid = engine.payCheckout(openCheckout(pro).id, card('4000 0082 6000 3178'));
    if (paid.outcome !== 'authenticate') throw new Error(paid.outcome);
    expect(engine.answerChallenge(paid.challengeId, true)).toMatchObject({
      outcome: 'declined',
      message: 'Your card has insufficient funds.',
    });
    expect(engine.listSubscriptions()).toEqual([]);
  });
});

describe('the portal', () => {
  test('charges an upgrade immediately', () => {
    const session = subscribed(basic);
    const preview = engine.portalPreviewChange(session, pro.id);
    expect(preview).toMatchObject({ when: 'now', amountDue: 2000 });
    expect(engine.portalChangePlan(session, pro.id)).toEqual({ outcome: 'done' });
    expect(priceOf(session)).toBe(pro.id);
    expect(view(session).invoices[0]).toMatchObject({ amount_paid: 2000, status: 'paid' });
    expect(() => engine.portalChangePlan(session, pro.id)).toThrow('current');
  });

  test('changes nothing when an upgrade is declined', () => {
    const session = subscribed(basic);
    engine.portalAddCard(session, failingLater);
    const before = view(session);
    expect(engine.portalChangePlan(session, pro.id)).toMatchObject({
      outcome: 'declined',
      code: 'card_declined',
    });
    expect(view(session)).toEqual(before);
  });

  test.each([true, false, 'nobody answers'])(
    'completes or discards an upgrade after 3-D Secure (accepted: %s)',
    async (accept) => {
      const session = subscribed(basic);
      const added = engine.portalAddCard(session, alwaysAsking);
      if (added.outcome !== 'authenticate') throw new Error(added.outcome);
      engine.answerChallenge(added.challengeId, true);
      const changing = engine.portalChangePlan(session, pro.id);
      if (changing.outcome !== 'authenticate') throw new Error(changing.outcome);
      expect(priceOf(session)).toBe(basic.id);
      expect(view(session).subscription?.pending_update).toMatchObject({
        subscription_items: [{ price: { id: pro.id } }],
      });
      if (typeof accept === 'string') await engine.advance({ seconds: 23 * 3600 });
      else {
        const answered = engine.answerChallenge(changing.challengeId, accept);
        expect(answered.returnUrl).toBe(`http://stripe.test/p/session/${session}`);
      }
      expect(priceOf(session)).toBe(accept === true ? pro.id : basic.id);
      expect(view(session).invoices[0]?.status).toBe(accept === true ? 'paid' : 'void');
      expect(view(session).subscription?.pending_update).toBeNull();
    },
  );

  test('schedules a downgrade for the period end, and can undo it', async () => {
    const session = subscribed(pro);
    const { current_period_end: end } = itemOf(view(session).subscription!);
    expect(engine.portalPreviewChange(session, basic.id)).toMatchObject({
      when: 'period_end',
      at: end,
      amountDue: 0,
    });
    engine.portalChangePlan(session, basic.id);
    expect(view(session).pendingChange).toMatchObject({ at: end, price: { id: basic.id } });
    engine.portalUndoSchedule(session);
    expect(view(session).pendingChange).toBeNull();
    engine.portalChangePlan(session, basic.id);
    await engine.advance({ to: end });
    expect(priceOf(session)).toBe(basic.id);
    expect(view(session).pendingChange).toBeNull();
    expect(view(session).invoices[0]).toMatchObject({ amount_paid: 1000 });
  });

  test('removes a scheduled change on cancellation, and can resume the subscription', async () => {
    const session = subscribed(pro);
    engine.portalChangePlan(session, basic.id);
    engine.portalCancel(session);
    expect(view(session)).toMatchObject({
      schedule: null,
      subscription: { cancel_at: expect.any(Number), cancel_at_period_end: false },
    });
    engine.portalResume(session);
    expect(view(session).subscription?.cancel_at).toBeNull();
    engine.portalCancel(session);
    await engine.advance({ months: 1 });
    expect(view(session).subscription).toBeNull();
    expect(() => engine.portalResume(session)).toThrow('no subscription');
  });

  test('lets only the owner add, select and remove cards', () => {
    const session = subscribed(basic);
    const [first] = view(session).cards;
    expect(engine.portalAddCard(session, card('5555555555554444'))).toEqual({ outcome: 'done' });
    const [second] = view(session).cards;
    expect(view(session).defaultCard).toBe(second?.id);
    engine.portalSetDefaultCard(session, first?.id as string);
    expect(view(session).defaultCard).toBe(first?.id);
    engine.portalRemoveCard(session, first?.id as string);
    expect(view(session).defaultCard).toBeNull();
    const other = subscribed(basic);
    expect(() => engine.portalRemoveCard(other, second?.id as string)).toThrow('No such PaymentMethod');
  });

  test('pays an open invoice with the default card', async () => {
    const session = subscribed(basic);
    engine.portalAddCard(session, failingLater);
    await engine.advance({ months: 1 });
    expect(view(session).subscription?.status).toBe('past_due');
    const [open] = view(session).invoices;
    expect(engine.portalPayInvoice(session, open?.id as string)).toMatchObject({ outcome: 'declined' });
    engine.portalAddCard(session, good);
    expect(engine.portalPayInvoice(session, open?.id as string)).toEqual({ outcome: 'done' });
    expect(view(session).subscription?.status).toBe('active');
    expect(() => engine.portalPayInvoice(session, open?.id as string)).toThrow('cannot be paid');
  });
});
