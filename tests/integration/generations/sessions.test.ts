/** Rows 24, 29 and 32: whose word is taken, over HTTP and over the socket, and when it no longer is. */
import { once } from 'node:events';
import { io, type Socket } from 'socket.io-client';
import { expect, vi } from 'vitest';
import { errorDefinitions, limits, paths, type SessionReply } from '#contract';
import { expectError } from '#tests/support/errors.ts';
import { multipart } from '#tests/support/multipart.ts';
import type { Answer, Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSharedSeller } from '#tests/support/test.ts';
import { claimsOf, makeToken } from '#tests/support/tokens.ts';

const test = testWithSharedSeller({ workers: 0 });

async function ask(
  stack: TestStack,
  path: string,
  init: RequestInit = {},
  url = stack.url,
): Promise<Answer<unknown>> {
  const reply = await fetch(url + path, init);
  const text = await reply.text();
  return { status: reply.status, headers: reply.headers, body: text === '' ? '' : JSON.parse(text) };
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const withCookie = (token: string) => ({ cookie: `packshot=${token}` });
const seconds = () => Math.floor(Date.now() / 1_000);

/** How a socket's handshake ends: undefined when it connects, else what the client is told. */
async function handshake(stack: TestStack, options: Parameters<typeof io>[1], url = stack.url) {
  const socket: Socket = io(url, {
    path: paths.socket,
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    ...options,
  });
  try {
    return await new Promise<(Error & { data?: unknown }) | undefined>((resolve) => {
      socket.once('connect', () => resolve(undefined));
      socket.once('connect_error', resolve);
    });
  } finally {
    socket.disconnect();
  }
}

const worthless: [what: string, token: (stack: TestStack, seller: Seller) => Promise<string> | string][] = [
  ['no token', () => ''],
  ['no JWT at all', () => 'nonsense'],
  ['alg: none', (_, seller) => makeToken(claimsOf(seller.token), '', { alg: 'none', typ: 'JWT' })],
  ['alg: NONE', (_, seller) => makeToken(claimsOf(seller.token), '', { alg: 'NONE', typ: 'JWT' })],
  [
    'another algorithm with the right key',
    (stack, seller) =>
      makeToken(claimsOf(seller.token), stack.config.sessionSecret, { alg: 'HS512', typ: 'JWT' }),
  ],
  [
    'an algorithm of public keys',
    (_, seller) => makeToken(claimsOf(seller.token), '', { alg: 'RS256', typ: 'JWT' }),
  ],
  [
    'another key',
    (_, seller) => makeToken(claimsOf(seller.token), 'another key that is as long as the right one is'),
  ],
  ['an empty key', (_, seller) => makeToken(claimsOf(seller.token), '')],
  ['its signature cut off', (_, seller) => seller.token.slice(0, seller.token.lastIndexOf('.') + 1)],
  [
    'its last letter changed',
    (_, seller) => seller.token.slice(0, -2) + (seller.token.at(-2) === 'A' ? 'BB' : 'AA'),
  ],
  ['expired', (stack, seller) => signed(stack, seller, { iat: seconds() - 7_200, exp: seconds() - 3_600 })],
  ['not valid yet', (stack, seller) => signed(stack, seller, { nbf: seconds() + 600 })],
  ['another audience', (stack, seller) => signed(stack, seller, { aud: 'elsewhere' })],
  ['no audience', (stack, seller) => signed(stack, seller, { aud: undefined })],
  ['no session', (stack, seller) => signed(stack, seller, { sid: undefined })],
  ['an unknown session', (stack, seller) => signed(stack, seller, { sid: crypto.randomUUID() })],
  ['an operator as the session', (stack, seller) => signed(stack, seller, { sid: { $ne: null } })],
  ['no expiry', (stack, seller) => signed(stack, seller, { exp: undefined })],
  ["another seller's id", async (stack, seller) => signed(stack, seller, { sub: (await stack.seller()).id })],
  ['signed out', signedOut],
];

function signed(stack: TestStack, seller: Seller, claims: Record<string, unknown>): string {
  return makeToken({ ...claimsOf(seller.token), ...claims }, stack.config.sessionSecret);
}

async function signedOut(stack: TestStack): Promise<string> {
  const { token } = await stack.seller();
  expect((await ask(stack, paths.session, { method: 'DELETE', headers: bearer(token) })).status).toBe(204);
  return token;
}

test.for(worthless)('a token is worth nothing: %s', async ([, make], { stack, seller }) => {
  const token = await make(stack, seller);
  expectError(await ask(stack, paths.me, { headers: bearer(token) }), 'UNAUTHENTICATED');
  expectError(await ask(stack, paths.me, { headers: withCookie(token) }), 'UNAUTHENTICATED');
  const form = { method: 'POST', ...multipart([]) };
  form.headers = { ...form.headers, ...bearer(token) };
  expectError(await ask(stack, paths.generations, form), 'UNAUTHENTICATED');
  const [, message] = errorDefinitions.UNAUTHENTICATED;
  for (const options of [
    { auth: { token } },
    { extraHeaders: withCookie(token) },
    { auth: { token: { $ne: null } } },
  ]) {
    expect(await handshake(stack, options)).toMatchObject({ data: { code: 'UNAUTHENTICATED', message } });
  }
});

test('a token is taken as bearer, as cookie and by sockets; a wrong bearer is not mended by a right cookie', async ({
  stack,
  seller,
}) => {
  expect(await ask(stack, paths.me, { headers: bearer(seller.token) })).toMatchObject({ status: 200 });
  expect(await ask(stack, paths.me, { headers: withCookie(seller.token) })).toMatchObject({ status: 200 });
  expect(await handshake(stack, { auth: { token: seller.token } })).toBeUndefined();
  expect(await handshake(stack, { extraHeaders: withCookie(seller.token) })).toBeUndefined();
  const both = { ...bearer('nonsense'), ...withCookie(seller.token) };
  expectError(await ask(stack, paths.me, { headers: both }), 'UNAUTHENTICATED');
  expectError(await ask(stack, paths.me, { headers: { authorization: seller.token } }), 'UNAUTHENTICATED');
  expectError(await ask(stack, `${paths.me}?token=${seller.token}`), 'UNAUTHENTICATED');
});

const signIn = (stack: TestStack, seller: Seller, url = stack.url, headers = {}) =>
  ask(
    stack,
    paths.session,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ email: seller.email, password: seller.password }),
    },
    url,
  );
