import { expect } from 'vitest';
import { paths } from '#contract';
import { hashPassword } from '#server/accounts/passwords/passwords.ts';
import { call, post, signIn } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { createVisitor, newAddress, signUpForm, tokenFromMail } from '#tests/support/visitor.ts';

const test = testWithStack();

const composed = 'Café-Crème-7'.normalize('NFC');
const decomposed = composed.normalize('NFD');
const spellings = { composed, decomposed };

/** Each place that takes the password of an account, with the status of a right one. */
const places: Record<
  string,
  [send: (stack: TestStack, seller: Seller, password: string) => Promise<{ status: number }>, number]
> = {
  'sign-in': [(stack, { email }, password) => signIn(stack.url, { email, password }), 200],
  'a change in a session': [
    (_stack, seller, password) => call(seller, 'POST', paths.twoFactor, { password }),
    200,
  ],
  'the link of a sign-up in another browser': [
    async (stack, _seller, password) => {
      const form = signUpForm({
        email: newAddress(),
        password: password === composed ? decomposed : composed,
      });
      await createVisitor(stack.url).post(paths.accounts, form);
      const { token } = await tokenFromMail(stack, form.email, 'verifyEmail');
      return post(stack.url, paths.verifyEmail, { token, password });
    },
    200,
  ],
  'the link in the mail to a new address': [
    async (stack, seller, password) => {
      const email = newAddress();
      expect((await call(seller, 'POST', paths.email, { email, password })).status).toBe(202);
      const mail = await stack.mails.waitForMail({ to: email });
      const token = new URL(stack.mails.linkIn(mail, '/confirm-email')).searchParams.get('token');
      return post(stack.url, paths.confirmEmail, { token, password });
    },
    204,
  ],
};

test.for(Object.entries(places))(
  'a password may be typed in both ways: %s',
  async ([, [send, right]], { stack }) => {
    for (const stored of Object.values(spellings)) {
      for (const typed of Object.values(spellings)) {
        const seller = await stack.seller({ paid: false });
        await stack.models.users.updateOne(
          { _id: seller.id },
          { $set: { password_hash: await hashPassword(stored, 'test') } },
        );
        expect((await send(stack, seller, typed)).status).toBe(right);
      }
    }
  },
);

test('an expired password is not replaced by its other spelling', async ({ stack }) => {
  const seller = await stack.seller({ paid: false });
  const password_hash = await hashPassword(composed, 'test');
  await stack.models.users.updateOne(
    { _id: seller.id },
    { $set: { password_hash, password_changed_at: new Date(0) } },
  );
  const reply = await post(stack.url, paths.session, {
    email: seller.email,
    password: composed,
    newPassword: decomposed,
  });
  expectError(reply as never, 'PASSWORD_REUSED');
});
