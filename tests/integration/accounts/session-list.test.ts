import { expect } from 'vitest';
import { paths, type SessionList } from '#contract';
import { anotherSession, call } from '#tests/support/account.ts';
import type { Seller } from '#tests/support/seller.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack({ workers: 0 });

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
