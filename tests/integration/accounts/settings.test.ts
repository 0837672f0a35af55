/** Settings of an account, and how well it is protected, as its owner reads it. */
import { expect } from 'vitest';
import {
  type ActivityList,
  type ErrorReply,
  guardedSettings,
  type Protection,
  paths,
  type SessionList,
  type Settings,
  settingsSchema,
} from '#contract';
import { markUnreachable } from '#shared/data/profiles/unreachable.ts';
import { anotherSession, call, codeOf, turnOnTwoFactor } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { type Seller, testPassword } from '#tests/support/seller.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack();

const kindsOf = async (seller: Parameters<typeof call>[0]) =>
  (await call<ActivityList>(seller, 'GET', paths.activity)).body.activities.map(({ kind }) => kind);

test('a new seller has the defaults, and each setting can be changed on its own', async ({ stack }) => {
  const seller = await stack.seller();
  const defaults = settingsSchema.parse({});
  expect((await call<Settings>(seller, 'GET', paths.settings)).body).toEqual(defaults);
  // An empty change is accepted.
  const none = await call<Settings>(seller, 'PATCH', paths.settings, {});
  expect([none.status, none.body]).toEqual([200, defaults]);
  const changes: Partial<Settings> = {
    theme: 'dark',
    imageQuality: 'low',
    notificationsEnabled: false,
    emailNotifications: true,
    pushNotifications: true,
    securityNotifications: false,
    activityLogging: false,
    sessionTimeoutMinutes: 5,
    passwordExpiryDays: 0,
    passwordChangeForced: true,
    autoSave: false,
  };
  let expected: Settings = defaults;
  for (const [name, value] of Object.entries(changes)) {
    expected = { ...expected, [name]: value };
    // Taken where a setting warns of thieves, and no harm elsewhere.
    const change = { [name]: value, password: testPassword };
    const { status, body } = await call<Settings>(seller, 'PATCH', paths.settings, change);
    expect([name, status, body]).toEqual([name, 200, expected]);
  }
  expect((await seller.me()).settings).toEqual(expected);
});

test('the theme is one value for all devices of a seller, and dark_mode decides between dark and light', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const elsewhere = await anotherSession(stack.url, seller);
  const stored = async () => {
    const { dark_mode, preferences } = (await stack.models.userSettings.findById(seller.id).lean())!;
    return { dark_mode, theme: preferences.theme };
  };
  for (const theme of ['dark', 'light', 'system'] as const) {
    await call(seller, 'PATCH', paths.settings, { theme });
    expect(await stored()).toEqual({ dark_mode: theme === 'dark', theme });
    expect((await elsewhere.me()).settings.theme).toBe(theme);
  }
  await call(seller, 'PATCH', paths.settings, { theme: 'light' });
  await stack.models.userSettings.updateOne({ _id: seller.id }, { dark_mode: true });
  expect((await elsewhere.me()).settings.theme).toBe('dark');
});

test.for<[change: object, field: string]>([
  [{ colour: 'red' }, 'colour'],
  [{ theme: 'pink' }, 'theme'],
  [{ sessionTimeoutMinutes: 7 }, 'sessionTimeoutMinutes'],
  [{ sessionTimeoutMinutes: '30' }, 'sessionTimeoutMinutes'],
  [{ language: 'tlh' }, 'language'],
  [{ imageQuality: 'max' }, 'imageQuality'],
  [{ autoSave: 1 }, 'autoSave'],
  [{ passwordChangeForced: 'yes' }, 'passwordChangeForced'],
  [{ theme: null }, 'theme'],
  [{ theme: 'dark', passwordExpiryDays: -1 }, 'passwordExpiryDays'],
  [{ user_id: 'x' }, 'user_id'],
])('%j is refused with the name of the field, and nothing is changed', async ([change, field], { stack }) => {
  const seller = await stack.seller();
  const answer = await call(seller, 'PATCH', paths.settings, change);
  expect(answer.status).toBe(400);
  expect(answer.body.error).toMatchObject({ code: 'VALIDATION', field });
  expect((await seller.me()).settings).toEqual(settingsSchema.parse({}));
});

