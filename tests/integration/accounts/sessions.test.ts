/** The list of sessions, and when one ends: idle for the seller's session timeout, or for the days of a browser that stays signed in, or 30 days after it began. */
import { expect } from 'vitest';
import { limits, paths, type SessionList } from '#contract';
import { startSession, tokenSeconds } from '#shared/data/accounts/sessions.ts';
import { anotherSession, call, twoFactorSeller } from '#tests/support/account.ts';
import { answer, askChallenge, passkeySeller } from '#tests/support/authenticator.ts';
import { expectError } from '#tests/support/errors.ts';
import { openWindow, type Seller } from '#tests/support/seller.ts';
import { claimsOf, makeToken } from '#tests/support/session-token.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';
import { createVisitor, resetSignInLimit } from '#tests/support/visitor.ts';

const test = testWithSeller({ workers: 0 }, { paid: false });

const firefox = {
  'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
};

const listOf = async (seller: Seller) =>
  (await call<SessionList>(seller, 'GET', paths.sessions)).body.sessions;

test('the list has every session of a seller, and marks the current one', async ({ stack }) => {
  const seller = await stack.seller();
  const began = Date.now();
  const other = await anotherSession(stack.url, seller, firefox);
  const sessions = await listOf(seller);
  expect(sessions).toHaveLength(2);
  const otherSession = sessions.find(({ current }) => !current)!;
  expect(otherSession).toMatchObject({ device: 'Firefox on Windows' });
  expect(otherSession.address).toMatch(/127\.0\.0\.1$/);
  expect(Date.parse(otherSession.startedAt)).toBeGreaterThanOrEqual(began);
  expect(Date.parse(otherSession.startedAt)).toBeLessThanOrEqual(Date.now());
  expect((await listOf(other)).find(({ current }) => current)?.id).toBe(otherSession.id);
  // Another seller's list has none of them.
  expect(await listOf(await stack.seller())).toHaveLength(1);
});

test('ending a session takes effect at once on every server, closes its socket, and affects no other session', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const other = await anotherSession(stack.url, seller);
  const elsewhere = await stack.startServer();
  const window = await other.openWindow();
  const ended = new Promise((resolve) => window.socket.once('sessionEnded', () => resolve('ended')));
  const closed = new Promise((resolve) => window.socket.once('disconnect', () => resolve('closed')));
  const otherSession = (await listOf(seller)).find(({ current }) => !current)!;
  // Both servers have it in their caches.
  const headers = { authorization: `Bearer ${other.token}` };
  expect((await fetch(elsewhere.url + paths.me, { headers })).status).toBe(200);

  expect((await call(seller, 'DELETE', paths.oneSession(otherSession.id))).status).toBe(204);
  expect(await Promise.all([ended, closed])).toEqual(['ended', 'closed']);
  expect((await other.request(paths.me)).status).toBe(401);
  await expect.poll(async () => (await fetch(elsewhere.url + paths.me, { headers })).status).toBe(401);
  expect((await seller.request(paths.me)).status).toBe(200);
  expect(await listOf(seller)).toHaveLength(1);
});

test("another seller's session is answered NOT_FOUND, like an unknown one", async ({ stack }) => {
  const seller = await stack.seller();
  const stranger = await stack.seller();
  const theirs = (await listOf(stranger))[0]!;
  for (const id of [theirs.id, '00000000-0000-4000-8000-000000000000', '$ne']) {
    const answer = await call(seller, 'DELETE', paths.oneSession(id));
    expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND']);
  }
  expect((await stranger.request(paths.me)).status).toBe(200);
});

test('the current session can be ended from the list', async ({ stack }) => {
  const seller = await stack.seller();
  const own = (await listOf(seller))[0]!;
  const answer = await call(seller, 'DELETE', paths.oneSession(own.id));
  expect(answer.status).toBe(204);
  expect(answer.headers.get('set-cookie')).toMatch(/^packshot=;/);
  expect((await seller.request(paths.me)).status).toBe(401);
});

