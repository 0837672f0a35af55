/** A stranger who asks for mails to somebody's address does not keep its owner from getting one. */
import { expect } from 'vitest';
import { limits, paths } from '#contract';
import { eventually } from '#tests/support/harness.ts';
import { testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { createVisitor, newAddress, signUpForm, tokenFromMail } from '#tests/support/visitor.ts';

// The test acts as a proxy: its X-Forwarded-For header says which network a request comes from.
const test = testWithStack({ settings: { TRUSTED_PROXIES: '1' } });

const owner = { 'x-forwarded-for': '198.51.100.1' };
const stranger = (number: number) => ({ 'x-forwarded-for': `203.0.113.${number}` });

async function signUp(stack: TestStack, email: string, from: Record<string, string>, password: string) {
  const visitor = createVisitor(stack.url);
  const answer = await visitor.post(paths.accounts, signUpForm({ email, password }), from);
  expect([answer.status, answer.body]).toEqual([202, {}]);
  return visitor;
}

const mailsTo = (stack: TestStack, to: string) => stack.models.mails.countDocuments({ to });

test("after a stranger's sign-ups with an address its owner signs up, gets the mail and gets in", async ({
  stack,
}) => {
  const email = newAddress();
  for (let count = 0; count < limits.mailsAsked + 1; count += 1) {
    await signUp(stack, email, stranger(1), 'Stranger-Horse-8');
  }
  expect(await mailsTo(stack, email)).toBe(limits.mailsAsked);
  await expect.poll(async () => (await stack.mails.mails(email)).length, eventually).toBe(limits.mailsAsked);
  const before = await stack.mails.waitForMail({ to: email });
  const browser = await signUp(stack, email, owner, testPassword);
  const { token } = await tokenFromMail(stack, email, 'verifyEmail', before.id);
  expect((await browser.post(paths.verifyEmail, { token }, owner)).status).toBe(200);
});

test('a mailbox gets a limited number of mails from all networks together; its owner gets in with the newest link for a password', async ({
  stack,
}) => {
  const email = newAddress();
  const networks = Math.ceil(limits.mailsAskedOfAll / limits.mailsAsked);
  const ask = async (path: string, from: Record<string, string>) =>
    expect((await createVisitor(stack.url).post(path, { email }, from)).status).toBe(202);
  for (let network = 1; network <= networks + 1; network += 1) {
    for (let count = 0; count < limits.mailsAsked; count += 1) {
      await signUp(stack, email, stranger(network), 'Stranger-Horse-8');
      await ask(paths.passwordReset, stranger(network));
    }
  }
  expect(await mailsTo(stack, email)).toBe(2 * limits.mailsAskedOfAll);
  const browser = await signUp(stack, email, owner, testPassword);
  await ask(paths.passwordReset, owner);
  expect(await mailsTo(stack, email)).toBe(2 * limits.mailsAskedOfAll);
  // It lives at least as long as the limit.
  expect(limits.resetMinutes * 60).toBeGreaterThanOrEqual(limits.mailsWindowSeconds);
  await expect
    .poll(async () => (await stack.mails.mails(email)).length, eventually)
    .toBe(2 * limits.mailsAskedOfAll);
  const { token } = await tokenFromMail(stack, email, 'resetPassword');
  const set = { token, password: 'Owner-Horse-9' };
  expect((await browser.post(paths.confirmPasswordReset, set, owner)).status).toBe(204);
  const signedIn = await browser.post(paths.session, { email, password: 'Owner-Horse-9' }, owner);
  expect(signedIn.status).toBe(200);
});
