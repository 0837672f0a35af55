/** An operator disables an account: its sessions end, and only whoever knows the password learns why. */
import { expect } from 'vitest';
import { paths } from '#contract';
import { runAccountCommand } from '#scripts/account/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { testPassword } from '#tests/support/seller.ts';
import { testWithStack } from '#tests/support/test.ts';
import { createVisitor, newAddress } from '#tests/support/visitor.ts';

const test = testWithStack({ workers: 0 });

test('a disabled account lets nobody in and tells only its owner; enabling it reverses that', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const run = (...args: string[]) => runAccountCommand(stack.db, args);
  const signIn = (password: string) =>
    createVisitor(stack.url).post(paths.session, { email: seller.email, password });
  const before = await seller.me();

  expect(await run('disable', ` ${seller.email.toUpperCase()}`)).toContain('sessions ended: 1');
  // A server caches a session for some seconds; nobody told it.
  await expect.poll(async () => (await seller.request(paths.me)).status).toBe(401);
  expectError(await signIn('Wrong-Horse-7'), 'BAD_CREDENTIALS');
  expectError(await signIn(testPassword), 'ACCOUNT_DISABLED', {
    message: 'This account has been disabled. Please contact support.',
  });
  expect(await stack.models.sessions.countDocuments({ user_id: seller.id })).toBe(0);
  expect(await run('show', seller.email)).toContain('has been disabled since');

  await run('enable', seller.email);
  expect(await run('show', seller.email)).toContain('can sign in');
  const stranger = newAddress();
  await expect(run('disable', stranger)).rejects.toThrow('There is no account');
  const log = await stack.models.operatorActions
    .find({ target: { $in: [seller.id, stranger] } })
    .sort({ at: 1 })
    .lean();
  expect(log.map(({ action, outcome, details }) => [action, outcome, details])).toEqual([
    ['disable-account', 'done', seller.email],
    ['enable-account', 'done', seller.email],
    ['disable-account', 'refused', stranger],
  ]);
  expect(log[0]).toMatchObject({ operator: null, operator_name: 'command line', target_kind: 'seller' });
  const again = await signIn(testPassword);
  expect(again).toMatchObject({ status: 200, body: { subscription: before.subscription } });
});

test('a sign-in at the same moment gets no session', async ({ stack }) => {
  for (let round = 0; round < 3; round += 1) {
    const seller = await stack.seller({ paid: false });
    await Promise.all([
      createVisitor(stack.url).post(paths.session, { email: seller.email, password: testPassword }),
      runAccountCommand(stack.db, ['disable', seller.email]),
    ]);
    expect(await stack.models.sessions.countDocuments({ user_id: seller.id })).toBe(0);
  }
});

test.for([
  [],
  ['disable'],
  ['forget', 'a@b.example'],
  ['disable', newAddress()],
  ['show', 'a@b.example', 'x'],
])('the command %j explains what is wrong', async (args, { stack }) => {
  await expect(runAccountCommand(stack.db, args)).rejects.toThrow(/^Usage|^There is no account/);
});