test('signing out everywhere ends every session and socket, including the current one', async ({ stack }) => {
  const seller = await stack.seller();
  const others = [await anotherSession(stack.url, seller), await anotherSession(stack.url, seller)];
  const windows = await Promise.all([seller, ...others].map((each) => each.openWindow()));
  const closed = windows.map(({ socket }) => new Promise((resolve) => socket.once('disconnect', resolve)));
  const answer = await call(seller, 'DELETE', paths.sessions);
  expect(answer.status).toBe(204);
  expect(answer.headers.get('set-cookie')).toMatch(/^packshot=;/);
  await Promise.all(closed);
  for (const each of [seller, ...others]) expect((await each.request(paths.me)).status).toBe(401);
  expect(await stack.models.sessions.countDocuments({ user_id: seller.id })).toBe(0);
});

// A session ends when it was idle for the seller's session timeout, and 30 days after it began.

const sessionOf = async (stack: TestStack, seller: Seller) =>
  (await stack.models.sessions.findById(String(claimsOf(seller.token).sid)).lean())!;
const minutesLeft = async (stack: TestStack, seller: Seller) =>
  ((await sessionOf(stack, seller)).expires_at.getTime() - Date.now()) / 60_000;

/** Changes the session as if it had been idle for some minutes. No server may have it in its cache yet. */
async function idleFor(stack: TestStack, seller: Seller, minutes: number, idleMinutes = 30): Promise<void> {
  const lastSeen = Date.now() - minutes * 60_000;
  await stack.models.sessions.updateOne(
    { _id: (await sessionOf(stack, seller))._id },
    {
      idle_minutes: idleMinutes,
      last_seen_at: new Date(lastSeen),
      expires_at: new Date(lastSeen + idleMinutes * 60_000),
    },
  );
}
const requestMe = (stack: TestStack, seller: Seller, url = stack.url) =>
  createVisitor(url).request(paths.me, { headers: { authorization: `Bearer ${seller.token}` } });

test('a new session has the idle time from the settings, and stores device and address', async ({
  stack,
  seller,
}) => {
  const signedIn = await anotherSession(stack.url, seller);
  expect(await sessionOf(stack, signedIn)).toMatchObject({ idle_minutes: 30, device: 'node' });
  expect((await sessionOf(stack, signedIn)).address).toMatch(/127\.0\.0\.1|::1/);
  expect(await minutesLeft(stack, signedIn)).toBeGreaterThan(29);
  expect(await minutesLeft(stack, signedIn)).toBeLessThanOrEqual(30);
  await stack.models.userSettings.updateOne({ _id: seller.id }, { session_timeout: 5 });
  const answer = await createVisitor(stack.url).post(paths.session, {
    email: seller.email,
    password: seller.password,
  });
  const { sid } = claimsOf((answer.body as { token: string }).token);
  expect(await stack.models.sessions.findById(String(sid)).lean()).toMatchObject({ idle_minutes: 5 });
});

test('using a session extends it by its full idle time', async ({ stack, seller }) => {
  await idleFor(stack, seller, 29);
  expect(await minutesLeft(stack, seller)).toBeLessThan(2);
  expect((await requestMe(stack, seller)).status).toBe(200);
  expect(await minutesLeft(stack, seller)).toBeGreaterThan(29);
});

test('a session ends after its idle time: 5, 30 or 60 minutes', async ({ stack }) => {
  for (const idleMinutes of [5, 30, 60]) {
    const [idle, ended] = [await stack.seller({ paid: false }), await stack.seller({ paid: false })];
    await idleFor(stack, idle, idleMinutes - 0.1, idleMinutes);
    expect((await requestMe(stack, idle)).status).toBe(200);
    await idleFor(stack, ended, idleMinutes + 0.1, idleMinutes);
    expectError(await requestMe(stack, ended), 'UNAUTHENTICATED');
  }
});

test('no session outlives its token, however long the idle time', async ({ stack, seller }) => {
  await idleFor(stack, seller, 1, 600);
  expect((await requestMe(stack, seller)).status).toBe(200);
  expect(await minutesLeft(stack, seller)).toBeLessThanOrEqual(limits.sessionSeconds / 60);
});

test('concurrent requests record the use of a session once, and a recent use is not recorded again', async ({
  stack,
  seller,
}) => {
  await idleFor(stack, seller, 10);
  const before = await sessionOf(stack, seller);
  await Promise.all(Array.from({ length: 20 }, () => requestMe(stack, seller)));
  const after = await sessionOf(stack, seller);
  expect(after.last_seen_at.getTime()).toBeGreaterThan(before.last_seen_at.getTime());
  await Promise.all(Array.from({ length: 20 }, () => requestMe(stack, seller)));
  const another = await stack.startServer();
  await Promise.all(Array.from({ length: 20 }, () => requestMe(stack, seller, another.url)));
  expect(await sessionOf(stack, seller)).toEqual(after);
});

