/** Every public page, found by following every link from the landing page, and what search engines read of it. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { pages } from '#contract';
import { startSession } from '#tests/support/account-steps.ts';
import { everyLook, layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { limitMs } from '#tests/support/machine.ts';
import { subscriber } from '#tests/support/subscriber.ts';

const test = testWithStackAndBrowser({ workers: 0 }).extend('walk', { scope: 'file' }, ({ stack }) =>
  walkSite(stack.url),
);

/** A page as it is sent, before any script runs. */
interface SentPage {
  status: number;
  html: string;
  /** Ids of its elements, to which links lead after `#`. */
  ids: Set<string>;
  /** Its links to this site, as they are written. */
  links: string[];
}

/** The values of an attribute in a page, decoded. */
const attribute = (html: string, name: string) =>
  [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value]) =>
    value!.replaceAll('&amp;', '&'),
  );

async function fetchPage(url: string): Promise<SentPage> {
  const reply = await fetch(url, { headers: { accept: 'text/html' } });
  const html = await reply.text();
  const anchors = html.match(/<a\s[^>]*>/g) ?? [];
  const links = anchors
    .flatMap((anchor) => attribute(anchor, 'href'))
    .filter((href) => /^[/#](?!\/)/.test(href));
  return { status: reply.status, html, ids: new Set(attribute(html, 'id')), links };
}

/** Follows every link of every page. @returns the pages by path */
async function walkSite(url: string): Promise<Map<string, SentPage>> {
  const found = new Map<string, SentPage>();
  const open = ['/'];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path)) continue;
    const page = await fetchPage(url + path);
    found.set(path, page);
    open.push(...page.links.map((link) => new URL(link, url + path).pathname));
  }
  return found;
}

/** The pages of a walk that search engines list. */
const listed = (walk: Map<string, SentPage>) =>
  [...walk].filter(([, { html }]) => html.includes('<div id="root"') && !html.includes('content="noindex"'));

const head = (html: string, pattern: RegExp) => pattern.exec(html)?.[1];

test('every link leads to a page, and to a place on it', async ({ walk, stack }) => {
  const broken = [...walk].flatMap(([path, { status, links }]) => [
    ...(status === 200 ? [] : [`${path}: ${status}`]),
    ...links.flatMap((link) => {
      const { pathname, hash } = new URL(link, stack.url + path);
      const isThere = hash === '' || walk.get(pathname)!.ids.has(decodeURIComponent(hash.slice(1)));
      return isThere ? [] : [`${path}: ${link} leads nowhere`];
    }),
  ]);
  expect(broken).toEqual([]);
  for (const path of [
    '/about',
    '/careers',
    '/contact',
    '/documentation',
    '/faq',
    '/privacy',
    '/terms',
    '/blog',
  ]) {
    expect([...walk.keys()]).toContain(path);
  }
});

test('search engines get a title, a description and a card of each page, and the address of each', async ({
  walk,
  stack,
}) => {
  const origin = stack.config.linkUrl;
  const titles = new Set<string>();
  for (const [path, { html }] of listed(walk)) {
    const title = head(html, /<title>(.+?)<\/title>/);
    expect([path, title]).toEqual([path, expect.stringMatching(/ · Packshot$/)]);
    titles.add(title!);
    expect([path, html.match(/<h1[\s>]/g)?.length]).toEqual([path, 1]);
    expect(head(html, /<meta name="description" content="([^"]{20,})"/)).toBeDefined();
    expect(head(html, /<link rel="canonical" href="([^"]+)"/)).toBe(origin + path);
    expect(head(html, /<meta property="og:url" content="([^"]+)"/)).toBe(origin + path);
    expect(html).not.toContain('origin.invalid');
    const card = head(html, /<meta property="og:image" content="([^"]+)"/)!;
    const picture = await fetch(stack.url + card.slice(origin.length));
    expect(picture.headers.get('content-type')).toBe('image/jpeg');
    await picture.body?.cancel();
    for (const [, data] of html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)) {
      expect(JSON.parse(data!)).toMatchObject({ '@context': 'https://schema.org' });
    }
  }
  expect(titles.size).toBe(listed(walk).length);
  expect(walk.get('/')!.html).toContain('"price":"50.00"');
  expect(walk.get('/faq')!.html).toContain('"@type":"FAQPage"');

  const sitemap = await (await fetch(`${stack.url}/sitemap.xml`)).text();
  const addresses = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address);
  expect(addresses.sort()).toEqual(
    listed(walk)
      .map(([path]) => origin + path)
      .sort(),
  );
  expect(await (await fetch(`${stack.url}/robots.txt`)).text()).toContain(`Sitemap: ${origin}/sitemap.xml`);
});

