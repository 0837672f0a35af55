/** Requests from other sites: state cannot be changed with a seller's cookie from there. */
import { expect } from 'vitest';
import { paths } from '#contract';
import { expectError } from '#tests/support/errors.ts';
import { multipart } from '#tests/support/multipart.ts';
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
  paths.password,
  paths.email,
  paths.twoFactor,
  paths.confirmation,
  paths.deletion,
  paths.subscribe,
  paths.portalSession,
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