test('an image is made in the quality that was set when it was submitted', async ({ stack }) => {
  const seller = await stack.seller();
  await stack.images.reset();
  const first = await seller.submit();
  const window = await seller.openWindow();
  await window.untilEnded(first.id);
  await call(seller, 'PATCH', paths.settings, { imageQuality: 'low' });
  const second = await seller.submit();
  await window.untilEnded(second.id);
  const rows = await stack.models.generations.find({ profile: seller.id }).sort({ created_at: 1 }).lean();
  expect(rows.map(({ quality }) => quality)).toEqual(['high', 'low']);
  expect((await stack.images.state()).calls.map(({ quality }) => quality)).toEqual(['high', 'low']);
  window.close();
});

test('a new session timeout applies to open sessions, from their last use', async ({ stack }) => {
  const seller = await stack.seller();
  const idle = await anotherSession(stack.url, seller);
  const { sessions } = (await call<SessionList>(seller, 'GET', paths.sessions)).body;
  const idleId = sessions.find(({ current }) => !current)!.id;
  // As if it had last been used ten minutes ago: within the old timeout of 30 minutes, beyond the new one of 5.
  const tenMinutesAgo = new Date(Date.now() - 600_000);
  await stack.models.sessions.updateOne(
    { _id: idleId },
    { $set: { last_seen_at: tenMinutesAgo, expires_at: new Date(Date.now() + 1_200_000) } },
  );
  const elsewhere = await stack.startServer();
  const headers = { authorization: `Bearer ${idle.token}` };
  await call(seller, 'PATCH', paths.settings, { sessionTimeoutMinutes: 5 });
  expect((await fetch(elsewhere.url + paths.me, { headers })).status).toBe(401);
  const own = await stack.models.sessions.findOne({ user_id: seller.id, _id: { $ne: idleId } }).lean();
  expect(own).toMatchObject({ idle_minutes: 5 });
  expect(own!.expires_at.getTime() - own!.last_seen_at.getTime()).toBe(300_000);
  expect((await seller.request(paths.me)).status).toBe(200);
});

test('the activity log shows addresses, newest entry first, and turning it off deletes it', async ({
  stack,
}) => {
  const seller = await stack.seller();
  await call(seller, 'PATCH', paths.settings, { theme: 'dark' });
  const { activities } = (await call<ActivityList>(seller, 'GET', paths.activity)).body;
  expect(activities[0]).toMatchObject({
    kind: 'settings-changed',
    address: expect.stringMatching(/127\.0\.0\.1$/),
  });
  expect(activities.map(({ at }) => at)).toEqual(
    activities
      .map(({ at }) => at)
      .sort()
      .reverse(),
  );

  const off = { activityLogging: false, password: testPassword };
  expect((await call(seller, 'PATCH', paths.settings, off)).status).toBe(200);
  expect(await kindsOf(seller)).toEqual([]);
  await call(seller, 'PATCH', paths.me, { fullName: 'Ada Lovelace' });
  expect(await stack.models.activities.countDocuments({ user_id: seller.id })).toBe(0);
  await call(seller, 'PATCH', paths.settings, { activityLogging: true });
  expect(await kindsOf(seller)).toEqual(['settings-changed']);
});

test('turning off what warns of thieves takes the password, for which wrong ones count; nothing else does', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const change = (body: object) => call<Settings & ErrorReply>(seller, 'PATCH', paths.settings, body);
  for (const name of guardedSettings) {
    expectError(await change({ [name]: false }), 'PASSWORD_REQUIRED', {
      message: 'Please enter your password.',
    });
    expectError(await change({ [name]: false, theme: 'dark', password: 'Wrong-Horse-7' }), 'WRONG_PASSWORD');
  }
  expect((await seller.me()).settings).toEqual(settingsSchema.parse({}));
  const session = await stack.models.sessions.findOne({ user_id: seller.id }).lean();
  expect(session?.wrong.password).toBe(guardedSettings.length);
  for (const name of guardedSettings) {
    expect((await change({ [name]: false, password: testPassword })).status).toBe(200);
    // Off already, and on again.
    expect((await change({ [name]: false })).status).toBe(200);
    expect((await change({ [name]: true })).status).toBe(200);
  }
});

