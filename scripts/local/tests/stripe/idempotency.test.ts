/** Idempotency keys, faults, and the SDK's retries. */
import Stripe from 'stripe';
import { describe, expect } from 'vitest';
import { clientOf, refusal, testWithServer } from './harness.ts';

const test = testWithServer.extend('withAddress', ({ stripe }) => async (email: string) => {
  const { data } = await stripe.customers.list({ email });
  return data.length;
});

test.beforeEach(({ control }) => control.reset());

describe('an idempotency key', () => {
  test('returns the same reply again', async ({ stripe, withAddress }) => {
    const once = () => stripe.customers.create({ email: 'k1@example.com' }, { idempotencyKey: 'key-1' });
    const first = await once();
    const again = await once();
    expect(again.id).toBe(first.id);
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
    expect(await withAddress('k1@example.com')).toBe(1);
  });

  test('is rejected with different parameters', async ({ stripe }) => {
    await stripe.customers.create({ email: 'k2@example.com' }, { idempotencyKey: 'key-2' });
    const error = await refusal(
      stripe.customers.create({ email: 'k3@example.com' }, { idempotencyKey: 'key-2' }),
    );
    expect(error).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
    expect(error).toMatchObject({ statusCode: 400, type: 'StripeIdempotencyError' });
  });

  test('also stores declines and server errors', async ({ stripe, control, withAddress }) => {
    const { id: customer } = await stripe.customers.create();
    const attach = () =>
      stripe.paymentMethods.attach('pm_card_chargeDeclined', { customer }, { idempotencyKey: 'key-4' });
    for (const attempt of [attach(), attach()]) {
      expect(await refusal(attempt)).toMatchObject({ statusCode: 402, code: 'card_declined' });
    }

    await control.set({ faults: [{ when: 'after', status: 500 }] });
    const make = () => stripe.customers.create({ email: 'k5@example.com' }, { idempotencyKey: 'key-5' });
    expect(await refusal(make())).toMatchObject({ statusCode: 500, type: 'StripeAPIError' });
    expect(await refusal(make())).toMatchObject({ statusCode: 500, type: 'StripeAPIError' });
    expect(await withAddress('k5@example.com')).toBe(1);
  });

  test('can be reused after invalid parameters', async ({ stripe }) => {
    const key = { idempotencyKey: 'key-6' };
    // @ts-expect-error no such parameter
    expect(await refusal(stripe.customers.create({ emial: 'x' }, key))).toMatchObject({ statusCode: 400 });
    expect((await stripe.customers.create({ email: 'k6@example.com' }, key)).email).toBe('k6@example.com');
  });
});

describe('the SDK’s retries', () => {
  test('execute a call once although its reply was cut off', async ({ server, control, withAddress }) => {
    const retrying = clientOf(server, 'sk_test_retry', 2);
    await control.set({ faults: [{ when: 'after' }] });
    const made = await retrying.customers.create({ email: 'cut@example.com' });
    expect(made.id).toMatch(/^cus_/);
    expect(await withAddress('cut@example.com')).toBe(1);
  });

  test('recover from an error before the call was executed', async ({ server, control, withAddress }) => {
    const retrying = clientOf(server, 'sk_test_retry', 2);
    await control.set({
      faults: [{ when: 'before', status: 503 }, { when: 'before' }],
    });
    await retrying.customers.create({ email: 'twice@example.com' });
    expect(await withAddress('twice@example.com')).toBe(1);
    expect((await control.state()).faultsLeft).toBe(0);
  });

  test('do not happen for 429, a rate limit error', async ({ server, control }) => {
    await control.set({ faults: [{ when: 'before', status: 429 }] });
    const error = await refusal(clientOf(server, 'sk_test_retry', 2).customers.list());
    expect(error).toBeInstanceOf(Stripe.errors.StripeRateLimitError);
  });

  test('encounter a fault only where it matches', async ({ stripe, control }) => {
    await control.set({ faults: [{ when: 'before', status: 500, match: 'POST /v1/prices' }] });
    expect((await stripe.prices.list()).object).toBe('list');
    const error = await refusal(stripe.prices.create({ currency: 'usd', unit_amount: 1 }));
    expect(error).toMatchObject({ statusCode: 500 });
  });
});

test('the server can be slow', async ({ stripe, control }) => {
  await control.set({ latencyMs: 150 });
  const began = performance.now();
  await stripe.customers.list();
  expect(performance.now() - began).toBeGreaterThan(145);
});