test('a server that has an ended session in its cache does not restore it', async ({ stack, seller }) => {
  await idleFor(stack, seller, 10);
  expect((await requestMe(stack, seller)).status).toBe(200);
  await stack.models.sessions.deleteOne({ _id: (await sessionOf(stack, seller))._id });
  // No event has announced its end. The server caches it for five seconds, and does not extend it.
  await expect.poll(async () => (await requestMe(stack, seller)).status).toBe(401);
  expect(await stack.models.sessions.countDocuments({ user_id: seller.id })).toBe(0);
});

const days = (count: number) => count * 86_400_000;

test('a session ends 30 days after it began even if it is used, and the seller can sign in again', async ({
  stack,
  seller,
}) => {
  const setAge = (ms: number) =>
    stack.models.sessions.updateOne(
      { _id: String(claimsOf(seller.token).sid) },
      { $set: { created_at: new Date(Date.now() - ms) } },
    );
  await idleFor(stack, seller, 1);
  await setAge(days(limits.sessionDays) - 60_000);
  expect((await requestMe(stack, seller)).status).toBe(200);
  // Neither a use nor a longer idle time extends it beyond the 30 days.
  expect(await minutesLeft(stack, seller)).toBeLessThanOrEqual(1);
  const settings = { sessionTimeoutMinutes: 60 };
  expect((await call(seller, 'PATCH', paths.settings, settings)).status).toBe(200);
  expect(await minutesLeft(stack, seller)).toBeLessThanOrEqual(1);

  const { url: later } = await stack.startServer();
  await idleFor(stack, seller, 1);
  await setAge(days(limits.sessionDays) + 1);
  expectError(await requestMe(stack, seller, later), 'UNAUTHENTICATED');
  const again = { email: seller.email, password: seller.password };
  expect((await createVisitor(later).post(paths.session, again)).status).toBe(200);
});

// "Stay signed in": a browser in which it was ticked stays signed in for longer without activity.

const staysDays = limits.staySignedInDays;

test('a browser that stays signed in ends after its days without activity, others after their minutes', async ({
  stack,
  seller,
}) => {
  const details = { email: seller.email, password: seller.password };
  const visitor = createVisitor(stack.url);
  const answer = await visitor.post(paths.session, { ...details, staySignedIn: true });
  expect(answer.status).toBe(200);
  const { token, expiresAt } = answer.body as { token: string; expiresAt: string };
  // The cookie is kept for as long as the token is valid.
  const cookies = answer.headers.getSetCookie();
  expect(cookies.find((cookie) => cookie.startsWith('packshot='))).toContain(
    new Date(expiresAt).toUTCString(),
  );
  const stays = { ...seller, token };
  const { aud, exp, iat } = claimsOf(token) as { aud: string; exp: number; iat: number };
  expect(aud).toBe('packshot');
  expect(exp - iat).toBe(staysDays * 86_400 + limits.sessionSeconds);
  expect(await sessionOf(stack, stays)).toMatchObject({
    stays_signed_in: true,
    idle_minutes: staysDays * 1_440,
  });
  expect(await sessionOf(stack, seller)).not.toHaveProperty('stays_signed_in');

  const { sessions } = (await call<SessionList>(seller, 'GET', paths.sessions)).body;
  expect(sessions.map(({ staysSignedIn, idleMinutes }) => [staysSignedIn, idleMinutes]).sort()).toEqual([
    [false, 30],
    [true, staysDays * 1_440],
  ]);
  // A shorter time in the settings is for the others.
  expect((await call(seller, 'PATCH', paths.settings, { sessionTimeoutMinutes: 5 })).status).toBe(200);
  expect(await minutesLeft(stack, stays)).toBeGreaterThan(staysDays * 1_440 - 1);
  expect(await minutesLeft(stack, seller)).toBeLessThanOrEqual(5);

  await idleFor(stack, stays, staysDays * 1_440 - 1, staysDays * 1_440);
  const { url } = await stack.startServer();
  expect((await requestMe(stack, stays, url)).status).toBe(200);
  expect(await minutesLeft(stack, stays)).toBeGreaterThan(staysDays * 1_440 - 1);
  const window = await openWindow(url, token);
  const closed = new Promise((resolve) => window.socket.once('disconnect', resolve));
  await idleFor(stack, stays, staysDays * 1_440 + 1, staysDays * 1_440);
  await closed;
  const { url: later } = await stack.startServer();
  expectError(await requestMe(stack, stays, later), 'UNAUTHENTICATED');
  await expect(openWindow(later, token)).rejects.toThrow();
});

