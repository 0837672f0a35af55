/** Which session tokens are accepted, by the API and by sockets, and the cookie that carries one. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { errorDefinitions, limits, paths, type SessionReply, signedInCookie } from '#contract';
import { expectError } from '#tests/support/errors.ts';
import { limitMs } from '#tests/support/machine.ts';
import { multipart } from '#tests/support/multipart.ts';
import type { Answer, Seller } from '#tests/support/seller.ts';
import { bearer, handshake, request, withCookie } from '#tests/support/session-requests.ts';
import { claimsOf, makeToken } from '#tests/support/session-token.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSharedSeller } from '#tests/support/test.ts';

const test = testWithSharedSeller({ workers: 0 });

const seconds = () => Math.floor(Date.now() / 1_000);

const invalidTokens: [what: string, token: (stack: TestStack, seller: Seller) => Promise<string> | string][] =
  [
    ['no token', () => ''],
    ['not a JWT', () => 'not-a-token'],
    ['alg: none', (_, seller) => makeToken(claimsOf(seller.token), '', { alg: 'none', typ: 'JWT' })],
    ['alg: NONE', (_, seller) => makeToken(claimsOf(seller.token), '', { alg: 'NONE', typ: 'JWT' })],
    [
      'another algorithm with the right key',
      (stack, seller) =>
        makeToken(claimsOf(seller.token), stack.config.sessionSecret, { alg: 'HS512', typ: 'JWT' }),
    ],
    [
      'a public-key algorithm',
      (_, seller) => makeToken(claimsOf(seller.token), '', { alg: 'RS256', typ: 'JWT' }),
    ],
    [
      'another key',
      (_, seller) => makeToken(claimsOf(seller.token), 'another key of the same length as the right one'),
    ],
    ['an empty key', (_, seller) => makeToken(claimsOf(seller.token), '')],
    ['its signature removed', (_, seller) => seller.token.slice(0, seller.token.lastIndexOf('.') + 1)],
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
    ['a MongoDB operator as the session', (stack, seller) => signed(stack, seller, { sid: { $ne: null } })],
    ['no expiry', (stack, seller) => signed(stack, seller, { exp: undefined })],
    [
      "another seller's id",
      async (stack, seller) => signed(stack, seller, { sub: (await stack.seller()).id }),
    ],
    ['signed out', signedOut],
  ];

function signed(stack: TestStack, seller: Seller, claims: Record<string, unknown>): string {
  return makeToken({ ...claimsOf(seller.token), ...claims }, stack.config.sessionSecret);
}

async function signedOut(stack: TestStack): Promise<string> {
  const { token } = await stack.seller();
  expect((await request(stack, paths.session, { method: 'DELETE', headers: bearer(token) })).status).toBe(
    204,
  );
  return token;
}

test.for(invalidTokens)('an invalid token is refused: %s', async ([, make], { stack, seller }) => {
  const token = await make(stack, seller);
  expectError(await request(stack, paths.me, { headers: bearer(token) }), 'UNAUTHENTICATED');
  expectError(await request(stack, paths.me, { headers: withCookie(token) }), 'UNAUTHENTICATED');
  const form = { method: 'POST', ...multipart([]) };
  form.headers = { ...form.headers, ...bearer(token) };
  expectError(await request(stack, paths.generations, form), 'UNAUTHENTICATED');
  const [, message] = errorDefinitions.UNAUTHENTICATED;
  for (const options of [
    { auth: { token } },
    { extraHeaders: withCookie(token) },
    { auth: { token: { $ne: null } } },
  ]) {
    expect(await handshake(stack, options)).toMatchObject({ data: { code: 'UNAUTHENTICATED', message } });
  }
});

test('a token is accepted as bearer, as cookie and by sockets; a valid cookie does not replace an invalid bearer', async ({
  stack,
  seller,
}) => {
  expect(await request(stack, paths.me, { headers: bearer(seller.token) })).toMatchObject({ status: 200 });
  expect(await request(stack, paths.me, { headers: withCookie(seller.token) })).toMatchObject({
    status: 200,
  });
  expect(await handshake(stack, { auth: { token: seller.token } })).toBeUndefined();
  expect(await handshake(stack, { extraHeaders: withCookie(seller.token) })).toBeUndefined();
  const both = { ...bearer('not-a-token'), ...withCookie(seller.token) };
  expectError(await request(stack, paths.me, { headers: both }), 'UNAUTHENTICATED');
  expectError(
    await request(stack, paths.me, { headers: { authorization: seller.token } }),
    'UNAUTHENTICATED',
  );
  expectError(await request(stack, `${paths.me}?token=${seller.token}`), 'UNAUTHENTICATED');
});

const signIn = (stack: TestStack, seller: Seller, url = stack.url, headers = {}) =>
  request(
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

test('the cookie is HttpOnly and SameSite, another one tells scripts of it, and signing out removes both', async ({
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
    ['Path=/', 'SameSite=Lax', `Expires=${expires.toUTCString()}`, `${signedInCookie}=1`].sort(),
    // It outlives the session and identifies the browser at the next sign-in.
    ['HttpOnly', 'Max-Age=31536000', 'Path=/', 'SameSite=Lax', expect.stringMatching(/^packshot-device=/)],
  ]);
  expect(Math.abs(expires.getTime() / 1_000 - seconds() - limits.sessionSeconds)).toBeLessThan(
    limitMs(10_000) / 1_000,
  );
  const end = await request(stack, paths.session, { method: 'DELETE', headers: withCookie(token) });
  const removed = ['Expires=Thu, 01 Jan 1970 00:00:00 GMT', 'Max-Age=0'];
  expect(cookieOf(end)).toEqual([
    [...common, ...removed, 'packshot='].sort(),
    ['Path=/', 'SameSite=Lax', ...removed, `${signedInCookie}=`].sort(),
  ]);
});

test('with https the cookie is bound to the host', async ({ stack, seller }) => {
  const secure = await stack.startServer({ PUBLIC_URL: 'https://shop.example' });
  const answer = await signIn(stack, seller, secure.url, { origin: 'https://shop.example' });
  const { token } = answer.body as SessionReply;
  const [cookie] = cookieOf(answer);
  expect(cookie).toEqual(
    expect.arrayContaining([`__Host-packshot=${token}`, 'Secure', 'HttpOnly', 'Path=/', 'SameSite=Lax']),
  );
  expect(cookie!.some((part) => /^Domain/i.test(part))).toBe(false);
  const own = { headers: { cookie: `__Host-packshot=${token}` } };
  expect(await request(stack, paths.me, own, secure.url)).toMatchObject({ status: 200 });
  // A cookie without the `__Host-` prefix, which another subdomain could have set, is ignored.
  expectError(await request(stack, paths.me, { headers: withCookie(token) }, secure.url), 'UNAUTHENTICATED');
  expect(answer.headers.get('strict-transport-security')).toMatch(/max-age=\d+/);
  expectError(await signIn(stack, seller, secure.url, { origin: secure.url }), 'CROSS_SITE');
});

test('while the secret is changed, tokens of both are accepted, and cookies are renewed with the new one', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const old = stack.config.sessionSecret;
  const next = randomUUID() + randomUUID();
  const answers = async (url: string, token: string) =>
    (await request(stack, paths.me, { headers: bearer(token) }, url)).status;
  const ofNext = makeToken(claimsOf(seller.token), next);
  const before = await stack.startServer({ SESSION_SECRET: `${old},${next}` });
  const after = await stack.startServer({ SESSION_SECRET: `${next},${old}` });
  for (const { url } of [before, after]) {
    expect(await answers(url, seller.token)).toBe(200);
    expect(await answers(url, ofNext)).toBe(200);
    expect(await answers(url, makeToken(claimsOf(seller.token), randomUUID() + randomUUID()))).toBe(401);
  }
  const aged = {
    ...claimsOf(seller.token),
    iat: seconds() - limits.sessionSeconds + 60,
    exp: seconds() + 60,
  };
  const renewed = async (url: string) => {
    const reply = await request(stack, paths.me, { headers: withCookie(makeToken(aged, old)) }, url);
    const [cookie] = cookieOf(reply);
    return cookie!.find((part) => part.startsWith('packshot='))!.slice('packshot='.length);
  };
  const alone = await stack.startServer({ SESSION_SECRET: next });
  expect(await answers(alone.url, seller.token)).toBe(401);
  expect(await answers(alone.url, await renewed(before.url))).toBe(401);
  expect(await answers(alone.url, await renewed(after.url))).toBe(200);
});

test('a cookie is renewed after half of its lifetime, a bearer token is not', async ({ stack }) => {
  const other = await stack.seller();
  const claims = claimsOf(other.token);
  const aged = (secondsLeft: number) =>
    makeToken(
      { ...claims, iat: seconds() + secondsLeft - limits.sessionSeconds, exp: seconds() + secondsLeft },
      stack.config.sessionSecret,
    );
  const half = limits.sessionSeconds / 2;
  const scriptsKnow = { cookie: `${withCookie(aged(half + 60)).cookie}; ${signedInCookie}=1` };
  expect(cookieOf(await request(stack, paths.me, { headers: scriptsKnow }))).toEqual([]);
  // A browser that has lost the cookie for scripts, or never had it, gets it.
  const lost = await request(stack, paths.me, { headers: withCookie(aged(half + 60)) });
  expect(cookieOf(lost)).toEqual([expect.arrayContaining([`${signedInCookie}=1`, 'Path=/'])]);
  expect(cookieOf(await request(stack, paths.me, { headers: bearer(aged(half - 60)) }))).toEqual([]);

  const [cookie] = cookieOf(await request(stack, paths.me, { headers: withCookie(aged(half - 60)) }));
  const renewed = cookie!.find((part) => part.startsWith('packshot='))!.slice('packshot='.length);
  expect(claimsOf(renewed)).toMatchObject({ sub: other.id, sid: claims.sid });
  expect(Math.abs(Number(claimsOf(renewed).exp) - seconds() - limits.sessionSeconds)).toBeLessThan(
    limitMs(10_000) / 1_000,
  );
  expect(await request(stack, paths.me, { headers: withCookie(renewed) })).toMatchObject({
    status: 200,
    body: { user: { id: other.id } },
  });
});