const cookieOf = (answer: Answer<unknown>) =>
  answer.headers.getSetCookie().map((cookie) => cookie.split(/; ?/).sort());

test('the cookie is out of reach for scripts and other sites, and goes with the session', async ({
  stack,
  seller,
}) => {
  const answer = await signIn(stack, seller);
  const { token, expiresAt } = answer.body as SessionReply;
  const expires = new Date(expiresAt);
  expires.setMilliseconds(0);
  const common = ['HttpOnly', 'Path=/', 'SameSite=Lax'];
  expect(cookieOf(answer)).toEqual([
    [...common, `Expires=${expires.toUTCString()}`, `packshot=${token}`].sort(),
    // It outlasts the session: by it the browser is known at the next sign-in.
    ['HttpOnly', 'Max-Age=31536000', 'Path=/', 'SameSite=Lax', expect.stringMatching(/^packshot-device=/)],
  ]);
  expect(Math.abs(expires.getTime() / 1_000 - seconds() - limits.sessionSeconds)).toBeLessThan(10);
  const end = await ask(stack, paths.session, { method: 'DELETE', headers: withCookie(token) });
  expect(cookieOf(end)).toEqual([
    [...common, 'Expires=Thu, 01 Jan 1970 00:00:00 GMT', 'Max-Age=0', 'packshot='].sort(),
  ]);
});

test('under https the cookie is bound to the host', async ({ stack, seller }) => {
  const secure = await stack.startServer({ PUBLIC_URL: 'https://shop.example' });
  const answer = await signIn(stack, seller, secure.url, { origin: 'https://shop.example' });
  const { token } = answer.body as SessionReply;
  const [cookie] = cookieOf(answer);
  expect(cookie).toEqual(
    expect.arrayContaining([`__Host-packshot=${token}`, 'Secure', 'HttpOnly', 'Path=/', 'SameSite=Lax']),
  );
  expect(cookie!.some((part) => /^Domain/i.test(part))).toBe(false);
  const own = { headers: { cookie: `__Host-packshot=${token}` } };
  expect(await ask(stack, paths.me, own, secure.url)).toMatchObject({ status: 200 });
  // A cookie that a neighbouring host could have set is not looked at.
  expectError(await ask(stack, paths.me, { headers: withCookie(token) }, secure.url), 'UNAUTHENTICATED');
  expect(answer.headers.get('strict-transport-security')).toMatch(/max-age=\d+/);
  expectError(await signIn(stack, seller, secure.url, { origin: secure.url }), 'CROSS_SITE');
});

test('past half its life a cookie is renewed, a bearer token is not', async ({ stack }) => {
  const other = await stack.seller();
  const claims = claimsOf(other.token);
  const aged = (secondsLeft: number) =>
    makeToken(
      { ...claims, iat: seconds() + secondsLeft - limits.sessionSeconds, exp: seconds() + secondsLeft },
      stack.config.sessionSecret,
    );
  const half = limits.sessionSeconds / 2;
  expect(cookieOf(await ask(stack, paths.me, { headers: withCookie(aged(half + 60)) }))).toEqual([]);
  expect(cookieOf(await ask(stack, paths.me, { headers: bearer(aged(half - 60)) }))).toEqual([]);

  const [cookie] = cookieOf(await ask(stack, paths.me, { headers: withCookie(aged(half - 60)) }));
  const renewed = cookie!.find((part) => part.startsWith('packshot='))!.slice('packshot='.length);
  expect(claimsOf(renewed)).toMatchObject({ sub: other.id, sid: claims.sid });
  expect(Math.abs(Number(claimsOf(renewed).exp) - seconds() - limits.sessionSeconds)).toBeLessThan(10);
  expect(await ask(stack, paths.me, { headers: withCookie(renewed) })).toMatchObject({
    status: 200,
    body: { user: { id: other.id } },
  });
});

