/** The editor of a finished image: edits, saves, reloads, undoes and resets. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect } from 'vitest';
import { dialog } from '#tests/support/account-steps.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';
import { fillInStudio, generate, openStudio } from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser();
test.beforeEach(({ stack }) => stack.images.reset());

const button = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true });
const openTab = (page: Page, name: string) => dialog(page).getByRole('tab', { name }).click();
const size = (page: Page, text: string) => dialog(page).getByText(text, { exact: true }).waitFor();

/** Waits until the stage shows an image of this size; the date follows. */
const stageSize = (page: Page, text: string) => page.getByText(new RegExp(`^${text} · \\w+ \\d`)).waitFor();

async function openEditor(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await dialog(page).waitFor();
}

/** Moves a slider by keys. */
async function pressOn(page: Page, label: string, key: string, times: number): Promise<void> {
  const slider = dialog(page).getByRole('slider', { name: label });
  await slider.focus();
  for (let count = 0; count < times; count += 1) await page.keyboard.press(key);
}

/** Clicks a download link. @returns the size of the file in pixels */
async function downloadedSize(page: Page, name: string): Promise<[width: number, height: number]> {
  const link = page.getByRole('link', { name, exact: true });
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  const { width, height } = await sharp(await readFile(await download.path())).metadata();
  return [width, height];
}

test('a seller crops, turns and corrects an image, saves it, undoes and resets', async ({ filledStudio }) => {
  const { page, problems } = await filledStudio('On white');
  await generate(page);
  await page.getByRole('link', { name: 'Download' }).waitFor();

  await openEditor(page);
  expect(await button(page, 'Save').isDisabled()).toBe(true);
  await size(page, '1024 × 1024 px');
  await button(page, '16:9').click();
  await size(page, '1024 × 576 px');
  await openTab(page, 'Turn');
  await button(page, 'Right').click();
  await size(page, '576 × 1024 px');
  await openTab(page, 'Colours');
  await pressOn(page, 'Warmth', 'ArrowRight', 3);
  await dialog(page).getByText('+3', { exact: true }).waitFor();
  await dialog(page).getByRole('switch', { name: 'Pure white background' }).click();

  // The three movements of the slider are one step.
  await button(page, 'Undo').click();
  await button(page, 'Undo').click();
  await dialog(page).getByText('+3', { exact: true }).waitFor({ state: 'detached' });
  await button(page, 'Redo').click();
  await dialog(page).getByText('+3', { exact: true }).waitFor();
  await button(page, 'Save').click();
  await dialog(page).waitFor({ state: 'detached' });
  await stageSize(page, '576 × 1024 px');
  await page.locator('img[src*="/images/edited-"][src$="-thumbnail"]').first().waitFor();
  expect(await downloadedSize(page, 'Download')).toEqual([576, 1024]);
  expect(await downloadedSize(page, 'Download the original')).toEqual([1024, 1024]);

  await page.reload();
  await stageSize(page, '576 × 1024 px');
  await openEditor(page);
  await openTab(page, 'Colours');
  await dialog(page).getByText('+3', { exact: true }).waitFor();
  await openTab(page, 'Crop');
  await dialog(page).locator('.advanced-cropper-stencil-grid').waitFor();
  expect(await layoutProblems(page, 'editor', '[role=dialog]')).toEqual([]);
  await button(page, 'Reset').click();
  await size(page, '1024 × 1024 px');
  await button(page, 'Undo').click();
  await size(page, '576 × 1024 px');
  await button(page, 'Redo').click();
  await button(page, 'Save').click();
  await dialog(page).waitFor({ state: 'detached' });
  await stageSize(page, '1024 × 1024 px');
  expect(await page.getByRole('link', { name: 'Download the original' }).count()).toBe(0);
  expect(problems).toEqual([]);
});

