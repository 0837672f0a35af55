/** What a browser may cache: images only, and nothing any more after signing out. */
import { expect } from 'vitest';
import { type GenerationView, paths } from '#contract';
import { anotherSession, call } from '#tests/support/account.ts';
import { askForExport } from '#tests/support/data-export.ts';
import { testPassword } from '#tests/support/seller.ts';
import { testWithSeller } from '#tests/support/test.ts';
import { claimsOf } from '#tests/support/tokens.ts';
import { createVisitor } from '#tests/support/visitor.ts';

const test = testWithSeller();

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
    paths.generations,
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