test('signing out ends one session at once, its sockets too, on every server', async ({ stack }) => {
  const other = await stack.seller();
  const second = await stack.startServer();
  const here = await other.openWindow();
  const there: Socket = io(second.url, {
    path: paths.socket,
    auth: { token: other.token },
    transports: ['websocket'],
    forceNew: true,
  });
  await once(there as never, 'connect');
  // The other server has just looked the session up, and would believe it for a while.
  expect(await ask(stack, paths.me, { headers: bearer(other.token) }, second.url)).toMatchObject({
    status: 200,
  });
  const elsewhere = await ask(stack, paths.session, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: other.email, password: other.password }),
  });
  const kept = (elsewhere.body as SessionReply).token;

  const told = [here.socket, there].flatMap((socket) => [
    once(socket as never, 'sessionEnded'),
    once(socket as never, 'disconnect'),
  ]);
  const began = Date.now();
  expect(await ask(stack, paths.session, { method: 'DELETE', headers: bearer(other.token) })).toMatchObject({
    status: 204,
  });
  expectError(await ask(stack, paths.me, { headers: bearer(other.token) }), 'UNAUTHENTICATED');
  await vi.waitFor(
    async () =>
      expectError(
        await ask(stack, paths.me, { headers: bearer(other.token) }, second.url),
        'UNAUTHENTICATED',
      ),
    {
      timeout: 2_000,
      interval: 20,
    },
  );
  await Promise.all(told);
  expect(Date.now() - began).toBeLessThan(2_000);
  expect(await handshake(stack, { auth: { token: other.token } }, second.url)).toMatchObject({
    data: { code: 'UNAUTHENTICATED' },
  });
  expect(await ask(stack, paths.me, { headers: bearer(kept) }, second.url)).toMatchObject({ status: 200 });
  expect(await ask(stack, paths.session, { method: 'DELETE', headers: bearer(other.token) })).toMatchObject({
    status: 204,
  });
  there.disconnect();
});

const foreign: [what: string, headers: Record<string, string>][] = [
  ['another origin', { origin: 'https://evil.example' }],
  ['no origin that a sandbox may have', { origin: 'null' }],
  ['an origin that is no URL', { origin: 'evil' }],
  ['another port', { origin: 'http://127.0.0.1:1' }],
  ['our name within another', { origin: 'http://127.0.0.1.evil.example' }],
  ['a browser that says cross-site', { 'sec-fetch-site': 'cross-site' }],
  ['a browser that says same-site', { 'sec-fetch-site': 'same-site' }],
];

/** What changes something by a JSON body; only webhooks come from elsewhere, signed. */
const changes = [
  paths.session,
  paths.accounts,
  paths.verification,
  paths.verifyEmail,
  paths.passwordReset,
  paths.confirmPasswordReset,
  paths.unlock,
  paths.confirmEmail,
  paths.undoEmail,
  paths.password,
  paths.email,
  paths.twoFactor,
  paths.deletion,
  paths.subscribe,
  paths.portalSession,
];

test.for(foreign)('a change from another site is refused: %s', async ([, headers], { stack, seller }) => {
  const own = { ...headers, ...withCookie(seller.token) };
  const body = JSON.stringify({ email: seller.email, password: seller.password });
  const json = { ...own, 'content-type': 'application/json' };
  for (const path of changes)
    expectError(await ask(stack, path, { method: 'POST', headers: json, body }), 'CROSS_SITE');
  expectError(await ask(stack, paths.session, { method: 'DELETE', headers: own }), 'CROSS_SITE');
  const form = multipart([]);
  expectError(
    await ask(stack, paths.generations, {
      method: 'POST',
      body: form.body,
      headers: { ...form.headers, ...own },
    }),
    'CROSS_SITE',
  );
  expectError(await ask(stack, paths.cancelGeneration('x'), { method: 'POST', headers: own }), 'CROSS_SITE');
  expect(await ask(stack, paths.me, { headers: withCookie(seller.token) })).toMatchObject({ status: 200 });
  if (headers.origin) expect(await handshake(stack, { extraHeaders: own })).toBeInstanceOf(Error);
});

test('a change from our own site is taken', async ({ stack, seller }) => {
  for (const headers of [{ origin: stack.url }, { origin: stack.url, 'sec-fetch-site': 'same-origin' }]) {
    expectError(
      await ask(stack, paths.cancelGeneration('x'), {
        method: 'POST',
        headers: { ...headers, ...withCookie(seller.token) },
      }),
      'NOT_FOUND',
    );
    expect(
      await handshake(stack, { extraHeaders: { origin: stack.url, ...withCookie(seller.token) } }),
    ).toBeUndefined();
  }
});