test('the frame is dragged with the mouse, moved and resized by keys, and set by numbers', async ({
  filledStudio,
}) => {
  const { page, problems } = await filledStudio('On white');
  await generate(page);
  await page.getByRole('link', { name: 'Download' }).waitFor();
  await openEditor(page);
  const corner = dialog(page).locator('.advanced-cropper-handler-wrapper--east-south');
  // Waits until the cropper has its place.
  await corner.hover();
  const { x, y } = (await corner.boundingBox())!;
  await page.mouse.down();
  await page.mouse.move(x - 100, y - 100, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => button(page, 'Save').isEnabled()).toBe(true);
  await button(page, 'Undo').click();
  await size(page, '1024 × 1024 px');

  const number = (name: string) => dialog(page).getByRole('spinbutton', { name });
  await number('Width').fill('512');
  await size(page, '512 × 1024 px');
  await number('Left').fill('9999');
  await number('Top').focus();
  expect(await number('Left').inputValue()).toBe('512');
  await dialog(page).getByRole('group', { name: /^Crop/ }).focus();
  await page.keyboard.press('ArrowLeft');
  expect(await number('Left').inputValue()).toBe('492');
  for (let press = 0; press < 5; press += 1) await page.keyboard.press('Shift+ArrowUp');
  await size(page, '512 × 922 px');
  // All keys until the focus moved are one step.
  await page.keyboard.press('Control+z');
  await size(page, '512 × 1024 px');
  await page.keyboard.press('Control+Shift+z');
  await size(page, '512 × 922 px');
  await button(page, 'Save').click();
  await dialog(page).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Download the original' }).waitFor();
  expect(await downloadedSize(page, 'Download')).toEqual([512, 922]);
  expect(problems).toEqual([]);
});

test('on a phone, the frame is dragged with a finger', async ({ stack, openWindow }) => {
  const { page, problems } = await openWindow({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  await openStudio(stack, page);
  await fillInStudio(page, 'On white');
  await generate(page);
  await page.getByRole('link', { name: 'Download' }).waitFor();
  await openEditor(page);
  const corner = dialog(page).locator('.advanced-cropper-handler-wrapper--east-south');
  await corner.hover();
  const { x, y, width, height } = (await corner.boundingBox())!;
  const start = { x: x + width / 2, y: y + height / 2 };
  const finger = await page.context().newCDPSession(page);
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [start] });
  for (let moved = 20; moved <= 100; moved += 20) {
    await finger.send('Input.dispatchTouchEvent', {
      type: 'touchMove',
      touchPoints: [{ x: start.x - moved, y: start.y - moved }],
    });
  }
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await expect.poll(() => button(page, 'Save').isEnabled()).toBe(true);
  const cropped = Number(await dialog(page).getByRole('spinbutton', { name: 'Width' }).inputValue());
  expect(cropped).toBeGreaterThan(512);
  expect(cropped).toBeLessThan(900);
  await button(page, 'Save').click();
  await dialog(page).waitFor({ state: 'detached' });
  const [savedWidth] = await downloadedSize(page, 'Download');
  expect(savedWidth).toBe(cropped);
  expect(problems).toEqual([]);
});

test('whoever leaves with edits that are not saved is asked', async ({ filledStudio }) => {
  const { page, problems } = await filledStudio('On white');
  await generate(page);
  await page.getByRole('link', { name: 'Download' }).waitFor();
  await openEditor(page);
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });

  await openEditor(page);
  await button(page, '16:9').click();
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Discard your edits?' });
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await question.waitFor({ state: 'detached' });
  await size(page, '1024 × 576 px');
  // On a phone, Back is what Escape is on a keyboard.
  await page.goBack();
  await question.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('dialog').first().waitFor({ state: 'detached' });
  await stageSize(page, '1024 × 1024 px');
  expect(await page.getByRole('link', { name: 'Download the original' }).count()).toBe(0);
  expect(problems).toEqual([]);
});

test('of two windows, the second to save is told so and sees the edits of the first; undo brings back its own', async ({
  stack,
  filledStudio,
}) => {
  const { page } = await filledStudio('On white');
  await generate(page);
  await page.getByRole('link', { name: 'Download' }).waitFor();
  await openEditor(page);
  await button(page, '16:9').click();
  const second = await page.context().newPage();
  await second.goto(page.url());
  await openEditor(second);
  await button(second, '4:5').click();
  await button(second, 'Save').click();
  await dialog(second).waitFor({ state: 'detached' });
  await button(page, 'Save').click();
  await page.getByText(/^This image was edited in another window\./).waitFor();
  await size(page, '819 × 1024 px');
  expect(await button(page, 'Save').isDisabled()).toBe(true);
  await button(page, 'Undo').click();
  await size(page, '1024 × 576 px');
  await button(page, 'Save').click();
  await dialog(page).waitFor({ state: 'detached' });
  await stageSize(page, '1024 × 576 px');
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});
