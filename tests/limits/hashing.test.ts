/** Password hashes: their cost, and their queue. They are computed off the event loop, a few at a time. */
import { expect } from 'vitest';
import { paths } from '#contract';
import { expectError } from '#tests/support/errors.ts';
import { limitMs } from '#tests/support/machine.ts';
import { sendRaw } from '#tests/support/raw-http.ts';
import { testWithServerProcess } from '#tests/support/test.ts';
import { createVisitor, median, newAddress, signUpForm } from '#tests/support/visitor.ts';

const test = testWithServerProcess();

const signIns = (url: string, count: number) =>
  Array.from({ length: count }, () =>
    createVisitor(url).post(paths.session, { email: newAddress(), password: 'Wrong-Horse-7' }),
  );

async function timeHealthCheck(url: string): Promise<number> {
  const startedAt = performance.now();
  const answer = await fetch(`${url}/healthz`);
  await answer.text();
  expect(answer.status).toBe(200);
  return performance.now() - startedAt;
}

test('a password is hashed with argon2id, 19 MiB and two passes', async ({ stack, url }) => {
  const email = newAddress();
  expect(await createVisitor(url).post(paths.accounts, signUpForm({ email }))).toMatchObject({ status: 202 });
  const user = await stack.models.users.findOne({ email }).lean();
  expect(user!.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

test('forty concurrent sign-ins do not slow down other requests', async ({ url }) => {
  for (let count = 0; count < 20; count += 1) await timeHealthCheck(url);
  const idleTimes: number[] = [];
  for (let count = 0; count < 20; count += 1) idleTimes.push(await timeHealthCheck(url));
  let hashing = true;
  const all = Promise.all(signIns(url, 40)).finally(() => {
    hashing = false;
  });
  const busyTimes: number[] = [];
  while (hashing) busyTimes.push(await timeHealthCheck(url));
  for (const answer of await all) expectError(answer, 'BAD_CREDENTIALS');
  const figures = `median ${median(idleTimes).toFixed(1)} ms idle, ${median(busyTimes).toFixed(1)} ms of ${busyTimes.length} busy, at most ${Math.max(...busyTimes).toFixed(1)} ms`;
  console.log(figures);
  // Forty hashes on the event loop would delay one of these requests by about a second.
  expect(busyTimes.length, figures).toBeGreaterThan(10);
  expect(median(busyTimes), figures).toBeLessThan(limitMs(40));
  expect(Math.max(...busyTimes), figures).toBeLessThan(limitMs(700));
});

test('a flood from one network fills its queue of hashes and is refused with Retry-After; it neither prevents nor delays sign-ins from others', async ({
  url,
}) => {
  const signInFrom = (from: string) =>
    sendRaw(url, {
      method: 'POST',
      path: paths.session,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: newAddress(), password: 'Wrong-Horse-7' }),
      from,
    });
  let checked = 0;
  const queueIsFull = Promise.withResolvers<void>();
  const flood = Array.from({ length: 320 }, async () => {
    const answer = await signInFrom('127.0.0.2');
    if (answer.status === 503) {
      queueIsFull.resolve();
      expectError(answer, 'UNAVAILABLE');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    } else {
      checked += 1;
      expectError(answer, 'BAD_CREDENTIALS');
    }
  });
  await queueIsFull.promise;
  const before = checked;
  const startedAt = performance.now();
  const others = await Promise.all(['127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.6'].map(signInFrom));
  const ms = (performance.now() - startedAt).toFixed(0);
  console.log(`${ms} ms, ${checked - before} of the flood checked meanwhile`);
  for (const answer of others) expectError(answer, 'BAD_CREDENTIALS');
  // Addresses take turns, two hashes at a time, so the four others wait for about as many of the flood. The limit is
  // higher because replies leave in steps of 250 ms.
  expect(checked - before).toBeLessThan(100);
  await Promise.all(flood);
  expect(checked).toBeGreaterThanOrEqual(200);
  expect(checked).toBeLessThan(320);
  // Afterwards passwords are checked again.
  expect((await signIns(url, 1)[0])!.status).toBe(401);
});
