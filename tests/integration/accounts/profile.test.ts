import { expect } from 'vitest';
import { type ActivityList, type Me, pages, paths } from '#contract';
import { anotherSession, call, post, signIn } from '#tests/support/account.ts';
import { testPassword } from '#tests/support/seller.ts';
import { testWithStack } from '#tests/support/test.ts';

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
  const answer = await call(seller, 'PATCH', paths.me, body);
  expect(answer.status).toBe(400);
  expect(answer.body.error).toMatchObject({ code: 'VALIDATION', field });
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
  const reset = await stack.mails.waitForMail({ to: seller.email, subject: 'password' });
  const resetLink = new URL(stack.mails.linkIn(reset, pages.resetPassword));

  const answer = await call(seller, 'POST', paths.password, { password: testPassword, newPassword });
  expect(answer.status).toBe(204);
  await closed;
  expect((await other.request(paths.me)).status).toBe(401);
  expect((await seller.request(paths.me)).status).toBe(200);
  const mail = await stack.mails.waitForMail({ to: seller.email, after: reset.id });
  expect(mail.subject).toMatch(/password was changed/i);
  const token = resetLink.searchParams.get('token');
  const late = await post(stack.url, paths.confirmPasswordReset, { token, password: 'Other-Meadow-58' });
  expect(late.body.error.code).toBe('TOKEN_INVALID');

  expect((await signIn(stack.url, { email: seller.email })).status).toBe(401);
  expect((await signIn(stack.url, { email: seller.email, password: newPassword })).status).toBe(200);
});

test.for<[what: string, body: object, status: number, code: string]>([
  ['the current password is wrong', { password: 'Wrong-Horse-7', newPassword }, 403, 'WRONG_PASSWORD'],
  [
    'the new password is the current one',
    { password: testPassword, newPassword: testPassword },
    400,
    'PASSWORD_REUSED',
  ],
  [
    'the new password is common',
    { password: testPassword, newPassword: 'P@ssword1!' },
    400,
    'PASSWORD_COMMON',
  ],
  ['the new password is weak', { password: testPassword, newPassword: 'short' }, 400, 'VALIDATION'],
  ['the current password is missing', { newPassword }, 400, 'VALIDATION'],
])('a change of the password is refused: %s', async ([, body, status, code], { stack }) => {
  const seller = await stack.seller();
  const answer = await call(seller, 'POST', paths.password, body);
  expect([answer.status, answer.body.error.code]).toEqual([status, code]);
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
    const answer = await call(seller, 'POST', paths.password, {
      password: testPassword,
      newPassword: testPassword,
    });
    expect(answer.body.error.code).toBe('PASSWORD_REUSED');
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
