/** The role of operator needs the two-factor sign-in with which it was granted, given in the session that uses it, and lately. */
import { expect } from 'vitest';
import { limits, type OperatorNow, operatorPaths, paths } from '#contract';
import { accountAction } from '#scripts/account/account.ts';
import { operatorAction } from '#scripts/operator/operator.ts';
import { connectionOf } from '#shared/data/collection.ts';
import { grantOperator } from '#shared/data/operator/operators.ts';
import { undoChange, undoToken } from '#tests/integration/accounts/takeover-steps.ts';
import {
  anotherSession,
  call,
  codeOf,
  post,
  signIn,
  turnOnTwoFactor,
  withToken,
  wrongCode,
} from '#tests/support/account.ts';
import { addPasskey } from '#tests/support/authenticator.ts';
import { expectError } from '#tests/support/errors.ts';
import { eventually } from '#tests/support/harness.ts';
import { operatorOperations } from '#tests/support/operator.ts';
import { type Seller, testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { newAddress, tokenFromMail } from '#tests/support/visitor.ts';

const test = testWithStack({ workers: 1 });

const open = (seller: Pick<Seller, 'request'>) => seller.request<OperatorNow>(operatorPaths.now);

async function newOperator(stack: TestStack) {
  const seller = await stack.seller({ paid: false });
  const two = await turnOnTwoFactor(seller);
  expect(await grantOperator(stack.db, seller.id)).toBe(true);
  return { seller, ...two };
}
type NewOperator = Awaited<ReturnType<typeof newOperator>>;

/** Signs in with a password only. */
async function withPassword(stack: TestStack, seller: Seller, password: string): Promise<Seller> {
  const { status, body } = await signIn(stack.url, { email: seller.email, password });
  expect(status).toBe(200);
  return { ...seller, ...withToken(seller, body.token) };
}

/** How two-factor sign-in is taken away, with the password that the account has then. */
const ways: Readonly<Record<string, (stack: TestStack, operator: NewOperator) => Promise<string>>> = {
  async 'turned off with a code'(_stack, { seller, secret }) {
    const body = { password: testPassword, code: codeOf(secret, 1) };
    expect((await call(seller, 'DELETE', paths.twoFactor, body)).status).toBe(204);
    return testPassword;
  },
  async 'removed by the undo link of the old mailbox'(stack, { seller, secret }) {
    const body = { email: newAddress(), password: testPassword, code: codeOf(secret, 1) };
    expect((await call(seller, 'POST', paths.email, body)).status).toBe(202);
    const token = await undoToken(stack, seller.email, 'about to change');
    expect((await undoChange(stack, token, 'Newer-Horse-8')).status).toBe(204);
    return 'Newer-Horse-8';
  },
  async 'removed by a reset of the password'(stack, { seller: { email } }) {
    await post(stack.url, paths.passwordReset, { email });
    const { token } = await tokenFromMail(stack, email, 'resetPassword');
    const body = { token, password: 'Newer-Horse-8' };
    expect((await post(stack.url, paths.confirmPasswordReset, body)).status).toBe(204);
    return 'Newer-Horse-8';
  },
  async 'removed by the command'(stack, { seller: { email } }) {
    await accountAction(['reset-two-factor', email, 'Lost the phone'])(stack.db);
    return testPassword;
  },
};

test.for(Object.keys(ways))(
  'two-factor sign-in %s and turned on again does not bring the role back until it is granted again',
  async (way, { stack }) => {
    const operator = await newOperator(stack);
    expect((await open(operator.seller)).status).toBe(200);
    const password = await ways[way]!(stack, operator);
    const again = await withPassword(stack, operator.seller, password);
    expectError(await open(again), 'OPERATOR_TWO_FACTOR');
    await turnOnTwoFactor(again, password);
    expectError(await open(again), 'OPERATOR_SUSPENDED');
    expect(await operatorAction(['list'])(stack.db)).toMatch(
      new RegExp(`^${operator.seller.email} since .*suspended`, 'm'),
    );
    expect(await operatorAction(['grant', operator.seller.email])(stack.db)).toContain('is now');
    expect((await open(again)).status).toBe(200);
  },
);

test('the role is suspended when its factor is replaced by another one, and not when one is added', async ({
  stack,
}) => {
  const { seller, secret, recoveryCodes } = await newOperator(stack);
  await addPasskey(stack.url, seller, { code: recoveryCodes[0]! });
  expect((await open(seller)).status).toBe(200);
  const body = { password: testPassword, code: codeOf(secret, 1) };
  expect((await call(seller, 'DELETE', paths.twoFactor, body)).status).toBe(204);
  expectError(await open(seller), 'OPERATOR_SUSPENDED');
  expect(await grantOperator(stack.db, seller.id)).toBe(true);
  expect((await open(seller)).status).toBe(200);
});

test('turning two-factor sign-in on ends the other sessions, and the one that did has given a code', async ({
  stack,
}) => {
  const seller = await stack.seller({ paid: false });
  const other = await anotherSession(stack.url, seller);
  await turnOnTwoFactor(seller);
  await grantOperator(stack.db, seller.id);
  expect((await other.request(paths.me)).status).toBe(401);
  expect((await open(seller)).status).toBe(200);
});

test('a session that gave no code has no role: no page, no action, no events, until it gives one', async ({
  stack,
}) => {
  const { seller, secret, recoveryCodes } = await newOperator(stack);
  const sessions = connectionOf(stack.db).collection('sessions');
  // As it is after a sign-in of the release before.
  await sessions.updateMany({ user_id: seller.id }, { $unset: { factors: '', confirmed_at: '' } });
  for (const [method, path] of await operatorOperations(stack.url)) {
    expectError(await seller.request(path, { method }), 'OPERATOR_CODE');
  }
  await sessions.updateMany({ user_id: seller.id }, { $set: { factors: ['password'] } });
  const window = await seller.openWindow();
  let events = 0;
  window.socket.on('operatorNow', () => {
    events += 1;
  });
  // Another operator's socket shows when events were sent.
  const witness = await (await newOperator(stack)).seller.openWindow();
  const sent = () =>
    new Promise<void>((resolve) => {
      witness.socket.once('operatorNow', () => resolve());
      stack.server.context.relay.publishOperators();
    });
  await sent();
  await sent();
  expect(events).toBe(0);
  expectError(await open(seller), 'OPERATOR_CODE');
  const confirm = (body: object) => call(seller, 'POST', paths.confirmation, body);
  expect((await confirm({ password: testPassword })).status).toBe(204);
  expectError(await open(seller), 'OPERATOR_CODE');
  expectError(await confirm({ code: wrongCode(secret) }), 'CODE_INVALID');
  expectError(await confirm({ code: codeOf(secret, 1), password: testPassword }), 'VALIDATION');
  expect((await confirm({ code: codeOf(secret, 1) })).status).toBe(204);
  expect((await open(seller)).status).toBe(200);
  await expect
    .poll(() => {
      stack.server.context.relay.publishOperators();
      return events;
    }, eventually)
    .toBeGreaterThan(0);
  window.close();
  witness.close();
  // A sign-in with a recovery code has given a second factor as well.
  const { body } = await signIn(stack.url, { email: seller.email, code: recoveryCodes[0]! });
  const headers = { authorization: `Bearer ${body.token}` };
  expect((await fetch(stack.url + operatorPaths.now, { headers })).status).toBe(200);
});

test('every action of operators needs the password or a code of the last ten minutes, and is not logged without', async ({
  stack,
}) => {
  const { seller, secret } = await newOperator(stack);
  const age = (minutes: number) =>
    stack.models.sessions.updateMany(
      { user_id: seller.id },
      { $set: { confirmed_at: new Date(Date.now() - minutes * 60_000) } },
    );
  await age(limits.confirmedMinutes + 1);
  const operations = await operatorOperations(stack.url);
  const actions = operations.filter(([method]) => method !== 'GET' && method !== 'HEAD');
  expect(actions.length).toBeGreaterThan(8);
  for (const [method, path] of actions) {
    expectError(await seller.request(path, { method }), 'CONFIRM_REQUIRED');
  }
  for (const [method, path] of operations.filter(([each]) => each === 'GET')) {
    expect([401, 403]).not.toContain((await seller.request(path, { method })).status);
  }
  expect(await stack.models.operatorActions.countDocuments({ operator: seller.id })).toBe(0);

  const pause = () => call(seller, 'POST', operatorPaths.queueAction('resume'), { reason: 'a test' });
  const proofs = [{ password: testPassword }, { code: codeOf(secret, 1) }];
  for (const proof of proofs) {
    await age(limits.confirmedMinutes + 1);
    expectError(await pause(), 'CONFIRM_REQUIRED');
    expect((await call(seller, 'POST', paths.confirmation, proof)).status).toBe(204);
    expect((await pause()).status).toBe(200);
  }
  await age(limits.confirmedMinutes - 1);
  expect((await pause()).status).toBe(200);
});
