/** A seller who cannot give a code any more: an operator has two-factor sign-in removed, slowly; the installation's owner at once. */
import { expect } from 'vitest';
import { limits, type OperatorSellerView, operatorPaths, pages, paths } from '#contract';
import { runAccountCommand } from '#scripts/account/account.ts';
import { call, codeOf, post, signIn, twoFactorSeller } from '#tests/support/account.ts';
import { atOnce, workerContext } from '#tests/support/credits.ts';
import { expectError } from '#tests/support/errors.ts';
import { operatorOf } from '#tests/support/operator.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { runUpkeep } from '#worker/upkeep/upkeep.ts';

const test = testWithStack().extend('operator', { scope: 'file' }, ({ stack }) => operatorOf(stack));

const reason = 'Showed a passport in a call';
const act = (operator: Seller, id: string, action: 'ask' | 'stop') =>
  call<OperatorSellerView>(operator, 'POST', operatorPaths.sellerAction(id, `${action}-two-factor-removal`), {
    reason,
  });

const linesAbout = async (stack: TestStack, target: string) => {
  const rows = await stack.models.operatorActions.find({ target }).sort({ at: 1 }).lean();
  return rows.map(({ action, operator_name: by, outcome, reason: why }) => [action, by, outcome, why]);
};

/** As if the time in which the seller can stop it had passed. */
async function waitOut(stack: TestStack, sellerId: string): Promise<void> {
  const due = new Date(Date.now() - 1_000);
  await stack.models.users.updateOne(
    { _id: sellerId, two_factor_removal: { $ne: null } },
    { $set: { 'two_factor_removal.due_at': due } },
  );
  await runUpkeep(workerContext(stack), atOnce);
}

test('after the waiting time two-factor sign-in is removed, with mails before and after and every step in the log', async ({
  stack,
  operator,
}) => {
  const { seller } = await twoFactorSeller(stack);
  const { id, email } = seller;
  const delayMs = limits.factorRemovalHours * 3_600_000;
  const earliest = Date.now() + delayMs;
  const asked = await act(operator, id, 'ask');
  const dueAt = Date.parse(asked.body.twoFactorRemovalDueAt!);
  expect(dueAt).toBeGreaterThanOrEqual(earliest);
  expect(dueAt).toBeLessThanOrEqual(Date.now() + delayMs);
  expectError(await act(operator, id, 'ask'), 'NOT_REPEATABLE');
  await stack.mails.waitForMail({ to: email, subject: 'will be turned off' });
  await runUpkeep(workerContext(stack), atOnce);
  expectError(await signIn(stack.url, { email }), 'CODE_REQUIRED');

  await waitOut(stack, id);
  const mail = await stack.mails.waitForMail({ to: email, subject: 'sign-in was turned off' });
  expect(mail.text).toContain('Our support turned off two-factor sign-in');
  await expect.poll(async () => (await seller.request(paths.me)).status).toBe(401);
  expect((await signIn(stack.url, { email })).status).toBe(200);
  expect(await linesAbout(stack, id)).toEqual([
    ['ask-two-factor-removal', operator.email, 'done', reason],
    ['ask-two-factor-removal', operator.email, 'refused', reason],
    ['remove-two-factor', 'upkeep', 'done', ''],
  ]);
  expect(await stack.models.activities.countDocuments({ user_id: id, kind: 'two-factor-off' })).toBe(1);
  await runUpkeep(workerContext(stack), atOnce);
  expect(await stack.models.mails.countDocuments({ to: email, kind: 'twoFactorRemoved' })).toBe(1);
  expectError(await act(operator, id, 'ask'), 'TWO_FACTOR_OFF');
});

/** What stops a removal, and how the audit log has it. */
const stops: Readonly<
  Record<
    string,
    (context: {
      stack: TestStack;
      operator: Seller;
      email: string;
      id: string;
      secret: string;
    }) => Promise<{ status: number }>
  >
> = {
  'a sign-in with a code': ({ stack, email, secret }) =>
    signIn(stack.url, { email, code: codeOf(secret, 1) }),
  async 'the link in the mail'({ stack, email }) {
    const mail = await stack.mails.waitForMail({ to: email, subject: 'will be turned off' });
    const token = new URL(stack.mails.linkIn(mail, pages.keepTwoFactor)).searchParams.get('token');
    const kept = await post(stack.url, paths.keepTwoFactor, { token });
    expectError(await post(stack.url, paths.keepTwoFactor, { token }), 'TOKEN_INVALID');
    return kept;
  },
  'an operator': ({ operator, id }) => act(operator, id, 'stop'),
};

test.for(Object.keys(stops))('%s stops it', async (name, { stack, operator }) => {
  const { seller, secret } = await twoFactorSeller(stack);
  const { id, email } = seller;
  await act(operator, id, 'ask');
  expect((await stops[name]!({ stack, operator, id, email, secret })).status).toBeLessThan(300);
  await waitOut(stack, id);
  expectError(await signIn(stack.url, { email }), 'CODE_REQUIRED');
  expect((await linesAbout(stack, id)).map(([action, , outcome]) => [action, outcome])).toEqual([
    ['ask-two-factor-removal', 'done'],
    ['stop-two-factor-removal', 'done'],
  ]);
  expect((await call<OperatorSellerView>(operator, 'GET', operatorPaths.seller(id))).body).toMatchObject({
    twoFactorRemovalDueAt: null,
  });
});

test('a thief who changes the password cannot take the link away', async ({ stack, operator }) => {
  const { seller } = await twoFactorSeller(stack);
  await act(operator, seller.id, 'ask');
  const { password } = seller;
  await call(seller, 'POST', paths.password, { password, newPassword: 'Newer-Horse-8' });
  const mail = await stack.mails.waitForMail({ to: seller.email, subject: 'will be turned off' });
  const token = new URL(stack.mails.linkIn(mail, pages.keepTwoFactor)).searchParams.get('token');
  expect((await post(stack.url, paths.keepTwoFactor, { token })).status).toBe(204);
});

test('the command removes it at once, with address and reason, a mail and a line in the log', async ({
  stack,
}) => {
  const { seller } = await twoFactorSeller(stack);
  const { id, email } = seller;
  const run = (...args: string[]) => runAccountCommand(stack.db, ['reset-two-factor', ...args]);
  await expect(run(email)).rejects.toThrow(/^Usage/);
  expect(await run(email, reason)).toContain('signs in with the password only now');
  expect((await signIn(stack.url, { email })).status).toBe(200);
  expect(await stack.models.sessions.countDocuments({ user_id: id })).toBe(1);
  await stack.mails.waitForMail({ to: email, subject: 'sign-in was turned off' });
  await expect(run(email, reason)).rejects.toThrow('has no two-factor sign-in');
  expect(await linesAbout(stack, id)).toEqual([
    ['remove-two-factor', 'command line', 'done', reason],
    ['remove-two-factor', 'command line', 'refused', reason],
  ]);
});
