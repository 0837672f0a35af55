/** Names: the same rule at every place that takes one, and none in mails to addresses that nobody has confirmed. */
import { expect } from 'vitest';
import { limits, type Me, paths } from '#contract';
import { call, signIn } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { dangerousNames, validNames } from '#tests/support/names-and-addresses.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { createVisitor, newAddress, resetSignInLimit, signUpForm } from '#tests/support/visitor.ts';

// Without a worker the mails stay in the outbox, with their texts.
const test = testWithStack({ workers: 0, settings: { NETWORK_LIMIT_FACTOR: '100' } });

const signUp = (stack: TestStack, fullName: string, email = newAddress()) =>
  createVisitor(stack.url).post(paths.accounts, signUpForm({ email, fullName }));

test('people and businesses keep their names at sign-up and in the profile', async ({ stack }) => {
  const seller = await stack.seller({ paid: false });
  for (const fullName of validNames) {
    const email = newAddress();
    expect([fullName, (await signUp(stack, fullName, email)).status]).toEqual([fullName, 202]);
    expect(await stack.models.profiles.findOne({ email }).lean()).toMatchObject({ full_name: fullName });
    const changed = await call<Me>(seller, 'PATCH', paths.me, { fullName });
    expect(changed.body.user).toMatchObject({ fullName, displayName: fullName });
  }
});

test('a name that would do harm is refused at sign-up and in the profile', async ({ stack }) => {
  const seller = await stack.seller({ paid: false });
  const refused = { field: 'fullName', message: 'Please enter a valid name' };
  for (const name of Object.values(dangerousNames)) {
    expectError(await signUp(stack, name), 'VALIDATION', refused);
    expectError(await call(seller, 'PATCH', paths.me, { fullName: name }), 'VALIDATION', refused);
  }
  expect((await seller.me()).user.fullName).toBe('Test Seller');
});

test('whoever signs up with the address of somebody else cannot write to them: mails to it have no name', async ({
  stack,
}) => {
  const name = 'You have won a prize and will hear from us';
  const email = newAddress();
  const visitor = createVisitor(stack.url);
  expect((await visitor.post(paths.accounts, signUpForm({ email, fullName: name }))).status).toBe(202);
  await visitor.post(paths.verification, { email });
  await visitor.post(paths.passwordReset, { email });
  for (let count = 0; count < limits.lockOutFailures; count += 1) {
    await resetSignInLimit(stack.db);
    await signIn(stack.url, { email, password: 'Wrong-Horse-7' });
  }
  // And whoever has an account: a change of its address to theirs.
  const seller = await stack.seller({ paid: false });
  await call(seller, 'PATCH', paths.me, { fullName: name });
  const newEmail = newAddress();
  const moved = await call(seller, 'POST', paths.email, { email: newEmail, password: seller.password });
  expect(moved.status).toBe(202);

  const mails = await stack.models.mails.find({ to: { $in: [email, newEmail] } }).lean();
  expect([...new Set(mails.map(({ subject }) => subject))].sort()).toEqual([
    'Choose a new password',
    'Confirm your email',
    'Confirm your new email',
  ]);
  const named = mails.filter(({ subject, text, html }) => `${subject} ${text} ${html}`.includes('prize'));
  expect(named.map(({ subject }) => subject)).toEqual([]);
});
