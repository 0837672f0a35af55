/** The pages of links in mails are told to which address the mail went, and nothing else. */
import { expect } from 'vitest';
import { pages, paths } from '#contract';
import { call } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { testWithStack } from '#tests/support/test.ts';
import { createVisitor, newAddress, signUpForm, tokenFromMail } from '#tests/support/visitor.ts';

const test = testWithStack();

test('each link tells the address of its mailbox, never another address of the account', async ({
  stack,
}) => {
  const visitor = createVisitor(stack.url);
  const addressOf = (token: string) => visitor.post(paths.linkAddress, { token });
  const seller = await stack.seller({ paid: false });
  const [{ email: unverified }, newEmail] = [signUpForm(), newAddress()];
  await visitor.post(paths.accounts, signUpForm({ email: unverified }));
  await visitor.post(paths.passwordReset, { email: seller.email });
  await call(seller, 'POST', paths.email, { email: newEmail, password: seller.password });
  const tokenIn = async (to: string, subject: string, page: string) => {
    const link = stack.mails.linkIn(await stack.mails.waitForMail({ to, subject }), page);
    return new URL(link).searchParams.get('token')!;
  };
  const sent: [email: string, token: string][] = [
    [unverified, (await tokenFromMail(stack, unverified, 'verifyEmail')).token],
    [seller.email, (await tokenFromMail(stack, seller.email, 'resetPassword')).token],
    [newEmail, await tokenIn(newEmail, 'Confirm your new email', pages.confirmEmail)],
    [seller.email, await tokenIn(seller.email, 'about to change', pages.undoEmail)],
  ];
  for (const [email, token] of sent) {
    // Twice: it does not use the link.
    for (const answer of [await addressOf(token), await addressOf(token)]) {
      expect([answer.status, answer.body]).toEqual([200, { email }]);
    }
  }
  for (const token of ['x', 'x'.repeat(201), '']) expectError(await addressOf(token), 'TOKEN_INVALID');
});
