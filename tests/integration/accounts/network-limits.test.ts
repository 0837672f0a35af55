/** Limits per network: which requests they apply to, and how requests are counted. */

import { expect } from 'vitest';
import { paths } from '#contract';
import { requestLimits } from '#contract/request-limits.ts';
import { connectionOf } from '#shared/data/collection.ts';
import { expectError } from '#tests/support/errors.ts';
import { newAddress } from '#tests/support/visitor.ts';
import { expectLimited, newSource, sendJson, test } from './network-limits-steps.ts';

test('two servers share one count, and refusing a network that is over its limit takes no write to the database', async ({
  stack,
}) => {
  const source = newSource();
  const otherServer = await stack.startServer();
  const { requests, seconds } = requestLimits.network['mail-link'];
  const requestReset = (url: string) =>
    sendJson(url, paths.passwordReset, { email: newAddress() }, { from: source });
  const answers = await Promise.all(
    Array.from({ length: requests + 10 }, (_, index) =>
      requestReset(index % 2 === 0 ? stack.url : otherServer.url),
    ),
  );
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(requests);
  const points = async () => {
    const counted = await connectionOf(stack.db).collection('network_mail_link').find().toArray();
    return Math.max(...counted.map((row) => Number(row.points)));
  };
  // Either server may have counted the last request that was allowed. After this one, the first server knows that the
  // limit is reached.
  expectLimited(await requestReset(stack.url), seconds);
  const before = await points();
  for (let count = 0; count < 20; count += 1) expectLimited(await requestReset(stack.url), seconds);
  expect(await points()).toBe(before);
});

test('a request over the limit is refused before its body is read', async ({ stack }) => {
  const source = newSource();
  const { requests, seconds } = requestLimits.network['mail-link'];
  const requestMail = () =>
    sendJson(stack.url, paths.verification, { email: newAddress() }, { from: source });
  await Promise.all(Array.from({ length: requests }, requestMail));
  expectLimited(await sendJson(stack.url, paths.verification, 'no object', { from: source }), seconds);
});

const routes: [name: keyof typeof requestLimits.network, path: string, signedIn: boolean][] = [
  ['sign-up', paths.accounts, false],
  ['sign-in', paths.session, false],
  ['sign-in', paths.verifyEmail, false],
  ['sign-in', paths.unlock, false],
  ['sign-in', paths.keepTwoFactor, false],
  ['sign-in', paths.confirmPasswordReset, false],
  ['sign-in', paths.confirmEmail, false],
  ['mail-link', paths.verification, false],
  ['mail-link', paths.passwordReset, false],
  ['upload', paths.generations, true],
  ['contact', paths.contact, false],
  ['application', paths.applications, false],
  ['billing', paths.subscribe, true],
  ['billing', paths.imagePacks, true],
  ['billing', paths.portalSession, true],
];

test.for(routes)('the limit for %s applies to %s', async ([name, path, signedIn], { tenth, seller }) => {
  const headers: Record<string, string> = signedIn ? { authorization: `Bearer ${seller.token}` } : {};
  const { requests, seconds } = requestLimits.network[name];
  const source = newSource();
  // Requests that are refused as invalid count, too.
  const send = () => sendJson(tenth.url, path, { unknown: true }, { from: source, headers });
  for (let count = 0; count < Math.floor(requests / 10); count += 1)
    expect((await send()).status).not.toBe(429);
  expectLimited(await send(), seconds);
});

test('requests without a session do not count towards the uploads of their network', async ({
  hundredth,
  seller,
}) => {
  const from = newSource();
  for (let count = 0; count < 5; count += 1) {
    expectError(await sendJson(hundredth.url, paths.generations, {}, { from }), 'UNAUTHENTICATED');
  }
  const answer = await sendJson(
    hundredth.url,
    paths.generations,
    {},
    { from, headers: { authorization: `Bearer ${seller.token}` } },
  );
  expect(answer.status).toBe(415);
});

/** Reset requests through a proxy, from many networks of 64 bits. */
const requestFrom = (url: string, address: string) =>
  sendJson(
    url,
    paths.passwordReset,
    { email: newAddress() },
    { from: '127.0.0.1', headers: { 'x-forwarded-for': address } },
  );

test('networks of one /56, and of one /48, share limits of their own; refusing them takes no write to the database', async ({
  stack,
}) => {
  const factor = 0.05;
  const proxied = await stack.startServer({ NETWORK_LIMIT_FACTOR: String(factor), TRUSTED_PROXIES: '1' });
  const { requests, seconds } = requestLimits.network['mail-link'];
  const most = requests * factor;
  let network = 0;
  const next = (group: number) => {
    network += 1;
    return `2001:db8:9:${(group * 256 + (network % 256)).toString(16)}::1`;
  };
  const send = async (count: number, address: () => string) => {
    for (let sent = 0; sent < count; sent += 1)
      expect((await requestFrom(proxied.url, address())).status).toBe(202);
  };
  await send(most * requestLimits.widerNetworks[56], () => next(1));
  expectLimited(await requestFrom(proxied.url, next(1)), seconds);
  await send(most * (requestLimits.widerNetworks[48] - requestLimits.widerNetworks[56]), () =>
    next(network + 2),
  );
  expectLimited(await requestFrom(proxied.url, next(250)), seconds);
  const sum = async () => {
    const counted = await connectionOf(stack.db).collection('network_mail_link').find().toArray();
    return counted.reduce((total, row) => total + Number(row.points), 0);
  };
  const before = await sum();
  for (let count = 0; count < 10; count += 1) {
    expectLimited(await requestFrom(proxied.url, next(100 + count)), seconds);
  }
  expect(await sum()).toBe(before);
  // Another customer of the same provider.
  expect((await requestFrom(proxied.url, '2001:db8:a:1::1')).status).toBe(202);
});

test('what one network asks for beyond its limit does not count for its neighbours', async ({ stack }) => {
  const factor = 0.05;
  const proxied = await stack.startServer({ NETWORK_LIMIT_FACTOR: String(factor), TRUSTED_PROXIES: '1' });
  const most = requestLimits.network['mail-link'].requests * factor;
  const statuses: number[] = [];
  for (let count = 0; count < most * requestLimits.widerNetworks[48] + 2; count += 1) {
    statuses.push((await requestFrom(proxied.url, '2001:db8:b:1::1')).status);
  }
  expect(statuses.filter((status) => status === 202)).toHaveLength(most);
  expect((await requestFrom(proxied.url, '2001:db8:b:2::1')).status).toBe(202);
});

test('behind a proxy the network is that of its client; without one, X-Forwarded-For is ignored', async ({
  stack,
  hundredth,
}) => {
  const proxied = await stack.startServer({ NETWORK_LIMIT_FACTOR: '0.01', TRUSTED_PROXIES: '1' });
  const requestSignIn = (url: string, from: string, address: string) =>
    sendJson(url, paths.session, { email: newAddress() }, { from, headers: { 'x-forwarded-for': address } });
  const proxy = newSource();
  const statuses: number[] = [];
  for (const address of ['2001:db8:7:1::1', '2001:db8:7:1:ffff::2', '2001:db8:7:2::1', '203.0.113.9']) {
    statuses.push((await requestSignIn(proxied.url, proxy, address)).status);
  }
  expect(statuses).toEqual([400, 429, 400, 400]);

  const source = newSource();
  const answers = [];
  for (let count = 0; count < 2; count += 1) {
    answers.push((await requestSignIn(hundredth.url, source, `198.51.100.${count}`)).status);
  }
  expect(answers).toEqual([400, 429]);
});
