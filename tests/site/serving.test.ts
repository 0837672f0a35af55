/** How the server sends the built web app: status, encodings, caching, addresses. */
import { expect } from 'vitest';
import { pages, paths } from '#contract';
import { builtSite } from '#server/site/site.ts';
import { testWithStack } from '#tests/support/test.ts';

const settings = { PUBLIC_URL: 'https://shop.example' };
const test = testWithStack({ workers: 0, settings, server: { site: builtSite } }).extend(
  'get',
  ({ stack }) => {
    return (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      fetch(stack.url + path, { method, redirect: 'manual', headers: { accept: 'text/html', ...headers } });
  },
);

/** The addresses of the scripts and style sheets that a page names. */
const assetsOf = (html: string) => html.match(/\/assets\/[^"]+\.(?:js|css)/g) ?? [];

test('a public page is sent with its content, and the public address in its head', async ({ get }) => {
  const reply = await get('/faq');
  expect(reply.status).toBe(200);
  const html = await reply.text();
  expect(html).toMatch(/<h1[^>]*>Frequently asked questions<\/h1>/);
  expect(html).toContain('<link rel="canonical" href="https://shop.example/faq"/>');
  expect(html).not.toContain('origin.invalid');
});

test('an address of the app is sent a page without content that search engines leave out', async ({
  get,
}) => {
  const addresses = [pages.dashboard, pages.profile, pages.plan, `${pages.verifyEmail}?token=one`];
  for (const address of addresses) {
    const reply = await get(address);
    expect([address, reply.status]).toEqual([address, 200]);
    const html = await reply.text();
    expect(html).toContain('<meta name="robots" content="noindex"/>');
    expect(html).not.toContain('<h1');
  }
});

test('an unknown address is answered 404: with a page for browsers, else with an error of the API', async ({
  get,
}) => {
  const unknown = [
    '/nothing',
    '/blog/nothing',
    '/profile/nothing',
    '/index.html',
    '/assets/gone.js',
    '/faq.html',
  ];
  for (const address of unknown) {
    const reply = await get(address);
    expect([address, reply.status]).toEqual([address, 404]);
    expect(await reply.text()).toMatch(/<h1[^>]*>Page not found<\/h1>/);
    expect((await get(address, {}, 'HEAD')).status).toBe(404);
  }
  const withoutHtml = ['/nothing', '/assets/gone.js'].map((path) => get(path, { accept: '*/*' }));
  for (const reply of await Promise.all([...withoutHtml, get('/api/nothing'), get('/nothing', {}, 'POST')])) {
    expect(reply.status).toBe(404);
    expect(await reply.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
  }
});

test('an address with a slash at its end leads to the one without, and to no other host', async ({ get }) => {
  for (const [address, target] of [
    ['/faq/', '/faq'],
    ['/dashboard/?generation=a/', '/dashboard?generation=a/'],
  ]) {
    const reply = await get(address!);
    expect([reply.status, reply.headers.get('location')]).toEqual([308, target]);
  }
  for (const address of ['//evil.example/', '/faq//', '/%2f/']) {
    expect([address, (await get(address)).status]).toEqual([address, 404]);
  }
});

for (const encoding of ['br', 'gzip']) {
  test(`pages, scripts and styles are sent with ${encoding} to those who accept it`, async ({ get }) => {
    const html = await (await get('/', { 'accept-encoding': 'identity' })).text();
    const assets = assetsOf(html);
    expect(assets.length).toBeGreaterThan(2);
    let files = 0;
    for (const path of ['/', ...assets]) {
      const plain = await get(path, { 'accept-encoding': 'identity' });
      const compressed = await get(path, { 'accept-encoding': encoding });
      expect(plain.headers.get('content-encoding')).toBe(null);
      expect(compressed.headers.get('content-type')).toBe(plain.headers.get('content-type'));
      expect(compressed.headers.get('vary')).toMatch(/accept-encoding/i);
      expect(plain.headers.get('vary')).toMatch(/accept-encoding/i);
      const content = await plain.text();
      // `fetch` decodes it.
      expect(await compressed.text()).toBe(content);
      if (content.length < 1_000) continue;
      files += 1;
      expect([path, compressed.headers.get('content-encoding')]).toEqual([path, encoding]);
      expect(Number(compressed.headers.get('content-length'))).toBeLessThan(content.length * 0.6);
    }
    expect(files).toBeGreaterThan(2);
  });
}

test('browsers keep files with a hash in their name, and ask again for pages', async ({ get }) => {
  const page = await get('/');
  expect(page.headers.get('cache-control')).toBe('no-cache');
  const etag = page.headers.get('etag')!;
  expect((await get('/', { 'if-none-match': etag })).status).toBe(304);
  expect((await get('/', { 'if-none-match': `"other", ${etag}` })).status).toBe(304);
  expect((await get('/', { 'if-none-match': 'W/"other"' })).status).toBe(200);
  const [asset] = assetsOf(await page.text());
  expect((await get(asset!)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect((await get('/favicon.svg')).headers.get('cache-control')).toBe('no-cache');
});

test('HEAD has the headers of GET and no body', async ({ get }) => {
  for (const encoding of ['br', 'identity']) {
    const headers = { 'accept-encoding': encoding };
    const [head, whole] = await Promise.all([get('/', headers, 'HEAD'), get('/', headers)]);
    for (const name of ['content-length', 'content-type', 'content-encoding', 'etag', 'vary']) {
      expect([name, head.headers.get(name)]).toEqual([name, whole.headers.get(name)]);
    }
    expect(await head.text()).toBe('');
  }
});

test('replies of the API are not compressed', async ({ get }) => {
  const reply = await get(`${paths.docs}/json`, { 'accept-encoding': 'br, gzip' });
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-encoding')).toBe(null);
});
