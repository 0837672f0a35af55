/** A release under open tabs: two builds, two servers and nginx, while images are made. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { builtSite } from '#server/site/site.ts';
import { storageKeys } from '#shared/storage/storage.ts';
import { heading, openAs } from '#tests/support/account-steps.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';
import { hasNginx, startNginx } from '#tests/support/nginx.ts';
import { buildOtherRelease } from '#tests/support/other-release.ts';
import {
  description,
  expectRestored,
  fillInStudio,
  generate,
  openForm,
  untilStored,
} from '#tests/support/studio-page.ts';
import { temporaryFolder } from '#tests/support/test.ts';

const test = testWithStackAndBrowser({ server: { site: null } }).extend(
  'nextRelease',
  { scope: 'file' },
  async ({ stack }, { onCleanup }) => buildOtherRelease(await temporaryFolder(stack, onCleanup)),
);

const releaseOf = (page: Page) => page.evaluate<string>('document.documentElement.dataset.release');
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first();
const finished = (page: Page) => page.getByRole('link', { name: 'Download', exact: true }).waitFor();

test.skipIf(!(await hasNginx()))(
  'a tab goes through two releases behind one proxy, and on when its own is replaced, while images are made',
  async ({ stack, nextRelease, openWindow, onTestFinished }) => {
    const settings = { TRUSTED_PROXIES: '1' };
    const before = await stack.startServer(settings, builtSite);
    const nginx = await startNginx(before.url);
    onTestFinished(() => nginx.close());
    const proxied = { ...stack, url: nginx.url };
    const seller = await stack.seller({ url: before.url });
    const { page, problems } = await openWindow();
    const documents: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'document') documents.push(request.url());
    });
    await openAs(proxied, page, seller, '/dashboard');
    await fillInStudio(page, 'On slate');
    const first = await releaseOf(page);

    // An image is being made while the next release starts.
    await stack.images.set({ default: { kind: 'hold' } });
    await generate(page);
    await stack.images.waitFor({ waiting: 1 });
    const after = await stack.startServer(settings, nextRelease);
    await nginx.passTo(before.url, after.url);

    // New documents of either release get all their assets, from whichever server is asked.
    const other = await openWindow();
    const seen = new Set<string>();
    const missing: string[] = [];
    other.page.on('response', (reply) => {
      if (reply.status() >= 400) missing.push(reply.url());
    });
    await other.page.context().addCookies(await page.context().cookies());
    for (let round = 0; round < 3; round += 1) {
      for (const path of ['/dashboard', '/library', '/faq', '/profile', '/']) {
        await other.page.goto(nginx.url + path);
        await other.page.getByRole('heading', { level: 1 }).or(description(other.page)).first().waitFor();
        seen.add(await releaseOf(other.page));
      }
    }
    expect([...seen].sort()).toHaveLength(2);
    expect([missing, other.problems]).toEqual([[], []]);

    // The tab goes on, and gets the events of its image.
    await link(page, 'Library').click();
    await heading(page, 'Library');
    await page.goBack();
    await stack.images.release();
    await finished(page);

    // Its server ends.
    await nginx.passTo(after.url);
    await before.close();
    await link(page, 'Projects').click();
    await heading(page, 'Projects');
    await page.getByRole('button', { name: 'Help' }).click();
    await page.getByRole('heading', { name: 'Help' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /account of/i }).click();
    await page.getByRole('menuitem', { name: 'Profile' }).click();
    await page.waitForURL('**/profile');
    await page
      .getByRole('link', { name: /studio/i })
      .first()
      .click();
    await description(page).fill('On oak');
    await stack.images.set({ default: { kind: 'ok' } });
    await generate(page);
    await finished(page);
    expect([await releaseOf(page), documents.length]).toEqual([first, 1]);
    await expect.poll(() => stack.audit(), eventually).toEqual([]);

    // Long after, its assets are removed: what it has not loaded yet leads to the new release, with the form.
    await openForm(page);
    await description(page).fill('On sand');
    await untilStored(page, { prompt: 'On sand' });
    const [next] = [...seen].filter((release) => release !== first);
    const { storage } = after.context;
    await storage.removeRelease(first);
    const list = JSON.parse(String(await storage.get(storageKeys.releases))) as { id: string }[];
    await storage.put(
      storageKeys.releases,
      Buffer.from(JSON.stringify(list.filter(({ id }) => id !== first))),
    );
    await link(page, 'Batch').click();
    await heading(page, 'Batches');
    expect(new URL(page.url()).pathname).toBe('/batch');
    expect([await releaseOf(page), documents.length]).toEqual([next, 2]);
    await page.goto(`${nginx.url}/dashboard`);
    await expectRestored(page, 'On sand');
    expect(problems.filter((problem) => !problem.includes('status of 404'))).toEqual([]);
  },
);