test('a browser that stays signed in keeps its idle time however old its token is, up to the 30 days', async ({
  stack,
  seller,
}) => {
  const session = await startSession(stack.db, seller.id, {
    device: 'node',
    address: '127.0.0.1',
    factors: ['password'],
    idle_minutes: staysDays * 1_440,
    stays_signed_in: true,
  });
  // As signed almost an hour ago, and yesterday: only a cookie is renewed.
  const tokenAged = (seconds: number) => {
    const iat = Math.floor(Date.now() / 1_000) - seconds;
    const claims = {
      sub: seller.id,
      sid: session._id,
      aud: 'packshot',
      iat,
      exp: iat + tokenSeconds(session),
    };
    return makeToken(claims, stack.config.sessionSecret);
  };
  const renewed = async (token: string) => {
    const answer = await fetch(stack.url + paths.me, { headers: { cookie: `packshot=${token}` } });
    expect(answer.status).toBe(200);
    const cookie = answer.headers.getSetCookie().find((each) => each.startsWith('packshot='));
    return cookie === undefined ? null : claimsOf(/^packshot=([^;]+)/.exec(cookie)![1]!);
  };
  expect(await renewed(tokenAged(limits.sessionSeconds / 2 - 60))).toBeNull();
  for (const age of [limits.sessionSeconds / 2 + 60, 86_400]) {
    const claims = await renewed(tokenAged(age));
    expect(Number(claims!.exp) - Date.now() / 1_000).toBeGreaterThan(staysDays * 86_400);
  }
  await stack.models.sessions.updateOne(
    { _id: session._id },
    { created_at: new Date(Date.now() - days(limits.sessionDays) - 1) },
  );
  const { url } = await stack.startServer();
  await stack.models.sessions.updateOne(
    { _id: session._id },
    { last_seen_at: new Date(Date.now() - 60_000) },
  );
  const answer = await fetch(url + paths.me, { headers: { cookie: `packshot=${tokenAged(60)}` } });
  expect(answer.status).toBe(401);
});

test('every way to sign in takes it: password, code and passkey; an operator never stays', async ({
  stack,
}) => {
  const staysIn = async (answer: { status: number; body: unknown }) => {
    expect(answer.status).toBe(200);
    const { sid } = claimsOf((answer.body as { token: string }).token);
    return (await stack.models.sessions.findById(String(sid)).lean())!.stays_signed_in ?? false;
  };
  const { seller, recoveryCodes } = await twoFactorSeller(stack);
  const withCode = (code: string, staySignedIn?: boolean) =>
    createVisitor(stack.url).post(paths.session, {
      email: seller.email,
      password: seller.password,
      code,
      ...(staySignedIn !== undefined && { staySignedIn }),
    });
  expect(await staysIn(await withCode(recoveryCodes[0]!, true))).toBe(true);
  expect(await staysIn(await withCode(recoveryCodes[1]!, false))).toBe(false);
  expect(await staysIn(await withCode(recoveryCodes[2]!))).toBe(false);

  const withPasskey = await passkeySeller(stack);
  const passkeySession = async (staySignedIn?: boolean) => {
    const visitor = createVisitor(stack.url);
    const assertion = answer(stack.url, withPasskey.passkey, await askChallenge(visitor));
    return visitor.post(paths.passkeySession, { ...assertion, ...(staySignedIn && { staySignedIn }) });
  };
  expect(await staysIn(await passkeySession(true))).toBe(true);
  expect(await staysIn(await passkeySession())).toBe(false);

  await resetSignInLimit(stack.db);
  await stack.models.profiles.updateOne({ _id: seller.id }, { operator_since: new Date() });
  expect(await staysIn(await withCode(recoveryCodes[3]!, true))).toBe(false);
});