test('everything that a page loads is there', async ({ walk, stack }) => {
  const files = [...walk.values()].flatMap(({ html }) => [
    ...attribute(html, 'src'),
    ...attribute(html, 'srcSet').flatMap((set) => set.split(',').map((part) => part.trim().split(' ')[0]!)),
    ...(html.match(/<link\s[^>]*>/g) ?? []).flatMap((link) => attribute(link, 'href')),
  ]);
  const manifest = await (await fetch(`${stack.url}/manifest.webmanifest`)).text();
  const icons = [...manifest.matchAll(/"src": "(.*?)"/g)].map(([, icon]) => icon!);
  expect(icons.length).toBeGreaterThan(1);
  for (const file of new Set([...files, ...icons].filter((file) => file.startsWith('/')))) {
    const reply = await fetch(stack.url + file, { method: 'HEAD' });
    expect([file, reply.status]).toEqual([file, 200]);
  }
});

/** Waits until the app runs. */
const running = (page: Page) => expect.poll(() => page.evaluate('globalThis.earlySubmit?.hold')).toBe(false);

test('every page runs without errors or warnings, is accessible, and fits phone and desktop', {
  timeout: limitMs(600_000),
}, async ({ walk, stack, openWindow }) => {
  const { page, problems } = await openWindow();
  page.on('console', (message) => {
    if (message.type() === 'warning') problems.push(message.text());
  });
  for (const [path] of listed(walk)) {
    await page.goto(stack.url + path);
    await running(page);
    problems.push(...(await layoutProblems(page, path, 'html', everyLook)));
  }
  expect(problems).toEqual([]);
});

test('every page is readable without JavaScript', async ({ walk, stack, openWindow }) => {
  const { page } = await openWindow({ javaScriptEnabled: false });
  for (const [path] of listed(walk)) {
    await page.goto(stack.url + path);
    expect([path, await page.getByRole('heading', { level: 1 }).isVisible()]).toEqual([path, true]);
    expect((await page.getByRole('main').textContent())?.length).toBeGreaterThan(80);
  }
});

test('every link of the pages of a signed-in seller leads to a page', async ({ stack, openWindow }) => {
  const { email } = await subscriber(stack, 'freelance');
  const { page, problems } = await openWindow();
  await startSession(stack, page, email);
  const open = [pages.dashboard, pages.profile] as string[];
  const seen = new Set<string>();
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    await page.goto(stack.url + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect([path, await page.getByRole('heading', { level: 1 }).count()]).toEqual([path, 1]);
    for (const link of await page.evaluate<string[]>(hrefs)) {
      const { pathname } = new URL(link, stack.url);
      if (pathname.startsWith(pages.profile)) open.push(pathname);
      else if (!pathname.startsWith('/api/'))
        expect([link, (await fetchPage(stack.url + pathname)).status]).toEqual([link, 200]);
    }
  }
  expect([...seen]).toEqual(expect.arrayContaining([pages.plan, pages.usage, pages.security, pages.data]));
  expect(problems).toEqual([]);
});

/** The links of a page to this site. */
const hrefs = `[...document.querySelectorAll('a[href^="/"]')].map((link) => link.getAttribute('href'))`;
