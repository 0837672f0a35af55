/** Name and password in the profile: what is refused, limits, and each spelling of a password. */
import { expect } from 'vitest';
import { type ActivityList, type Me, paths } from '#contract';
import { hashPassword } from '#server/accounts/passwords/passwords.ts';
import { anotherSession, call, post, signIn } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { type Seller, testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { createVisitor, newAddress, signUpForm, tokenFromMail } from '#tests/support/visitor.ts';

const test = testWithStack();

const newPassword = 'Quiet-Harbour-31';

test('a changed name is shown at once', async ({ stack }) => {
  const seller = await stack.seller();
  const { status, body } = await call<Me>(seller, 'PATCH', paths.me, { fullName: '  Zoë O’Brien-Ní ' });
  expect(status).toBe(200);
  expect(body.user).toMatchObject({ fullName: 'Zoë O’Brien-Ní', displayName: 'Zoë O’Brien-Ní' });
  expect((await seller.me()).user.fullName).toBe('Zoë O’Brien-Ní');
  const { activities } = (await call<ActivityList>(seller, 'GET', paths.activity)).body;
  expect(activities.map(({ kind }) => kind)).toContain('name-changed');
});

test.for<[what: string, body: object, field: string]>([
  ['no name', {}, 'fullName'],
  ['one letter', { fullName: 'A' }, 'fullName'],
  ['an unknown field', { fullName: 'Ada', email: 'ada@new.example' }, 'email'],
])('a change of the name is refused: %s', async ([, body, field], { stack }) => {
  const seller = await stack.seller();
  const refused = { status: 400, body: { error: { code: 'VALIDATION', field } } };
  expect(await call(seller, 'PATCH', paths.me, body)).toMatchObject(refused);
  expect((await seller.me()).user.fullName).toBe('Test Seller');
});

test('a new password ends the other sessions and their sockets, invalidates links, and the seller gets a mail about it', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const other = await anotherSession(stack.url, seller);
  const window = await other.openWindow();
  const closed = new Promise((resolve) => window.socket.once('disconnect', resolve));
  await post(stack.url, paths.passwordReset, { email: seller.email });
  const reset = await tokenFromMail(stack, seller.email, 'resetPassword');

  const answer = await call(seller, 'POST', paths.password, { password: testPassword, newPassword });
  expect(answer.status).toBe(204);
  await closed;
  expect((await other.request(paths.me)).status).toBe(401);
  expect((await seller.request(paths.me)).status).toBe(200);
  const mail = await stack.mails.waitForMail({ to: seller.email, after: reset.mail });
  expect(mail.subject).toMatch(/password was changed/i);
  const late = { token: reset.token, password: 'Other-Meadow-58' };
  expectError(await post(stack.url, paths.confirmPasswordReset, late), 'TOKEN_INVALID');

  expect((await signIn(stack.url, { email: seller.email })).status).toBe(401);
  expect((await signIn(stack.url, { email: seller.email, password: newPassword })).status).toBe(200);
});

test.for<[what: string, body: object, code: string]>([
  ['the new password is the current one', { newPassword: testPassword }, 'PASSWORD_REUSED'],
  ['the new password is common', { newPassword: 'P@ssword1!' }, 'PASSWORD_COMMON'],
  ['the new password is weak', { newPassword: 'short' }, 'VALIDATION'],
  ['the current password is missing', { newPassword, password: undefined }, 'VALIDATION'],
])('a change of the password is refused: %s', async ([, body, code], { stack }) => {
  const seller = await stack.seller();
  const answer = await call(seller, 'POST', paths.password, { password: testPassword, ...body });
  expect([answer.status, answer.body.error.code]).toEqual([400, code]);
  expect((await signIn(stack.url, { email: seller.email })).status).toBe(200);
});

