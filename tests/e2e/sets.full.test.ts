/** Several images in one request: the grid that fills in, one image of it, and what fails in it. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { paths } from '#contract';
import { call } from '#tests/support/account.ts';
import { openDashboard } from '#tests/support/account-steps.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';
import { contentRefused } from '#tests/support/provider-calls.ts';
import { fillInStudio, openStudio } from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser();
test.beforeEach(({ stack }) => stack.images.reset());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const stage = (page: Page) => page.getByRole('region', { name: /visualizations|Coffee cup/ });
const tile = (page: Page, number: number) => page.getByRole('listitem', { name: `Image ${number} of 4` });

async function generateFour(page: Page): Promise<void> {
  await fillInStudio(page, 'On a wooden table');
  await page.getByText('Options', { exact: true }).click();
  await page.getByRole('group', { name: 'Images' }).getByText('4', { exact: true }).click();
  await page.getByText('Uses 4 images.').waitFor();
  await button(page, 'Generate 4 Images').click();
}

test('four takes fill in a grid; one fails and is tried again; the others are shown one by one', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  await openStudio(stack, page);
  await stack.images.set({ behaviours: [contentRefused, { kind: 'hold' }] });
  await generateFour(page);
  await stack.images.waitFor({ waiting: 1 });
  await stage(page).getByText('2 of 4 images ready, 1 failed').first().waitFor();
  expect(await page.getByRole('link', { name: /^Download image/ }).count()).toBe(2);
  expect(await layoutProblems(page, 'a set in progress')).toEqual([]);
  await stack.images.release();
  await stage(page).getByText('3 of 4 images ready, 1 failed').first().waitFor();
  await page.getByText('97 of 100 left').first().waitFor();

  await page.reload();
  await stage(page).getByText('3 of 4 images ready, 1 failed').first().waitFor();
  const shown = page.getByRole('button', { name: /^Show image/ });
  const name = (await shown.first().getAttribute('aria-label'))!;
  await shown.first().click();
  const navigation = page.getByRole('navigation', { name: 'Images of this set' });
  const first = name.replace('Show image', 'Image');
  await navigation.getByText(first).waitFor();
  expect(await layoutProblems(page, 'a take')).toEqual([]);
  const next = first.startsWith('Image 1') ? 'Image 2 of 4' : `Image ${Number(first[6]) + 1} of 4`;
  await page.keyboard.press('ArrowRight');
  await navigation.getByText(next).waitFor();
  await page.keyboard.press('ArrowLeft');
  await navigation.getByText(first).waitFor();

  await button(page, 'Full screen').click();
  const viewer = page.getByRole('dialog', { name: 'Full screen' });
  await viewer.getByRole('button', { name: 'Next' }).click();
  await viewer.getByRole('button', { name: 'Previous' }).and(page.locator(':enabled')).waitFor();
  await page.keyboard.press('Escape');
  await viewer.waitFor({ state: 'detached' });
  expect(await navigation.getByText(first).count()).toBe(0);

  await navigation.getByRole('button', { name: 'All 4 images' }).click();
  await button(page, 'Try again').click();
  await page.getByRole('link', { name: 'Download', exact: true }).waitFor();
  await page.getByText('96 of 100 left').first().waitFor();
  expect(problems).toEqual([]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('on a phone, what is below an image stays within its column, also while a preview is shown', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow({ viewport: { width: 390, height: 844 } });
  await openStudio(stack, page);
  await stack.images.set({ behaviours: [contentRefused, { kind: 'hold', after: 'previews' }] });
  await generateFour(page);
  await stage(page).getByText('2 of 4 images ready, 1 failed').first().waitFor();
  await button(page, 'Stop and use 1 image').waitFor();
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    const tooWide = `[...document.querySelectorAll('li[aria-label^="Image "]')]
      .filter((tile) => tile.scrollWidth > tile.clientWidth)
      .map((tile) => tile.textContent)`;
    expect(await page.evaluate(tooWide), `${width} px`).toEqual([]);
  }
  await stack.images.release();
  await stage(page).getByText('3 of 4 images ready, 1 failed').first().waitFor();
  expect(problems).toEqual([]);
});

test('one take of a set is cancelled, then the rest at once', async ({ stack, openWindow }) => {
  const { page, problems } = await openWindow();
  await openStudio(stack, page);
  await stack.images.set({ default: { kind: 'hold' } });
  await generateFour(page);
  await tile(page, 4).getByRole('button', { name: 'Cancel' }).click();
  await tile(page, 4).getByText('Cancelled. No image was used.').waitFor();
  await button(page, 'Cancel 3 images').click();
  await stage(page).getByText('0 of 4 images ready, 4 cancelled').first().waitFor();
  await page.getByText('100 of 100 left').first().waitFor();
  await stack.images.release();
  expect(problems).toEqual([]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('in a hidden tab, a set is announced once: when its last image has ended', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  const seller = await stack.seller();
  await call(seller, 'PATCH', paths.settings, { pushNotifications: true });
  await page.addInitScript(`
    window.shownNotifications = [];
    window.Notification = class {
      static permission = 'granted';
      constructor(title) { window.shownNotifications.push(title); }
      close() {}
    };`);
  await openDashboard(stack, page, seller.email);
  await stack.images.set({ behaviours: [contentRefused, { kind: 'hold' }] });
  await page.evaluate(`Object.defineProperty(document, 'hidden', { value: true, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));`);
  await generateFour(page);
  await stack.images.waitFor({ waiting: 1 });
  await expect.poll(() => page.title(), eventually).toBe('2 of 4 · Creating… · Packshot');
  expect(await page.evaluate('window.shownNotifications')).toEqual([]);
  await stack.images.release();
  await expect.poll(() => page.title(), eventually).toBe('✓ Ready · Packshot');
  expect(await page.evaluate('window.shownNotifications')).toEqual(['3 of 4 images ready']);
  expect(problems).toEqual([]);
});
