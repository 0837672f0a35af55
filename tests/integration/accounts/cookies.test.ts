/** What a browser keeps: the cookies under https, each of which belongs to this host only, and what it may cache. */
import { expect } from 'vitest';
import { type GenerationView, paths, signedInCookie } from '#contract';
import { cookieNames } from '#server/http/cookies.ts';
import { anotherSession, askForExport, call } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { testPassword } from '#tests/support/seller.ts';
import { claimsOf } from '#tests/support/session-token.ts';
import { testWithSeller } from '#tests/support/test.ts';
import { createVisitor, signUpForm, tokenFromMail } from '#tests/support/visitor.ts';

const test = testWithSeller().extend('secure', { scope: 'file' }, ({ stack }) =>
  stack.startServer({ PUBLIC_URL: 'https://shop.example' }),
);

// The cookies of a browser under https: each belongs to this host only.

test('every cookie is bound to the host, except the one that scripts read and that permits nothing', async ({
  stack,
  secure,
}) => {
  const visitor = createVisitor(secure.url);
  const form = signUpForm();
  const signedUp = await visitor.post(paths.accounts, form);
  const { token } = await tokenFromMail(stack, form.email, 'verifyEmail');
  const verified = await visitor.post(paths.verifyEmail, { token });
  expect([signedUp.status, verified.status]).toEqual([202, 200]);
  const signedOut = await visitor.request(paths.session, { method: 'DELETE' });
  const set = [signedUp, verified, signedOut].flatMap(({ headers }) => headers.getSetCookie());
  const names = new Set(set.map((cookie) => cookie.slice(0, cookie.indexOf('='))));
  expect([...names].sort()).toEqual([...cookieNames.map((name) => `__Host-${name}`), signedInCookie].sort());
  // What browsers ask of `__Host-`; the other one has it as well.
  for (const cookie of set) expect(cookie).toMatch(/^(?!.*Domain=).*; Path=\/;.*Secure/);
});

test('the cookie of a sign-up counts only under its own name: another subdomain cannot set that', async ({
  stack,
  secure,
}) => {
  const form = signUpForm();
  const signedUp = await createVisitor(secure.url).post(paths.accounts, form);
  const [, secret] = /^__Host-packshot-sign-up=([\w-]+);/.exec(signedUp.headers.getSetCookie()[0]!)!;
  const { token } = await tokenFromMail(stack, form.email, 'verifyEmail');
  const verify = (cookie: string) => createVisitor(secure.url).post(paths.verifyEmail, { token }, { cookie });
  expectError(await verify(`packshot-sign-up=${secret}`), 'PASSWORD_REQUIRED');
  expect(await verify(`__Host-packshot-sign-up=${secret}`)).toMatchObject({ status: 200 });
});

// What a browser may cache: images only, and nothing any more after signing out.

const cacheControl = async (answer: Promise<{ headers: Headers }>) =>
  (await answer).headers.get('cache-control');

test('replies of the API may not be cached, except images, which only the browser may cache', async ({
  stack,
  seller,
}) => {
  const visitor = createVisitor(stack.url);
  const signIn = { email: seller.email, password: testPassword };
  expect(await cacheControl(visitor.post(paths.session, signIn))).toBe('no-store');
  expect(await cacheControl(visitor.post(paths.session, { ...signIn, password: 'x' }))).toBe('no-store');
  for (const path of [
    paths.me,
    paths.settings,
    paths.sessions,
    paths.activity,
    paths.subscription,
    paths.creditEntries,
    await askForExport(seller),
    '/api/nothing',
  ]) {
    expect([path, await cacheControl(seller.request(path))]).toEqual([path, 'no-store']);
  }
  expect(await cacheControl(createVisitor(stack.url).request(paths.me))).toBe('no-store');
  await stack.images.set({ default: { kind: 'ok' } });
  const window = await seller.openWindow();
  const { id } = await seller.submit();
  const done: GenerationView = await window.untilEnded(id);
  window.close();
  expect(await cacheControl(seller.request(done.image!.url))).toMatch(/^private/);
});

test('signing out clears the cache of the browser', async ({ stack, seller }) => {
  const clearSiteData = (answer: { headers: Headers }) => answer.headers.get('clear-site-data');
  const sid = String(claimsOf(seller.token).sid);
  expect(clearSiteData(await call(seller, 'GET', paths.me))).toBeNull();
  expect(clearSiteData(await call(seller, 'DELETE', paths.oneSession(sid)))).toBe('"cache"');
  expect(clearSiteData(await call(await anotherSession(stack.url, seller), 'DELETE', paths.session))).toBe(
    '"cache"',
  );
  expect(clearSiteData(await call(await anotherSession(stack.url, seller), 'DELETE', paths.sessions))).toBe(
    '"cache"',
  );
  // Ending another session does not clear the cache of this browser.
  const [one, two] = [await anotherSession(stack.url, seller), await anotherSession(stack.url, seller)];
  const other = paths.oneSession(String(claimsOf(one.token).sid));
  expect(clearSiteData(await call(two, 'DELETE', other))).toBeNull();
  const deletion = await call(two, 'POST', paths.deletion, { password: testPassword });
  expect([deletion.status, clearSiteData(deletion)]).toEqual([204, '"cache"']);
});
