/** Sign-in: wrong credentials, limited attempts, new devices and expired passwords. */
import { expect } from 'vitest';
import { keepPasswordPath, limits, paths, type SessionReply } from '#contract';
import { accountAction } from '#scripts/account/account.ts';
import { modelsOf } from '#shared/data/collections.ts';
import { call, twoFactorSeller } from '#tests/support/account.ts';
import { doBefore } from '#tests/support/come-between.ts';
import { expectError } from '#tests/support/errors.ts';
import { type Seller, testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { createVisitor, newAddress, resetSignInLimit, type Visitor } from '#tests/support/visitor.ts';

const test = testWithStack().extend('seller', async ({ stack }) => {
  const seller = await stack.seller({ paid: false });
  await resetSignInLimit(stack.db);
  return seller;
});

const signIn = (stack: TestStack, seller: Seller, details: object, headers = {}, userAgent = 'node') =>
  createVisitor(stack.url, userAgent).post(
    paths.session,
    { email: seller.email, password: testPassword, ...details },
    headers,
  );
const meOf = (stack: TestStack, token: string) =>
  createVisitor(stack.url).request(paths.me, { headers: { authorization: `Bearer ${token}` } });
const mailsTo = async (stack: TestStack, email: string) =>
  (await stack.models.mails.find({ to: email }).sort({ created_at: 1 }).lean()).map(({ subject }) => subject);

test('an unknown address, a wrong password and a deleted account get the same error', async ({
  stack,
  seller,
}) => {
  expectError(await signIn(stack, seller, { email: newAddress() }), 'BAD_CREDENTIALS');
  expectError(await signIn(stack, seller, { password: 'Wrong-Horse-7' }), 'BAD_CREDENTIALS');
  await stack.models.profiles.updateOne({ _id: seller.id }, { deletion_asked_at: new Date() });
  expectError(await signIn(stack, seller, {}), 'BAD_CREDENTIALS');
});

test('sign-in requires a valid address and a password', async ({ stack, seller }) => {
  expectError(await signIn(stack, seller, { email: 'a' }), 'VALIDATION', {
    field: 'email',
    message: 'Please enter a valid email address',
  });
  for (const password of ['', null, undefined, 7, { $gt: '' }]) {
    expectError(await signIn(stack, seller, { password }), 'VALIDATION', {
      field: 'password',
      message: 'Email and password are required',
    });
  }
});

test('a password that is longer than any password is a wrong one', async ({ stack, seller }) => {
  const password = 'x'.repeat(limits.passwordCharactersMost + 1);
  expectError(await signIn(stack, seller, { password }), 'BAD_CREDENTIALS');
  expectError(await signIn(stack, seller, { password, email: newAddress() }), 'BAD_CREDENTIALS');
});

test('the sixth attempt for an address is refused, whatever its forwarding headers say', async ({
  stack,
  seller,
}) => {
  for (let attempt = 0; attempt < limits.signInAttempts; attempt += 1) {
    expectError(await signIn(stack, seller, { password: 'Wrong-Horse-7' }), 'BAD_CREDENTIALS');
  }
  const forwardingHeaders = [
    {},
    { 'x-forwarded-for': '203.0.113.7' },
    { 'x-forwarded-for': '203.0.113.8, 198.51.100.1' },
    { forwarded: 'for=203.0.113.9', 'x-real-ip': '203.0.113.9' },
  ];
  for (const headers of forwardingHeaders) {
    for (const email of [seller.email, ` ${seller.email.toUpperCase()}`]) {
      // The right password is refused as well, so that further guesses reveal nothing.
      const answer = await signIn(stack, seller, { email }, headers);
      const wait = Number(answer.headers.get('retry-after'));
      expect(wait).toBeGreaterThan(limits.signInWindowSeconds - 30);
      expect(wait).toBeLessThanOrEqual(limits.signInWindowSeconds);
      const message = `Too many failed attempts. Please try again in ${wait} seconds.`;
      expectError(answer, 'RATE_LIMITED', { message });
    }
  }
  expect(await signIn(stack, seller, { email: newAddress() })).toMatchObject({ status: 401 });
  expect(await seller.me()).toMatchObject({ user: { id: seller.id } });
});

test('an unknown address is limited like a known one, also for concurrent attempts on two servers', async ({
  stack,
}) => {
  const otherServer = await stack.startServer();
  const email = newAddress();
  const statuses = await Promise.all(
    Array.from({ length: 16 }, async (_, index) => {
      const visitor = createVisitor(index % 2 === 0 ? stack.url : otherServer.url);
      return (await visitor.post(paths.session, { email, password: 'Wrong-Horse-7' })).status;
    }),
  );
  expect(statuses.filter((status) => status === 401)).toHaveLength(limits.signInAttempts);
  expect(statuses.filter((status) => status === 429)).toHaveLength(16 - limits.signInAttempts);
});

test('a sign-in is counted, updates the address in the profile, and starts a new session', async ({
  stack,
  seller,
}) => {
  const before = Date.now();
  await stack.models.profiles.updateOne({ _id: seller.id }, { email: 'before@shop.example' });
  const [first, second] = [
    await signIn(stack, seller, {}),
    await signIn(stack, seller, { email: ` ${seller.email.toUpperCase()} ` }),
  ];
  const tokens = [first, second].map(({ body }) => (body as SessionReply).token);
  expect(new Set([...tokens, seller.token]).size).toBe(3);
  const profile = (await stack.models.profiles.findById(seller.id).lean())!;
  expect(profile).toMatchObject({ login_count: 2, email: seller.email });
  expect(profile.last_login!.getTime()).toBeGreaterThanOrEqual(before);
  expect(first.body).toMatchObject({ user: { id: seller.id, email: seller.email } });
});

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

test('a sign-in without the cookie of a known browser is reported by mail, whatever the browser calls itself', async ({
  stack,
  seller,
}) => {
  const newSignIn = { to: seller.email, subject: 'New sign-in to your account' };
  const mails = async () => (await mailsTo(stack, seller.email)).length;
  const signInWith = async (browser: Visitor) => {
    await resetSignInLimit(stack.db);
    const answer = await browser.post(paths.session, { email: seller.email, password: testPassword });
    expect(answer.status).toBe(200);
  };
  const own = createVisitor(stack.url, firefox);
  await signInWith(own);
  const received = await stack.mails.waitForMail(newSignIn);
  expect(received.text).toContain('Firefox on Windows');
  expect(received.text).toMatch(/127\.0\.0\.1|::1/);
  expect(await mails()).toBe(1);
  // Known by its cookie, also when nothing else is left of its sign-ins.
  await stack.models.sessions.deleteMany({ user_id: seller.id });
  await stack.models.activities.deleteMany({ user_id: seller.id });
  await signInWith(own);
  expect(await mails()).toBe(1);
  // Somebody else, who knows which browser the seller has.
  await signInWith(createVisitor(stack.url, firefox));
  expect(await mails()).toBe(2);
  await stack.models.userSettings.updateOne({ _id: seller.id }, { security_notifications: false });
  await signInWith(createVisitor(stack.url, firefox));
  expect(await mails()).toBe(2);
});

test('the activity log has failed sign-in, sign-in and sign-out, with device and address', async ({
  stack,
  seller,
}) => {
  await stack.models.activities.deleteMany({ user_id: seller.id });
  await signIn(stack, seller, { password: 'Wrong-Horse-7' }, {}, firefox);
  const { token } = (await signIn(stack, seller, {}, {}, firefox)).body as SessionReply;
  const signOut = { method: 'DELETE', headers: { authorization: `Bearer ${token}` } };
  await createVisitor(stack.url, firefox).request(paths.session, signOut);
  const log = await stack.models.activities.find({ user_id: seller.id }).sort({ at: 1, _id: 1 }).lean();
  expect(log.map(({ kind }) => kind)).toEqual(['sign-in-failed', 'signed-in', 'signed-out']);
  expect(log.every(({ device }) => device === 'Firefox on Windows')).toBe(true);
  expect(log.every(({ address }) => /127\.0\.0\.1|::1/.test(address))).toBe(true);
});

test('where the seller chose that, an old password must be replaced by a different one that is not common', async ({
  stack,
  seller,
}) => {
  const expire = (days: number) =>
    stack.models.users.updateOne(
      { _id: seller.id },
      { password_changed_at: new Date(Date.now() - days * 86_400_000) },
    );
  await expire(89.9);
  expect((await seller.me()).passwordDue).toBe(false);
  // Nothing but a reminder, until the seller chooses more.
  await expire(90.1);
  expect(await signIn(stack, seller, {})).toMatchObject({ status: 200, body: { passwordDue: true } });
  await resetSignInLimit(stack.db);
  await stack.models.userSettings.updateOne({ _id: seller.id }, { password_change_forced: true });
  await expire(89.9);
  expect(await signIn(stack, seller, {})).toMatchObject({ status: 200 });
  await expire(90.1);
  // Keeping it does not count here.
  expect((await call(seller, 'POST', keepPasswordPath)).status).toBe(204);
  expectError(
    await signIn(stack, seller, { password: 'Wrong-Horse-7', newPassword: 'Newer-Horse-8' }),
    'BAD_CREDENTIALS',
  );
  expectError(await signIn(stack, seller, {}), 'PASSWORD_EXPIRED');
  expectError(await signIn(stack, seller, { newPassword: testPassword }), 'PASSWORD_REUSED');
  await resetSignInLimit(stack.db);
  expectError(await signIn(stack, seller, { newPassword: 'P@ssword1!' }), 'PASSWORD_COMMON');
  const answer = await signIn(stack, seller, { newPassword: 'Newer-Horse-8' });
  expect(answer).toMatchObject({ status: 200 });
  // Sessions of the old password have ended; the new session stays.
  expect((await meOf(stack, seller.token)).status).toBe(401);
  expect((await meOf(stack, (answer.body as SessionReply).token)).status).toBe(200);
  expectError(await signIn(stack, seller, {}), 'BAD_CREDENTIALS');
  expect(await signIn(stack, seller, { password: 'Newer-Horse-8' })).toMatchObject({ status: 200 });
  expect(await mailsTo(stack, seller.email)).toContain('Your password was changed');
});

test('a password does not expire if the seller turned that off, and an expired one does not use up a code', async ({
  stack,
}) => {
  const { seller, recoveryCodes: recovery } = await twoFactorSeller(stack);
  await stack.models.users.updateOne({ _id: seller.id }, { password_changed_at: new Date(0) });
  await stack.models.userSettings.updateOne({ _id: seller.id }, { password_change_forced: true });
  expectError(await signIn(stack, seller, { code: recovery[0] }), 'PASSWORD_EXPIRED');
  expect(await signIn(stack, seller, { code: recovery[0], newPassword: 'Newer-Horse-8' })).toMatchObject({
    status: 200,
  });
  await stack.models.users.updateOne({ _id: seller.id }, { password_changed_at: new Date(0) });
  await stack.models.userSettings.updateOne({ _id: seller.id }, { password_expiry_days: 0 });
  expect(await signIn(stack, seller, { password: 'Newer-Horse-8', code: recovery[1] })).toMatchObject({
    status: 200,
  });
});

test('an old password is reminded of until it is kept or changed, and again after as many days', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const days = (count: number) => new Date(Date.now() - count * 86_400_000);
  const set = (fields: object) => stack.models.users.updateOne({ _id: seller.id }, fields);
  const isDue = async () => (await seller.me()).passwordDue;
  expect(await isDue()).toBe(false);
  await set({ password_changed_at: days(91) });
  expect(await isDue()).toBe(true);
  expectError(await createVisitor(stack.url).post(keepPasswordPath, undefined), 'UNAUTHENTICATED');
  expect((await call(seller, 'POST', keepPasswordPath)).status).toBe(204);
  expect((await call(seller, 'POST', keepPasswordPath)).status).toBe(204);
  expect(await isDue()).toBe(false);
  await set({ password_kept_at: days(89.9) });
  expect(await isDue()).toBe(false);
  await set({ password_kept_at: days(90.1) });
  expect(await isDue()).toBe(true);
  await call(seller, 'PATCH', paths.settings, { passwordExpiryDays: 180 });
  expect(await isDue()).toBe(false);
  await call(seller, 'PATCH', paths.settings, { passwordExpiryDays: 0 });
  await set({ password_changed_at: new Date(0), password_kept_at: new Date(0) });
  expect(await isDue()).toBe(false);
  await call(seller, 'PATCH', paths.settings, { passwordExpiryDays: 30 });
  expect(await isDue()).toBe(true);
  const change = { password: testPassword, newPassword: 'Newer-Horse-8' };
  expect((await call(seller, 'POST', paths.password, change)).status).toBe(204);
  expect(await isDue()).toBe(false);
});

// An operator disables an account: its sessions end, and only whoever knows the password learns why.

test('a disabled account lets nobody in and tells only its owner; enabling it reverses that', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const run = (...args: string[]) =>
    accountAction(args, args[0] === 'disable' ? { billing: 'leave' } : {})(stack.db);
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

test('a sign-in at the same moment gets no session', async ({ stack, seller }) => {
  // The account was looked at, and the ban finds no session.
  doBefore(modelsOf(stack.server.context.db).sessions, 'insertOne', () =>
    accountAction(['disable', seller.email], { billing: 'leave' })(stack.db),
  );
  expectError(await signIn(stack, seller, {}), 'BAD_CREDENTIALS');
  expect(await stack.models.sessions.countDocuments({ user_id: seller.id })).toBe(0);
});

test.for([
  [],
  ['disable'],
  ['forget', 'a@b.example'],
  ['disable', newAddress()],
  ['show', 'a@b.example', 'x'],
])('the command %j explains what is wrong', async (args, { stack }) => {
  await expect((async () => accountAction(args)(stack.db))()).rejects.toThrow(/^Usage|^There is no account/);
});
