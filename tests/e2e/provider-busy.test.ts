import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  accessibilityProblems,
  launchBrowser,
  looks,
  openBrowserWindow,
  overflow,
} from '#tests/support/browser.ts';
import { startTestStack, type TestStack } from '#tests/support/stack.ts';
import { cup, description, generate, newEmail, openStudio, picker } from '#tests/support/studio-page.ts';

let stack: TestStack;
let browser: Browser;
beforeAll(async () => {
  [stack, browser] = await Promise.all([startTestStack(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

test('while the image service is busy the seller reads that the image is in line, and may cancel for nothing', async () => {
  const { page } = await openBrowserWindow(browser);
  await openStudio(stack, page, newEmail());
  await stack.images.set({
    default: {
      kind: 'error',
      status: 429,
      code: 'rate_limit_exceeded',
      type: 'requests',
      headers: { 'retry-after': '60' },
    },
  });
  await picker(page).setInputFiles(cup);
  await description(page).fill('warm morning light');
  await generate(page);
  await page.getByText('The image service is busy. Your image is still in line').first().waitFor();
  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect(await accessibilityProblems(page)).toEqual([]);
  }
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('100 of 100 left').first().waitFor();
});
