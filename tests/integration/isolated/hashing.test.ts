/** The cost of a password hash. Hashes are computed off the event loop, a few at a time, and few may wait. */
import { expect } from 'vitest';
import { errorDefinitions, paths } from '#contract';
import { hashPassword } from '#server/accounts/passwords/passwords.ts';
import { expectError } from '#tests/support/errors.ts';
import { sendRaw } from '#tests/support/raw-http.ts';
import { testPassword } from '#tests/support/seller.ts';
import { testWithStack } from '#tests/support/test.ts';
import { createVisitor, median, newAddress } from '#tests/support/visitor.ts';

// A server of its own process: its event loop is not the test's.
const test = testWithStack({ workers: 0 }).extend('url', { scope: 'file' }, async ({ stack }) => {
  return (await stack.startServerProcess()).url!;
});

const signIns = (url: string, count: number) =>
  Array.from({ length: count }, () =>
    createVisitor(url).post(paths.session, { email: newAddress(), password: 'Wrong-Horse-7' }),
  );

async function healthTime(url: string): Promise<number> {
  const began = performance.now();
  const answer = await fetch(`${url}/healthz`);
  await answer.text();
  expect(answer.status).toBe(200);
  return performance.now() - began;
}

test('a password is hashed with argon2id, 19 MiB and two passes', async () => {
  expect(await hashPassword(testPassword, 'test')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

test('forty sign-ins at once do not slow down other requests', async ({ url }) => {
  for (let count = 0; count < 20; count += 1) await healthTime(url);
  const quiet: number[] = [];
  for (let count = 0; count < 20; count += 1) quiet.push(await healthTime(url));
  let hashing = true;
  const all = Promise.all(signIns(url, 40)).finally(() => {
    hashing = false;
  });
  const busy: number[] = [];
  while (hashing) busy.push(await healthTime(url));
  for (const answer of await all) expectError(answer, 'BAD_CREDENTIALS');
  const figures = `median ${median(quiet).toFixed(1)} ms quiet, ${median(busy).toFixed(1)} ms of ${busy.length} busy, at most ${Math.max(...busy).toFixed(1)} ms`;
  console.log(figures);
  // Forty hashes on the event loop would hold up one of these for about a second.
  expect(busy.length, figures).toBeGreaterThan(10);
  expect(median(busy), figures).toBeLessThan(40);
  expect(Math.max(...busy), figures).toBeLessThan(700);
});

test('when too many hashes wait, a sign-in is refused at once with Retry-After', async ({ url }) => {
  const answers = await Promise.all(signIns(url, 320));
  const refused = answers.filter(({ status }) => status === 503);
  for (const answer of refused) {
    expectError(answer, 'UNAVAILABLE');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  const checked = answers.filter(({ status }) => status === errorDefinitions.BAD_CREDENTIALS[0]);
  expect(checked.length + refused.length).toBe(320);
  expect(checked.length).toBeGreaterThanOrEqual(200);
  expect(refused.length).toBeGreaterThan(0);
  // Afterwards sign-ins are checked again.
  expect((await signIns(url, 1)[0])!.status).toBe(401);
});

test('a flood from one address neither refuses nor delays sign-ins from others', async ({ url }) => {
  const tryAt = (from: string) =>
    sendRaw(url, {
      method: 'POST',
      path: paths.session,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: newAddress(), password: 'Wrong-Horse-7' }),
      from,
    });
  let checked = 0;
  const full = Promise.withResolvers<void>();
  const flood = Array.from({ length: 320 }, async () => {
    const { status } = await tryAt('127.0.0.2');
    if (status === 503) full.resolve();
    else checked += 1;
  });
  await full.promise;
  const before = checked;
  const began = performance.now();
  const others = await Promise.all(['127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.6'].map(tryAt));
  const figures = `${(performance.now() - began).toFixed(0)} ms, ${checked - before} of the flood checked meanwhile`;
  console.log(figures);
  for (const answer of others) expectError(answer, 'BAD_CREDENTIALS');
  // Two at a time, in turn: four others wait for about as many of the flood, and answers leave in steps of 250 ms.
  expect(checked - before, figures).toBeLessThan(100);
  await Promise.all(flood);
});