test('with security emails off, a new device is not told, and changes of what protects the account are', async ({
  stack,
}) => {
  const seller = await stack.seller();
  await anotherSession(stack.url, seller, { 'user-agent': 'curl/8.5' });
  const { password } = seller;
  await call(seller, 'PATCH', paths.settings, { securityNotifications: false, password });
  await anotherSession(stack.url, seller, { 'user-agent': 'Wget/1.25' });
  await turnOnTwoFactor(seller);
  const change = { password, newPassword: 'Quiet-Harbour-31' };
  expect((await call(seller, 'POST', paths.password, change)).status).toBe(204);
  // Mails are enqueued before the reply.
  const mails = await stack.models.mails.find({ to: seller.email }).sort({ created_at: 1 }).lean();
  expect(mails.map(({ subject }) => subject)).toEqual([
    'New sign-in to your account',
    'Security emails were turned off',
    'Two-factor sign-in is on',
    'Your password was changed',
  ]);
});

// How well an account is protected, as its owner reads it.

const protectionOf = async (seller: Seller) => (await call<Protection>(seller, 'GET', paths.protection)).body;
const stateOf = async (seller: Seller, name: string) =>
  (await protectionOf(seller)).steps.find((step) => step.name === name)?.state;

test('a second factor raises the level, which is stored with it; removing it lowers both', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const levels = async () => {
    const profile = await stack.models.profiles.findById(seller.id).lean();
    return [profile?.security_level, (await protectionOf(seller)).level];
  };
  expect(await levels()).toEqual(['standard', 'standard']);
  expect(await protectionOf(seller)).toMatchObject({
    steps: expect.arrayContaining([{ name: 'second-factor', state: 'raises' }]),
    app: false,
    passkeys: 0,
    recoveryCodes: 0,
  });

  const { secret } = await turnOnTwoFactor(seller);
  expect(await levels()).toEqual(['high', 'high']);
  expect(await protectionOf(seller)).toMatchObject({
    steps: expect.arrayContaining([
      { name: 'second-factor', state: 'done' },
      { name: 'recovery-codes', state: 'done' },
    ]),
    app: true,
    passkeys: 0,
    recoveryCodes: 10,
  });
  await stack.models.users.updateOne({ _id: seller.id }, { 'two_factor.recovery_codes': ['last'] });
  expect(await stateOf(seller, 'recovery-codes')).toBe('advised');

  const off = { password: testPassword, code: codeOf(secret, 1) };
  expect((await call(seller, 'DELETE', paths.twoFactor, off)).status).toBe(204);
  expect(await levels()).toEqual(['standard', 'standard']);
  expect(await stateOf(seller, 'recovery-codes')).toBeUndefined();
});

test('the level is the stored one', async ({ stack }) => {
  const seller = await stack.seller();
  await stack.models.profiles.updateOne({ _id: seller.id }, { security_level: 'high' });
  expect(await protectionOf(seller)).toMatchObject({ level: 'high' });
});

test('mail that comes back, security emails that are off and an old password are told, at the same level', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const open = async () =>
    (await protectionOf(seller)).steps.filter(({ state }) => state === 'advised').map(({ name }) => name);
  expect(await open()).toEqual([]);
  await markUnreachable(stack.db, seller.email, { kind: 'bounce', reason: 'No such mailbox' });
  expect(await open()).toEqual(['reachable-address']);
  await call(seller, 'PATCH', paths.settings, { securityNotifications: false, password: testPassword });
  const longAgo = new Date(Date.now() - 366 * 86_400_000);
  await stack.models.users.updateOne({ _id: seller.id }, { password_changed_at: longAgo });
  expect(await open()).toEqual(['reachable-address', 'security-emails', 'recent-password']);
  expect((await protectionOf(seller)).level).toBe('standard');
});