test('of two concurrent changes one succeeds, and its password signs in', async ({ stack }) => {
  const seller = await stack.seller();
  const newPasswords = ['Quiet-Harbour-31', 'Green-Lantern-86'];
  const answers = await Promise.all(
    newPasswords.map((each) =>
      call(seller, 'POST', paths.password, { password: testPassword, newPassword: each }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 403]);
  const winner = newPasswords[answers.findIndex(({ status }) => status === 204)]!;
  expect((await signIn(stack.url, { email: seller.email, password: winner })).status).toBe(200);
});

test('wrong passwords are limited per account, also concurrent ones; right ones do not count', async ({
  stack,
}) => {
  const seller = await stack.seller();
  for (let change = 0; change < 7; change += 1) {
    const same = { password: testPassword, newPassword: testPassword };
    expectError(await call(seller, 'POST', paths.password, same), 'PASSWORD_REUSED');
  }
  const guess = () => call(seller, 'POST', paths.password, { password: 'Wrong-Horse-7', newPassword });
  const answers = await Promise.all(Array.from({ length: 8 }, guess));
  const codes = answers.map(({ body }) => body.error.code);
  expect(codes.filter((code) => code === 'WRONG_PASSWORD')).toHaveLength(5);
  expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(3);

  const right = await call(seller, 'POST', paths.twoFactor, { password: testPassword });
  expect(right.status).toBe(429);
  expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(right.body.error.message).toMatch(/^Too many failed attempts\. Please try again in \d+ seconds\.$/);
});

test('account routes require a session', async ({ stack }) => {
  const calls: [method: string, path: string][] = [
    ['GET', paths.me],
    ['GET', paths.protection],
    ['PATCH', paths.me],
    ['POST', paths.password],
    ['POST', paths.email],
    ['POST', paths.emailCheck],
    ['GET', paths.settings],
    ['PATCH', paths.settings],
    ['POST', paths.twoFactor],
    ['DELETE', paths.twoFactor],
    ['POST', paths.confirmTwoFactor],
    ['POST', paths.recoveryCodes],
    ['GET', paths.passkeys],
    ['POST', paths.passkeys],
    ['POST', paths.beginPasskey],
    ['PATCH', paths.passkey('any')],
    ['DELETE', paths.passkey('any')],
    ['GET', paths.sessions],
    ['DELETE', paths.sessions],
    ['GET', paths.activity],
    ['POST', paths.export],
    ['GET', paths.export],
    ['POST', paths.deletion],
  ];
  for (const [method, path] of calls) {
    const reply = await fetch(stack.url + path, { method });
    expect([method, path, reply.status]).toEqual([method, path, 401]);
  }
});

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
      const { token } = await tokenFromMail(stack, email, 'confirmEmail');
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
  await stack.models.userSettings.updateOne({ _id: seller.id }, { password_change_forced: true });
  const reply = await post(stack.url, paths.session, {
    email: seller.email,
    password: composed,
    newPassword: decomposed,
  });
  expectError(reply as never, 'PASSWORD_REUSED');
});

// No new password may contain the email address or the name of the product.

const message = "Please choose a password without your email address or the name 'Packshot' in it.";

test('a password with personal words is refused at sign-up and wherever else a new one is set', async ({
  stack,
}) => {
  const { email, ...rest } = signUpForm({ email: newAddress() });
  const refused = ['P4ckshot-Horse-7', `${email.split('@')[0]}-A1`];
  for (const password of refused) {
    const answer = await post(stack.url, paths.accounts, { ...rest, email, password });
    expectError(answer, 'PASSWORD_COMMON', { message });
  }
  expect(await stack.models.users.countDocuments({ email })).toBe(0);

  const seller = await stack.seller({ paid: false });
  const withAddress = `${seller.email.split('@')[0]!.toUpperCase()}-a1`;
  const change = await call(seller, 'POST', paths.password, {
    password: testPassword,
    newPassword: withAddress,
  });
  expectError(change, 'PASSWORD_COMMON', { message });

  await stack.models.userSettings.updateOne({ _id: seller.id }, { password_change_forced: true });
  await stack.models.users.updateOne({ _id: seller.id }, { password_changed_at: new Date(0) });
  const details = { email: seller.email, password: testPassword, newPassword: withAddress };
  expectError(await post(stack.url, paths.session, details), 'PASSWORD_COMMON', { message });

  await post(stack.url, paths.passwordReset, { email: seller.email });
  const { token } = await tokenFromMail(stack, seller.email, 'resetPassword');
  const setPassword = (password: string) => post(stack.url, paths.confirmPasswordReset, { token, password });
  expectError(await setPassword(withAddress), 'PASSWORD_COMMON', { message });

  await call(seller, 'POST', paths.email, { email: newAddress(), password: testPassword });
  const link = await tokenFromMail(stack, seller.email, 'undoEmail', undefined, 'about to change');
  const undo = await post(stack.url, paths.undoEmail, { token: link.token, password: withAddress });
  expectError(undo, 'PASSWORD_COMMON', { message });
  expect((await setPassword('Newer-Horse-8')).status).toBe(204);
});
