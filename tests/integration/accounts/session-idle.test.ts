/** Sessions end when they are not used for as long as their seller says, and not while they are used. */
import { expect } from 'vitest';
import { limits, paths } from '#contract';
import { call } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';
import { claimsOf } from '#tests/support/tokens.ts';
import { createVisitor } from '#tests/support/visitor.ts';

const test = testWithSeller({ workers: 0 }, { paid: false });

const session = async (stack: TestStack, seller: Seller) =>
  (await stack.models.sessions.findById(String(claimsOf(seller.token).sid)).lean())!;
const minutesLeft = async (stack: TestStack, seller: Seller) =>
  ((await session(stack, seller)).expires_at.getTime() - Date.now()) / 60_000;

/** Lets time pass for the session: it was last used so long ago. The server is one that has not seen it lately. */
async function idleFor(stack: TestStack, seller: Seller, minutes: number, idleMinutes = 30): Promise<string> {
  const lastSeen = Date.now() - minutes * 60_000;
  await stack.models.sessions.updateOne(
    { _id: (await session(stack, seller))._id },
    {
      idle_minutes: idleMinutes,
      last_seen_at: new Date(lastSeen),
      expires_at: new Date(lastSeen + idleMinutes * 60_000),
    },
  );
  return (await stack.startServer()).url;
}
const ask = (seller: Seller, url: string) =>
  createVisitor(url).request(paths.me, { headers: { authorization: `Bearer ${seller.token}` } });

test('a session begins with the idle time of the settings, and is told by device and address', async ({
  stack,
  seller,
}) => {
  expect(await session(stack, seller)).toMatchObject({ idle_minutes: 30, device: 'node' });
  expect((await session(stack, seller)).address).toMatch(/127\.0\.0\.1|::1/);
  expect(await minutesLeft(stack, seller)).toBeGreaterThan(29);
  expect(await minutesLeft(stack, seller)).toBeLessThanOrEqual(30);
  await stack.models.userSettings.updateOne({ _id: seller.id }, { session_timeout: 5 });
  const answer = await createVisitor(stack.url).post(paths.session, {
    email: seller.email,
    password: seller.password,
  });
  const { sid } = claimsOf((answer.body as { token: string }).token);
  expect(await stack.models.sessions.findById(String(sid)).lean()).toMatchObject({ idle_minutes: 5 });
});

test('one that is used goes on for its whole idle time from then', async ({ stack, seller }) => {
  const url = await idleFor(stack, seller, 29);
  expect(await minutesLeft(stack, seller)).toBeLessThan(2);
  expect((await ask(seller, url)).status).toBe(200);
  expect(await minutesLeft(stack, seller)).toBeGreaterThan(29);
});

test('one that was not used for its idle time has ended, also one of an hour and one of five minutes', async ({
  stack,
}) => {
  for (const idleMinutes of [5, 30, 60]) {
    // MongoDB may have removed the session that expired in the round before.
    const seller = await stack.seller({ paid: false });
    expect((await ask(seller, await idleFor(stack, seller, idleMinutes - 0.1, idleMinutes))).status).toBe(
      200,
    );
    expectError(
      await ask(seller, await idleFor(stack, seller, idleMinutes + 0.1, idleMinutes)),
      'UNAUTHENTICATED',
    );
  }
});

test('no session outlives its token, however long the idle time', async ({ stack, seller }) => {
  const url = await idleFor(stack, seller, 1, 600);
  expect((await ask(seller, url)).status).toBe(200);
  expect(await minutesLeft(stack, seller)).toBeLessThanOrEqual(limits.sessionSeconds / 60);
});

test('a burst of requests notes the use once, and one that was just noted is not noted again', async ({
  stack,
  seller,
}) => {
  const url = await idleFor(stack, seller, 10);
  const before = await session(stack, seller);
  await Promise.all(Array.from({ length: 20 }, () => ask(seller, url)));
  const after = await session(stack, seller);
  expect(after.last_seen_at.getTime()).toBeGreaterThan(before.last_seen_at.getTime());
  await Promise.all(Array.from({ length: 20 }, () => ask(seller, url)));
  await Promise.all(Array.from({ length: 20 }, () => ask(seller, stack.url)));
  expect(await session(stack, seller)).toEqual(after);
});

test('an ended session is not brought back by a server that believes it for a moment still', async ({
  stack,
  seller,
}) => {
  const url = await idleFor(stack, seller, 10);
  expect((await ask(seller, url)).status).toBe(200);
  await stack.models.sessions.deleteOne({ _id: (await session(stack, seller))._id });
  // The word of its end is lost: nobody was told. It is believed for five seconds, and not extended.
  await expect.poll(async () => (await ask(seller, url)).status, { timeout: 10_000 }).toBe(401);
  expect(await stack.models.sessions.countDocuments({ user_id: seller.id })).toBe(0);
});

const days = (count: number) => count * 86_400_000;

test('a session ends 30 days after it began, however much it is used; then one signs in again', async ({
  stack,
  seller,
}) => {
  const begun = (ms: number) =>
    stack.models.sessions.updateOne(
      { _id: String(claimsOf(seller.token).sid) },
      { $set: { created_at: new Date(Date.now() - ms) } },
    );
  const url = await idleFor(stack, seller, 1);
  await begun(days(limits.sessionDays) - 60_000);
  expect((await ask(seller, url)).status).toBe(200);
  // Its last use does not carry it over the end, nor does a longer idle time.
  expect(await minutesLeft(stack, seller)).toBeLessThanOrEqual(1);
  const settings = { sessionTimeoutMinutes: 60 };
  expect((await call(seller, 'PATCH', paths.settings, settings)).status).toBe(200);
  expect(await minutesLeft(stack, seller)).toBeLessThanOrEqual(1);

  const later = await idleFor(stack, seller, 1);
  await begun(days(limits.sessionDays) + 1);
  expectError(await ask(seller, later), 'UNAUTHENTICATED');
  const again = { email: seller.email, password: seller.password };
  expect((await createVisitor(later).post(paths.session, again)).status).toBe(200);
});
