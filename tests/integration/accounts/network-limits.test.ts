/** What one network may do in a window: a flood from one address ends, an office behind one works, others notice nothing. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limits, paths } from '#contract';
import { expectError } from '#tests/support/errors.ts';
import { type RawRequest, sendRaw } from '#tests/support/raw-http.ts';
import type { Seller } from '#tests/support/seller.ts';
import { startTestStack, type TestStack } from '#tests/support/stack.ts';
import { newAddress, signUpForm } from '#tests/support/visitor.ts';

let stack: TestStack;
let seller: Seller;
beforeAll(async () => {
  stack = await startTestStack({ workers: 0, settings: { NETWORK_LIMIT_FACTOR: '1' } });
  seller = await stack.seller();
});
afterAll(() => stack.close());

/** A loopback address that no other test comes from. */
const newSource = (() => {
  let last = 1;
  return () => {
    last += 1;
    return `127.0.0.${last}`;
  };
})();

const sendJson = (url: string, path: string, body: unknown, more: Partial<RawRequest> = {}) =>
  sendRaw(url, {
    method: 'POST',
    path,
    body: JSON.stringify(body),
    ...more,
    headers: { 'content-type': 'application/json', ...more.headers },
  });

function expectLimited(answer: Awaited<ReturnType<typeof sendJson>>, seconds: number): void {
  expectError(answer, 'RATE_LIMITED', {
    message: expect.stringMatching(/^Too many requests from your network\. Please try again in \d+ \w+\.$/),
  });
  const wait = Number(answer.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(seconds);
}

test('a flood of sign-ups from one network makes as many accounts and mails as are allowed, and others sign up', async () => {
  const [flood, other] = [newSource(), newSource()];
  const { requests, seconds } = limits.network['sign-up'];
  const usersBefore = await stack.db.users.countDocuments();
  const mails = () => stack.db.mails.countDocuments({ subject: 'Confirm your email' });
  const mailsBefore = await mails();
  const answers = await Promise.all(
    Array.from({ length: requests + 30 }, () =>
      sendJson(stack.url, paths.accounts, signUpForm(), { from: flood }),
    ),
  );
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(requests);
  for (const answer of answers.filter(({ status }) => status !== 202)) expectLimited(answer, seconds);
  expect(await stack.db.users.countDocuments()).toBe(usersBefore + requests);
  expect(await mails()).toBe(mailsBefore + requests);
  const form = signUpForm();
  expect((await sendJson(stack.url, paths.accounts, form, { from: other })).status).toBe(202);
  // Who is refused there can still sign in.
  const unverified = await sendJson(
    stack.url,
    paths.session,
    { email: form.email, password: form.password },
    { from: flood },
  );
  expectError(unverified, 'EMAIL_UNVERIFIED');
});

test('thirty people of one office sign in within a minute, each after two wrong passwords', async () => {
  const office = newSource();
  const people = await Promise.all(Array.from({ length: 30 }, () => stack.seller({ paid: false })));
  for (const password of ['Wrong-Horse-1', 'Wrong-Horse-2', seller.password]) {
    const answers = await Promise.all(
      people.map(({ email }) => sendJson(stack.url, paths.session, { email, password }, { from: office })),
    );
    const wanted = password === seller.password ? 200 : 401;
    expect(answers.map(({ status }) => status)).toEqual(people.map(() => wanted));
  }
});

test('two servers count together, and a network that is known to be refused costs the database nothing', async () => {
  const source = newSource();
  const another = await stack.startServer();
  const { requests, seconds } = limits.network['mail-link'];
  const ask = (url: string) => sendJson(url, paths.passwordReset, { email: newAddress() }, { from: source });
  const answers = await Promise.all(
    Array.from({ length: requests + 10 }, (_, index) => ask(index % 2 === 0 ? stack.url : another.url)),
  );
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(requests);
  const points = async () => {
    const counted = await stack.db.connection.collection('network_mail_link').find().toArray();
    return Math.max(...counted.map((row) => Number(row.points)));
  };
  // Whether this server has seen the last one that was allowed was chance; now it knows.
  expectLimited(await ask(stack.url), seconds);
  const before = await points();
  for (let count = 0; count < 20; count += 1) expectLimited(await ask(stack.url), seconds);
  expect(await points()).toBe(before);
});

test('the refusal comes before the body is read', async () => {
  const source = newSource();
  const { requests, seconds } = limits.network['mail-link'];
  const ask = () => sendJson(stack.url, paths.verification, { email: newAddress() }, { from: source });
  await Promise.all(Array.from({ length: requests }, ask));
  expectLimited(await sendJson(stack.url, paths.verification, 'no object', { from: source }), seconds);
});

const bearer = () => ({ authorization: `Bearer ${seller.token}` });
const routes: [name: keyof typeof limits.network, path: string, headers: () => Record<string, string>][] = [
  ['sign-up', paths.accounts, () => ({})],
  ['sign-in', paths.session, () => ({})],
  ['sign-in', paths.verifyEmail, () => ({})],
  ['sign-in', paths.unlock, () => ({})],
  ['sign-in', paths.confirmPasswordReset, () => ({})],
  ['sign-in', paths.confirmEmail, () => ({})],
  ['mail-link', paths.verification, () => ({})],
  ['mail-link', paths.passwordReset, () => ({})],
  ['upload', paths.generations, bearer],
  ['billing', paths.subscribe, bearer],
  ['billing', paths.portalSession, bearer],
];

test.each(routes)('%s is limited at %s', async (name, path, headers) => {
  // A server that bears less: what is refused for its form counts as well.
  const strict = await stack.startServer({ NETWORK_LIMIT_FACTOR: '0.1' });
  const { requests, seconds } = limits.network[name];
  const source = newSource();
  const send = () => sendJson(strict.url, path, { unknown: true }, { from: source, headers: headers() });
  for (let count = 0; count < Math.floor(requests / 10); count += 1)
    expect((await send()).status).not.toBe(429);
  expectLimited(await send(), seconds);
});

test('strangers without a session use up nothing of what sellers of their network may upload', async () => {
  const strict = await stack.startServer({ NETWORK_LIMIT_FACTOR: '0.01' });
  const from = newSource();
  for (let count = 0; count < 5; count += 1) {
    expectError(await sendJson(strict.url, paths.generations, {}, { from }), 'UNAUTHENTICATED');
  }
  const answer = await sendJson(strict.url, paths.generations, {}, { from, headers: bearer() });
  expect(answer.status).toBe(415);
});

test('behind a proxy the network is that of whoever asked it; without one nobody chooses theirs', async () => {
  const proxied = await stack.startServer({ NETWORK_LIMIT_FACTOR: '0.01', TRUSTED_PROXIES: '1' });
  const ask = (url: string, from: string, address: string) =>
    sendJson(url, paths.session, { email: newAddress() }, { from, headers: { 'x-forwarded-for': address } });
  const proxy = newSource();
  const statuses: number[] = [];
  for (const address of ['2001:db8:7:1::1', '2001:db8:7:1:ffff::2', '2001:db8:7:2::1', '203.0.113.9']) {
    statuses.push((await ask(proxied.url, proxy, address)).status);
  }
  expect(statuses).toEqual([400, 429, 400, 400]);

  const direct = await stack.startServer({ NETWORK_LIMIT_FACTOR: '0.01' });
  const source = newSource();
  const answers = [];
  for (let count = 0; count < 2; count += 1) {
    answers.push((await ask(direct.url, source, `198.51.100.${count}`)).status);
  }
  expect(answers).toEqual([400, 429]);
});
