/** How much code pages load, compressed: what a change adds to every visit. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { openDashboard } from '#tests/support/account-steps.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';

const test = testWithStackAndBrowser({ workers: 0 });

/** Counts the bytes of the scripts that a page receives. @returns the sum until now */
function countScriptBytes(page: Page): () => number {
  let bytes = 0;
  page.on('response', (response) => {
    if (!new URL(response.url()).pathname.endsWith('.js')) return;
    const { 'content-length': length } = response.headers();
    if (length === undefined) throw new Error(`${response.url()} has no length`);
    bytes += Number(length);
  });
  return () => bytes;
}

test('the landing page loads at most 90 kB of code', async ({ stack, openWindow }) => {
  const { page } = await openWindow();
  const bytes = countScriptBytes(page);
  await page.goto(stack.url, { waitUntil: 'networkidle' });
  expect(bytes()).toBeLessThan(90_000);
  // React itself is more than half of it: less would mean that nothing was counted.
  expect(bytes()).toBeGreaterThan(60_000);
});

test('the studio loads at most 220 kB of code', async ({ stack, openWindow }) => {
  const { email } = await stack.seller();
  const { page } = await openWindow();
  const bytes = countScriptBytes(page);
  await openDashboard(stack, page, email);
  await page.waitForLoadState('networkidle');
  expect(bytes()).toBeLessThan(220_000);
  expect(bytes()).toBeGreaterThan(150_000);
});
