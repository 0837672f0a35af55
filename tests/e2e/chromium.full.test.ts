/** The Chromium that the browser tests of a test worker share. */
import { expect } from 'vitest';
import { openBrowserWindow, workerBrowser } from '#tests/support/browser.ts';
import { testWithBrowser as test } from '#tests/support/browser-test.ts';

test('tests share one Chromium, and after a crash another one is started', async ({ openWindow }) => {
  const browserOf = async () => (await openBrowserWindow(await workerBrowser())).page.context().browser()!;
  const first = await browserOf();
  expect(await browserOf()).toBe(first);
  const ended = new Promise((resolve) => first.once('disconnected', resolve));
  const devtools = await first.newBrowserCDPSession();
  devtools.send('Browser.crash').catch(() => {});
  await ended;
  const { page } = await openWindow();
  expect(page.context().browser()).not.toBe(first);
  await page.goto('data:text/html,<h1>Another one</h1>', { waitUntil: 'load' });
  await page.getByRole('heading', { name: 'Another one' }).waitFor();
});
