/** Several images in one request: the grid that fills in, one image of it, and what fails in it. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { paths } from '#contract';
import { call } from '#tests/support/account.ts';
import { openAs } from '#tests/support/account-steps.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { moveFingers } from '#tests/support/fingers.ts';
import { eventually } from '#tests/support/harness.ts';
import { contentRefused } from '#tests/support/provider-calls.ts';
import { fillInStudio, generateFour, openStudio, setStage } from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser();
test.beforeEach(({ stack }) => stack.images.reset());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const tile = (page: Page, number: number) => page.getByRole('listitem', { name: `Image ${number} of 4` });

async function requestFour(page: Page): Promise<void> {
  await fillInStudio(page, 'On a wooden table');
  await generateFour(page);
}

test('the images of a set are shown one by one, with the arrow keys and in full screen', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  const seller = await stack.seller();
  const takes = await seller.submitSet(4);
  for (const { id } of takes) {
    await expect.poll(async () => (await seller.generation(id)).state).toBe('succeeded');
  }
  await openAs(stack, page, seller, `/dashboard?generation=${takes[1]!.id}`);
  const navigation = page.getByRole('navigation', { name: 'Images of this set' });
  await navigation.getByText('Image 2 of 4').waitFor();
  expect(await layoutProblems(page, 'a take')).toEqual([]);
  await page.keyboard.press('ArrowRight');
  await navigation.getByText('Image 3 of 4').waitFor();
  await page.keyboard.press('ArrowLeft');
  await navigation.getByText('Image 2 of 4').waitFor();

  await button(page, 'Full screen').click();
  const viewer = page.getByRole('dialog', { name: 'Full screen' });
  await viewer.getByRole('button', { name: 'Next' }).click();
  await viewer.getByRole('button', { name: 'Previous' }).and(page.locator(':enabled')).waitFor();
  await page.keyboard.press('Escape');
  await viewer.waitFor({ state: 'detached' });
  await navigation.getByText('Image 3 of 4').waitFor();
  expect(problems).toEqual([]);
});

test('on a phone, a finger leads through the images of a set; the page scrolls, and two fingers zoom', async ({
  stack,
  openWindow,
}) => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const { page, problems } = await openWindow(phone);
  const seller = await stack.seller();
  const takes = await seller.submitSet(4);
  for (const { id } of takes) {
    await expect.poll(async () => (await seller.generation(id)).state, eventually).toBe('succeeded');
  }
  await openAs(stack, page, seller, `/dashboard?generation=${takes[1]!.id}`);
  const isShown = (number: number) => page.getByText(`Image ${number} of 4`).waitFor();
  const picture = button(page, 'Full screen').locator('..');
  const swipe = async (by: { x?: number; y?: number }) => {
    const { x, y, width, height } = (await picture.boundingBox())!;
    const from = { x: x + width / 2, y: y + height / 2 };
    await moveFingers(page, { from, to: { x: from.x + (by.x ?? 0), y: from.y + (by.y ?? 0) } });
  };
  await isShown(2);
  await swipe({ x: -120 });
  await isShown(3);
  await swipe({ x: 120 });
  await isShown(2);
  await swipe({ x: 120 });
  await isShown(1);
  // There is none before, and a finger that hardly moved meant none.
  await swipe({ x: 120 });
  await swipe({ x: -30 });
  await swipe({ x: -30, y: -200 });
  await expect.poll(() => page.evaluate<number>('scrollY'), eventually).toBeGreaterThan(0);
  await isShown(1);
  expect(await picture.locator(':scope > div').evaluate((element) => element.style.translate)).toBe('');

  await picture.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await picture.boundingBox())!;
  const middle = { x: x + width / 2, y: y + height / 2 };
  await moveFingers(
    page,
    { from: { ...middle, x: middle.x - 20 }, to: { ...middle, x: middle.x - 120 } },
    { from: { ...middle, x: middle.x + 20 }, to: { ...middle, x: middle.x + 120 } },
  );
  await expect.poll(() => page.evaluate<number>('visualViewport.scale'), eventually).toBeGreaterThan(1.5);
  // In a page that is zoomed, one finger moves the page.
  const left = await page.evaluate<number>('visualViewport.offsetLeft');
  await moveFingers(page, { from: middle, to: { ...middle, x: middle.x - 100 } });
  await expect
    .poll(() => page.evaluate<number>('visualViewport.offsetLeft'), eventually)
    .toBeGreaterThan(left);
  await isShown(1);
  expect(problems).toEqual([]);
});

test('on a phone, two fingers zoom both pictures that are compared, and one moves them', async ({
  finishedImage,
}) => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const { page, problems } = await finishedImage({}, phone);
  await button(page, 'Compare').tap();
  const pane = page.getByRole('group', { name: /^Image\. Plus and minus/ });
  const zoom = async () => Number.parseInt((await page.getByText(/^\d+ %$/).textContent())!, 10);
  const moved = () =>
    page.evaluate<string[]>(
      `[...document.querySelectorAll('.react-transform-component')].map((pane) => getComputedStyle(pane).transform)`,
    );
  const { x, y, width, height } = (await pane.boundingBox())!;
  const middle = { x: x + width / 2, y: y + height / 2 };
  await moveFingers(page, { from: middle, to: { ...middle, y: middle.y - 150 } });
  await expect.poll(() => page.evaluate<number>('scrollY'), eventually).toBeGreaterThan(0);
  expect(await zoom()).toBe(100);

  await pane.scrollIntoViewIfNeeded();
  const now = (await pane.boundingBox())!;
  const at = { x: now.x + now.width / 2, y: now.y + now.height / 2 };
  await moveFingers(
    page,
    { from: { ...at, y: at.y - 20 }, to: { ...at, y: at.y - 80 } },
    { from: { ...at, y: at.y + 20 }, to: { ...at, y: at.y + 80 } },
  );
  await expect.poll(zoom, eventually).toBeGreaterThan(150);
  const [photo, image] = await moved();
  expect(photo).toBe(image);
  await moveFingers(page, { from: at, to: { x: at.x - 30, y: at.y - 30 } });
  await expect.poll(async () => (await moved())[0], eventually).not.toBe(photo);
  const after = await moved();
  expect(after[0]).toBe(after[1]);
  expect(await page.evaluate<number>('visualViewport.scale')).toBe(1);
  expect(problems).toEqual([]);
});

test('each image of a set is edited, compared and changed from the grid; single keys act unless something is typed', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  const seller = await stack.seller();
  const takes = await seller.submitSet(4);
  for (const { id } of takes) {
    await expect.poll(async () => (await seller.generation(id)).state, eventually).toBe('succeeded');
  }
  const set = `/dashboard?set=${takes[0]!.set.id}`;
  await openAs(stack, page, seller, set);
  await tile(page, 2).getByRole('button', { name: 'Edit image 2 of 4' }).click();
  const editor = page.getByRole('dialog');
  await editor.waitFor();
  // Keys are left to the dialog.
  await page.keyboard.press('3');
  await page.keyboard.press('Escape');
  await editor.waitFor({ state: 'detached' });
  await tile(page, 2).waitFor();
  expect(await layoutProblems(page, 'buttons of each image')).toEqual([]);

  await button(page, 'Compare image 3 of 4').click();
  const navigation = page.getByRole('navigation', { name: 'Images of this set' });
  await navigation.getByText('Image 3 of 4').waitFor();
  await page.getByRole('group', { name: /^Photo\. / }).waitFor();
  await page.keyboard.press('c');
  await page.getByRole('group', { name: /^Photo\. / }).waitFor({ state: 'detached' });
  // With Ctrl it is a shortcut of the browser.
  await page.keyboard.press('Control+c');
  await page.keyboard.press('1');
  await navigation.getByText('Image 1 of 4').waitFor();
  expect(await page.getByRole('group', { name: /^Photo\. / }).count()).toBe(0);
  const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('d')]);
  expect(file.suggestedFilename()).toMatch(/\.png$/);

  await navigation.getByRole('button', { name: 'All 4 images' }).click();
  await button(page, 'Change image 2 of 4').click();
  await page.locator('input[name=change]:focus').waitFor();
  await page.keyboard.type('c3d');
  await navigation.getByText('Image 2 of 4').waitFor();
  expect(await page.locator('input[name=change]').inputValue()).toBe('c3d');
  expect(problems).toEqual([]);
});

test('single keys choose the number of images, and can be turned off', async ({ stack, openWindow }) => {
  const { page, problems } = await openWindow();
  await openStudio(stack, page);
  const chosen = (count: number) =>
    page
      .getByRole('radio', { name: String(count), exact: true })
      .and(page.locator(':checked'))
      .waitFor({ state: 'attached' });
  await page.getByRole('heading', { name: 'Start with a photo of your product' }).click();
  await page.keyboard.press('3');
  await chosen(3);
  await page.keyboard.press('Control+2');
  await chosen(3);
  await page.getByRole('button', { name: 'Help' }).click();
  await page.getByLabel('Keys of one letter or number').click();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('4');
  await chosen(3);
  await page.reload();
  await page.getByRole('heading', { name: 'Start with a photo of your product' }).click();
  await page.keyboard.press('4');
  await chosen(3);
  expect(problems).toEqual([]);
});

test('on a phone, what is below an image stays within its column, also while a preview is shown', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow({ viewport: { width: 390, height: 844 } });
  await openStudio(stack, page);
  await stack.images.set({ behaviours: [contentRefused, { kind: 'hold', after: 'previews' }] });
  await requestFour(page);
  await setStage(page).getByText('2 of 4 images ready, 1 failed').first().waitFor();
  await button(page, 'Stop and use 1 image').waitFor();
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    const tooWide = `[...document.querySelectorAll('li[aria-label^="Image "]')]
      .filter((tile) => tile.scrollWidth > tile.clientWidth)
      .map((tile) => tile.textContent)`;
    expect(await page.evaluate(tooWide), `${width} px`).toEqual([]);
  }
  expect(await layoutProblems(page, 'a set in progress')).toEqual([]);
  await stack.images.release();
  await setStage(page).getByText('3 of 4 images ready, 1 failed').first().waitFor();
  expect(problems).toEqual([]);
});

test('one take of a set is cancelled, then the rest at once', async ({ stack, openWindow }) => {
  const { page, problems } = await openWindow();
  await openStudio(stack, page);
  await stack.images.set({ default: { kind: 'hold' } });
  await requestFour(page);
  await tile(page, 4).getByRole('button', { name: 'Cancel' }).click();
  await tile(page, 4).getByText('Cancelled. No image was used.').waitFor();
  await button(page, 'Cancel 3 images').click();
  await setStage(page).getByText('0 of 4 images ready, 4 cancelled').first().waitFor();
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
  await openAs(stack, page, seller, '/dashboard');
  await stack.images.set({ behaviours: [contentRefused, { kind: 'hold' }] });
  await page.evaluate(`Object.defineProperty(document, 'hidden', { value: true, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));`);
  await requestFour(page);
  await stack.images.waitFor({ waiting: 1 });
  await expect.poll(() => page.title(), eventually).toBe('2 of 4 · Creating… · Packshot');
  expect(await page.evaluate('window.shownNotifications')).toEqual([]);
  await stack.images.release();
  await expect.poll(() => page.title(), eventually).toBe('✓ Ready · Packshot');
  expect(await page.evaluate('window.shownNotifications')).toEqual(['3 of 4 images ready']);
  expect(problems).toEqual([]);
});
