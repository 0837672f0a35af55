/** Operators and sellers: search, balance, ledger, plan here and at Stripe, images given and taken, accounts disabled. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import {
  type CreditEntryList,
  type OperatorActionList,
  type OperatorSellerList,
  type OperatorSellerView,
  type OperatorStripePlan,
  operatorPaths,
  paths,
} from '#contract';
import { call } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { eventually } from '#tests/support/harness.ts';
import { operatorOf } from '#tests/support/operator.ts';
import { type Seller, testPassword } from '#tests/support/seller.ts';
import { subscriber } from '#tests/support/subscriber.ts';
import { testWithStack } from '#tests/support/test.ts';
import { createVisitor } from '#tests/support/visitor.ts';

const test = testWithStack({ workers: 0 }).extend('operator', { scope: 'file' }, ({ stack }) =>
  operatorOf(stack),
);

const view = (operator: Seller, id: string) => operator.request<OperatorSellerView>(operatorPaths.seller(id));

function change(
  operator: Seller,
  id: string,
  action: 'give' | 'take',
  count: number,
  { key = randomUUID(), reason = 'The first image was blurred' } = {},
) {
  return call<OperatorSellerView>(operator, 'POST', operatorPaths.sellerImages(id), {
    action,
    count,
    reason,
    key,
  });
}

test('sellers are found by the beginning of their address and by id', async ({ stack, operator }) => {
  const seller = await stack.seller();
  const find = (query: string) =>
    operator.request<OperatorSellerList>(`${operatorPaths.sellers}?${new URLSearchParams({ query })}`);
  const expected = { id: seller.id, email: seller.email, plan: 'freelance', disabled: false };
  for (const query of [seller.id, seller.email, ` ${seller.email.slice(0, -3).toUpperCase()}`]) {
    expect((await find(query)).body).toMatchObject({ sellers: [expected], more: false });
  }
  expect((await find('.*@')).body).toEqual({ sellers: [], more: false });
  expectError(await find('a'), 'VALIDATION', {
    message: 'Please enter at least 2 characters of an address, or an id.',
    field: 'query',
  });
  expectError(await view(operator, 'nobody'), 'NOT_FOUND');
});

test('images are given and taken with a reason, once for each key, and never more than there are', async ({
  stack,
  operator,
}) => {
  const seller = await stack.seller({ paid: false });
  const window = await seller.openWindow();
  const told = new Promise((resolve) => window.socket.once('subscription', resolve));
  const key = randomUUID();
  const repeated = await Promise.all([1, 2, 3].map(() => change(operator, seller.id, 'give', 5, { key })));
  for (const answer of repeated) {
    expect(answer).toMatchObject({ status: 200, body: { balance: { freeLeft: 5, added: 5, available: 5 } } });
  }
  expect(await told).toMatchObject({ freeImages: { left: 5, granted: 5 } });
  // They need no plan.
  const { id } = await seller.submit();

  expectError(await change(operator, seller.id, 'take', 5), 'IMAGES_NOT_AVAILABLE', {
    message: 'Only 4 images can be taken: the others are used or on hold.',
  });
  // Two operators take at the same moment: one of them is refused.
  const second = await operatorOf(stack);
  const both = await Promise.all([
    change(operator, seller.id, 'take', 3),
    change(second, seller.id, 'take', 3),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await view(operator, seller.id)).body.balance).toMatchObject({
    granted: 5,
    freeLeft: 2,
    added: 5,
    removed: 3,
    held: 1,
    available: 1,
  });
  const ledger = await seller.request<CreditEntryList>(paths.creditEntries);
  expect(ledger.body.entries.map(({ kind, count }) => [kind, count])).toEqual([
    ['support-removed', 3],
    ['support-added', 5],
  ]);
  expect((await operator.request(operatorPaths.sellerLedger(seller.id))).body).toEqual(ledger.body);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
  expect((await seller.generation(id)).state).toBe('queued');
  window.close();

  expectError(await change(operator, seller.id, 'give', 5, { reason: '' }), 'VALIDATION', {
    message: 'Please say why.',
    field: 'reason',
  });
  expectError(await change(operator, seller.id, 'give', 0), 'VALIDATION', {
    message: 'Please enter at least 1.',
    field: 'count',
  });
  expectError(await change(operator, 'nobody', 'give', 1), 'NOT_FOUND');
  const log = await operator.request<OperatorActionList>(`${operatorPaths.actions}?target=${seller.id}`);
  expect(log.body.actions.map(({ action, details, outcome }) => [action, details, outcome]).sort()).toEqual([
    ['give-images', '5 images', 'done'],
    ['give-images', '5 images', 'done'],
    ['give-images', '5 images', 'done'],
    ['take-images', '3 images', 'done'],
    ['take-images', '3 images', 'refused'],
    ['take-images', '5 images', 'refused'],
  ]);
  expect(log.body.actions.at(-1)).toMatchObject({
    operator: operator.email,
    reason: 'The first image was blurred',
    target: { kind: 'seller', id: seller.id },
  });
});

test('free images are taken before those of the plan; what is left of the plan stays', async ({
  stack,
  operator,
}) => {
  const seller = await stack.seller();
  await change(operator, seller.id, 'give', 2);
  const { body } = await change(operator, seller.id, 'take', 5);
  expect(body.balance).toMatchObject({ left: 97, freeLeft: 0, available: 97 });
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('the plan is shown as it is here and at Stripe, and what Stripe says can be applied', async ({
  stack,
  operator,
}) => {
  const seller = await subscriber(stack, 'freelance');
  const atStripe = () => operator.request<OperatorStripePlan>(operatorPaths.sellerStripe(seller.id));
  const [here, there] = [(await view(operator, seller.id)).body.plan, await atStripe()];
  expect(there.body).toEqual({ customer: 'there', plan: here, invoicesPaid: 1 });
  // An event that was lost: here the plan seems to have been cancelled.
  await stack.models.profiles.updateOne(
    { _id: seller.id },
    { $set: { 'subscription_data.cancel_at_period_end': true } },
  );
  const changed = (await view(operator, seller.id)).body.plan;
  expect(changed.cancelAtPeriodEnd).toBe(true);
  expect((await atStripe()).body.plan).toEqual(here);
  expect((await view(operator, seller.id)).body.plan).toEqual(changed);
  const read = await call<OperatorSellerView>(
    operator,
    'POST',
    operatorPaths.sellerAction(seller.id, 'read-plan'),
    { reason: 'The two differ' },
  );
  expect(read).toMatchObject({ status: 200, body: { plan: here } });
  const free = await stack.seller({ paid: false });
  expect((await operator.request(operatorPaths.sellerStripe(free.id))).body).toEqual({
    customer: 'none',
    plan: null,
    invoicesPaid: 0,
  });
});

test('a disabled account is signed out at once and can sign in again when it is enabled', async ({
  stack,
  operator,
}) => {
  const seller = await stack.seller();
  const window = await seller.openWindow();
  const ended = new Promise((resolve) => window.socket.once('disconnect', resolve));
  const act = (action: 'disable' | 'enable') =>
    call<OperatorSellerView>(operator, 'POST', operatorPaths.sellerAction(seller.id, action), {
      reason: 'Asked for by its owner',
    });
  expect((await act('disable')).body.disabledAt).not.toBeNull();
  await ended;
  expectError(await seller.request(paths.me), 'UNAUTHENTICATED');
  const signIn = () =>
    createVisitor(stack.url).post(paths.session, { email: seller.email, password: testPassword });
  expectError(await signIn(), 'ACCOUNT_DISABLED', {
    message: 'This account has been disabled. Please contact support.',
  });
  expect((await act('enable')).body.disabledAt).toBeNull();
  expect((await signIn()).status).toBe(200);
});

test('a key counts for one operator and seller: each seller gets an entry, and the key for something else is refused', async ({
  stack,
  operator,
}) => {
  const [one, other] = [await stack.seller({ paid: false }), await stack.seller({ paid: false })];
  const key = randomUUID();
  const ledgerOf = async (seller: Seller) =>
    (await seller.request<CreditEntryList>(paths.creditEntries)).body.entries.map(({ kind, count }) => [
      kind,
      count,
    ]);
  for (const seller of [one, other]) {
    expect(await change(operator, seller.id, 'give', 5, { key })).toMatchObject({ status: 200 });
    expect(await ledgerOf(seller)).toEqual([['support-added', 5]]);
  }
  expectError(await change(operator, one.id, 'give', 6, { key }), 'IDEMPOTENCY_MISMATCH');
  expectError(await change(operator, one.id, 'take', 5, { key }), 'IDEMPOTENCY_MISMATCH');
  const taking = randomUUID();
  expect(await change(operator, one.id, 'take', 2, { key: taking })).toMatchObject({ status: 200 });
  expect(await change(operator, one.id, 'take', 2, { key: taking })).toMatchObject({
    body: { balance: { available: 3 } },
  });
  expectError(await change(operator, one.id, 'give', 2, { key: taking }), 'IDEMPOTENCY_MISMATCH');
  // Another operator who happens to choose the same key gives as well.
  const second = await operatorOf(stack);
  expect(await change(second, other.id, 'give', 5, { key })).toMatchObject({
    body: { balance: { available: 10 } },
  });
  expect(await ledgerOf(other)).toEqual([
    ['support-added', 5],
    ['support-added', 5],
  ]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('an operator decides neither on the balance nor on the access of their own account, and the log has the attempt', async ({
  stack,
}) => {
  const own = await operatorOf(stack);
  const refusal = { message: 'This is your own account. Another operator has to do this.' };
  for (const action of ['give', 'take'] as const) {
    expectError(await change(own, own.id, action, 5), 'OPERATORS_ONLY', refusal);
  }
  for (const action of ['disable', 'enable'] as const) {
    const answer = await call(own, 'POST', operatorPaths.sellerAction(own.id, action), { reason: 'A test' });
    expectError(answer, 'OPERATORS_ONLY', refusal);
  }
  expect((await view(own, own.id)).body.balance).toMatchObject({ added: 0, removed: 0 });
  const log = await own.request<OperatorActionList>(`${operatorPaths.actions}?target=${own.id}`);
  expect(log.body.actions.map(({ action, outcome }) => [action, outcome]).sort()).toEqual([
    ['disable-account', 'refused'],
    ['enable-account', 'refused'],
    ['give-images', 'refused'],
    ['take-images', 'refused'],
  ]);
  const other = await operatorOf(stack);
  expect(await change(other, own.id, 'give', 5)).toMatchObject({ status: 200 });
});
