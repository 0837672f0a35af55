/** Whatever a change of plan costs: what is shown is what is charged, and never more. */
import fc from 'fast-check';
import type Stripe from 'stripe';
import { expect } from 'vitest';
import {
  agreementTo,
  agreeToPlan,
  charged,
  payByCheckout,
  previewPlan,
  profileOf,
  stripe,
} from '#tests/support/subscriber.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack({ workers: 0 });
const day = 86_400;

test('whatever coupon, tax and balance, on any day: what is shown is what is charged, and never more', async ({
  stack,
}) => {
  const { freelance, enterprise } = await stack.server.context.billing.catalogue();
  const coupons = await Promise.all(
    (
      [
        { percent_off: 33.3, duration: 'forever' },
        { percent_off: 100, duration: 'once' },
        { amount_off: 1_111, currency: 'usd', duration: 'repeating', duration_in_months: 2 },
      ] satisfies Stripe.CouponCreateParams[]
    ).map((params) => stripe(stack).coupons.create(params)),
  );
  const balances = [0, -700, -30_000, 1_234];
  const situation = fc.record({
    from: fc.constantFrom('freelance' as const, 'enterprise' as const),
    day: fc.integer({ min: 0, max: 27 }),
    second: fc.integer({ min: 0, max: day - 1 }),
    coupon: fc.option(fc.constantFrom(...coupons.map(({ id }) => id)), { nil: undefined }),
    country: fc.constantFrom(undefined, 'DE', 'HU', 'US'),
    balance: fc.constantFrom(...balances),
    /** What changes between the dialog and its button. */
    change: fc.constantFrom('nothing', 'coupon', 'balance', 'address', 'period', 'time'),
  });
  const usual = {
    from: 'freelance' as const,
    day: 10,
    second: 0,
    coupon: coupons[0]!.id,
    country: undefined,
    balance: 0,
  };
  const seed = Date.now() & 0x7fffffff;
  console.log(`amounts: seed ${seed}`);
  let refused = 0;
  let paid = 0;
  await fc.assert(
    fc.asyncProperty(situation, async ({ from, day: days, second, coupon, country, balance, change }) => {
      const seller = await stack.seller({ plan: from, paid: false });
      await payByCheckout(stack, seller, from);
      const { stripe_customer_id: customer, subscription_id: id } = await profileOf(stack, seller);
      if (country) await stripe(stack).customers.update(customer!, { address: { country } });
      await stripe(stack).subscriptions.update(id!, {
        ...(coupon && { discounts: [{ coupon }] }),
        automatic_tax: { enabled: country !== undefined },
      });
      await stripe(stack).customers.update(customer!, { balance });
      await stack.stripe.advance({ seconds: days * day + second });
      const to = from === 'freelance' ? 'enterprise' : 'freelance';
      const { status, body: shown } = await previewPlan(seller, to);
      expect({ status, shown }).toMatchObject({ status: 200 });
      if (shown.dueNow) {
        const { amount, remaining, unused, discount, tax, taxIncluded, balance: used } = shown.dueNow;
        expect(remaining - unused - discount + (taxIncluded ? 0 : tax) + used).toBe(amount);
      } else expect(from).toBe('enterprise');
      if (change === 'coupon') await stripe(stack).subscriptions.update(id!, { discounts: '' });
      if (change === 'balance') await stripe(stack).customers.update(customer!, { balance: 555 });
      if (change === 'address' && country) {
        await stripe(stack).customers.update(customer!, { address: { country: 'CH' } });
      }
      if (change === 'period') await stack.stripe.advance({ months: 1 });
      if (change === 'time') await stack.stripe.advance({ seconds: 1_800 });
      const before = await charged(stack, customer!);
      const answer = await agreeToPlan(seller, to, agreementTo(shown));
      const { sum } = await charged(stack, customer!);
      const isRefused = answer.body.error?.code === 'AMOUNT_CHANGED';
      expect({ status: answer.status, body: answer.body }).toMatchObject({ status: isRefused ? 409 : 200 });
      const due = shown.dueNow?.amount ?? 0;
      expect(sum - before.sum).toBeLessThanOrEqual(due);
      if (isRefused) expect(sum).toBe(before.sum);
      else if (change === 'nothing' || change === 'time') expect(sum - before.sum).toBe(due);
      if (isRefused) refused += 1;
      else paid += 1;
      const { items } = await stripe(stack).subscriptions.retrieve(id!);
      const wanted = from === 'freelance' && !isRefused ? enterprise : { freelance, enterprise }[from];
      expect(items.data[0]!.price.id).toBe(wanted.priceId);
      if (change === 'nothing' || change === 'time') {
        // The next payment is the one that was shown as well.
        expect(isRefused).toBe(false);
        await stack.stripe.advance({ to: items.data[0]!.current_period_end + 60 });
        expect((await charged(stack, customer!)).sum - sum).toBe(shown.next!.amount);
      }
      // The others are not to be renewed as well.
      await stripe(stack).customers.del(customer!);
    }),
    {
      seed,
      numRuns: 12,
      endOnFailure: true,
      // One that is paid and one that is refused, whatever the seed.
      examples: [[{ ...usual, change: 'nothing' }], [{ ...usual, change: 'coupon' }]],
    },
  );
  expect(refused).toBeGreaterThan(0);
  expect(paid).toBeGreaterThan(0);
});
