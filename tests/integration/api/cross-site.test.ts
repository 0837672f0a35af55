/** Requests from other sites: state cannot be changed with a seller's cookie from there. */
import { expect } from 'vitest';
import { ownPresetPaths, paths, v1Paths } from '#contract';
import { otherPlaces } from '#shared/data/accounts/seller-places.ts';
import { connectionOf } from '#shared/data/collection.ts';
import { expectError } from '#tests/support/errors.ts';
import { insertImage } from '#tests/support/finished-images.ts';
import { multipart } from '#tests/support/multipart.ts';
import { routesOf } from '#tests/support/routes.ts';
import { handshake, request, withCookie } from '#tests/support/session-requests.ts';
import { testWithSharedSeller } from '#tests/support/test.ts';

const test = testWithSharedSeller({ workers: 0 });

const crossSite: [what: string, headers: Record<string, string>][] = [
  ['another origin', { origin: 'https://evil.example' }],
  ['the opaque origin of a sandboxed frame', { origin: 'null' }],
  ['an origin that is not a URL', { origin: 'evil' }],
  ['another port', { origin: 'http://127.0.0.1:1' }],
  ['our host name as part of another one', { origin: 'http://127.0.0.1.evil.example' }],
  ['Sec-Fetch-Site: cross-site', { 'sec-fetch-site': 'cross-site' }],
  ['Sec-Fetch-Site: same-site', { 'sec-fetch-site': 'same-site' }],
];

/** Paths that change state with a JSON body, except webhooks: those come from other sites and are signed. */
const changingPaths = [
  paths.session,
  paths.accounts,
  paths.verification,
  paths.verifyEmail,
  paths.passwordReset,
  paths.confirmPasswordReset,
  paths.unlock,
  paths.keepTwoFactor,
  paths.confirmEmail,
  paths.undoEmail,
  paths.confirmReachable,
  paths.emailCheck,
  paths.password,
  paths.email,
  paths.twoFactor,
  paths.export,
  paths.confirmation,
  paths.deletion,
  paths.subscribe,
  paths.imagePacks,
  paths.portalSession,
  ownPresetPaths.ownPresets,
];

test.for(crossSite)(
  'a request from another site changes nothing: %s',
  async ([, headers], { stack, seller }) => {
    const own = { ...headers, ...withCookie(seller.token) };
    const body = JSON.stringify({ email: seller.email, password: seller.password });
    const json = { ...own, 'content-type': 'application/json' };
    for (const path of changingPaths)
      expectError(await request(stack, path, { method: 'POST', headers: json, body }), 'CROSS_SITE');
    expectError(await request(stack, paths.session, { method: 'DELETE', headers: own }), 'CROSS_SITE');
    const form = multipart([]);
    expectError(
      await request(stack, paths.generations, {
        method: 'POST',
        body: form.body,
        headers: { ...form.headers, ...own },
      }),
      'CROSS_SITE',
    );
    expectError(
      await request(stack, paths.cancelGeneration('x'), { method: 'POST', headers: own }),
      'CROSS_SITE',
    );
    expect(await request(stack, paths.me, { headers: withCookie(seller.token) })).toMatchObject({
      status: 200,
    });
    if (headers.origin) expect(await handshake(stack, { extraHeaders: own })).toBeInstanceOf(Error);
  },
);

test('requests and sockets from our own site are accepted', async ({ stack, seller }) => {
  for (const headers of [{ origin: stack.url }, { origin: stack.url, 'sec-fetch-site': 'same-origin' }]) {
    expectError(
      await request(stack, paths.cancelGeneration('x'), {
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

/** The GET routes of the API to which other sites may lead a browser: each is free of effects and of limits. */
const openRoutes = [paths.service, paths.generationImage(':id', ':name'), v1Paths.document];

test('no link of another site makes a browser read the API with the cookie, where that costs or does something', async ({
  stack,
  seller,
}) => {
  const routes = routesOf(stack.server.app).filter(
    ({ path, methods }) =>
      methods.includes('GET') && path.startsWith('/api/') && !path.startsWith(paths.docs),
  );
  expect(routes.length).toBeGreaterThan(35);
  const { _id: id } = await insertImage(stack, seller);
  const open: string[] = [];
  for (const { path } of routes) {
    const url = path.replace(':id', id).replace(':name', 'image').replace('*', 'x');
    for (const site of ['cross-site', 'same-site']) {
      const headers = { 'sec-fetch-site': site, ...withCookie(seller.token) };
      const reply = await stack.server.app.inject({ method: 'GET', url, headers });
      if (reply.statusCode === 403 && reply.json().error.code === 'CROSS_SITE') continue;
      open.push(path);
    }
    // Its own pages, and what a person types.
    for (const site of ['same-origin', 'none']) {
      const headers = { 'sec-fetch-site': site, ...withCookie(seller.token) };
      const reply = await stack.server.app.inject({ method: 'GET', url, headers });
      expect(reply.body, path).not.toContain('"code":"CROSS_SITE"');
    }
  }
  expect([...new Set(open)].sort()).toEqual(openRoutes.toSorted());
});

test('what other sites may lead to changes nothing: no collection has another document afterwards', async ({
  stack,
  seller,
}) => {
  const { _id: id } = await insertImage(stack, seller);
  const { db } = connectionOf(stack.db);
  const counts = async () => {
    const collections = await db!.listCollections({}, { nameOnly: true }).toArray();
    // Those of the installation change by themselves.
    const ours = Object.keys(otherPlaces).map(
      (name) => stack.models[name as keyof typeof otherPlaces].collection.collectionName,
    );
    const each = collections
      .filter(({ name }) => !ours.includes(name))
      .map(async ({ name }) => [name, await db!.collection(name).countDocuments()] as const);
    return Object.fromEntries(await Promise.all(each));
  };
  const before = await counts();
  for (const path of openRoutes) {
    const url = path.replace(':id', id).replace(':name', 'image');
    const headers = { 'sec-fetch-site': 'cross-site', ...withCookie(seller.token) };
    expect((await stack.server.app.inject({ method: 'GET', url, headers })).statusCode, path).toBe(200);
  }
  expect(await counts()).toEqual(before);
});
