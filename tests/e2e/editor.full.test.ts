/** The editor of a finished image: undo and reset, the frame by mouse, key, number and finger, and leaving it. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { dialog } from '#tests/support/account-steps.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import {
  button,
  downloadedSize,
  openEditor,
  openTab,
  pressOn,
  save,
  size,
  stageSize,
} from '#tests/support/editor-page.ts';
import { moveFingers } from '#tests/support/fingers.ts';
import { eventually } from '#tests/support/harness.ts';

const test = testWithStackAndBrowser();

test('undo, redo and reset work on what was saved, and the original comes back', async ({
  finishedImage,
}) => {
  const { page, problems } = await finishedImage();
  await openEditor(page);
  await button(page, '16:9').click();
  await openTab(page, 'Colours');
  await pressOn(page, 'Warmth', 'ArrowRight', 3);
  await dialog(page).getByRole('switch', { name: 'Pure white background' }).click();
  // The three movements of the slider are one step.
  await button(page, 'Undo').click();
  await button(page, 'Undo').click();
  await dialog(page).getByText('+3', { exact: true }).waitFor({ state: 'detached' });
  await button(page, 'Redo').click();
  await dialog(page).getByText('+3', { exact: true }).waitFor();
  await save(page);
  await stageSize(page, '1024 × 576 px');

  await openEditor(page);
  await dialog(page).locator('.advanced-cropper-stencil-grid').waitFor();
  expect(await layoutProblems(page, 'editor', '[role=dialog]')).toEqual([]);
  await button(page, 'Reset').click();
  await size(page, '1024 × 1024 px');
  await button(page, 'Undo').click();
  await size(page, '1024 × 576 px');
  await button(page, 'Redo').click();
  await save(page);
  await stageSize(page, '1024 × 1024 px');
  expect(await page.getByRole('link', { name: 'Download the original' }).count()).toBe(0);
  expect(problems).toEqual([]);
});

test('the frame is dragged with the mouse, moved and resized by keys, and set by numbers', async ({
  finishedImage,
}) => {
  const { page, problems } = await finishedImage();
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

  const number = (name: string) => dialog(page).getByRole('textbox', { name });
  await number('Width').fill('512');
  await size(page, '512 × 1024 px');
  // What does not fit is corrected when the field is left.
  await number('Left').fill('9999');
  await number('Top').focus();
  expect(await number('Left').inputValue()).toBe('512');
  await dialog(page).getByRole('group', { name: /^Crop/ }).focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Shift+ArrowUp');
  expect(await number('Left').inputValue()).toBe('492');
  await size(page, '512 × 1004 px');
  // All keys until the focus moved are one step.
  await page.keyboard.press('Control+z');
  await size(page, '512 × 1024 px');
  await page.keyboard.press('Control+Shift+z');
  await size(page, '512 × 1004 px');
  // With a Russian keyboard, and where a field has the focus.
  await pressRussianZ(page, { ctrl: true });
  await size(page, '512 × 1024 px');
  await number('Top').focus();
  await pressRussianZ(page, { ctrl: true, shift: true });
  expect(await button(page, 'Redo').isEnabled()).toBe(true);
  await dialog(page).getByRole('group', { name: /^Crop/ }).focus();
  await pressRussianZ(page, { ctrl: true, alt: true });
  await pressRussianZ(page, { ctrl: true, shift: true });
  await size(page, '512 × 1004 px');
  await save(page);
  expect(await downloadedSize(page, 'Download')).toEqual([512, 1_004]);
  expect(problems).toEqual([]);
});

/** Presses the key that types я on a Russian keyboard and z on an American one. */
async function pressRussianZ(page: Page, held: { ctrl?: boolean; shift?: boolean; alt?: boolean }) {
  const session = await page.context().newCDPSession(page);
  const modifiers = (held.alt ? 1 : 0) + (held.ctrl ? 2 : 0) + (held.shift ? 8 : 0);
  const key = { key: held.shift ? 'Я' : 'я', code: 'KeyZ', windowsVirtualKeyCode: 90, modifiers };
  await session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key });
  await session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
  await session.detach();
}

test('on a phone, the frame is dragged with a finger', async ({ finishedImage }) => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const { page, problems } = await finishedImage({}, phone);
  await openEditor(page);
  const corner = dialog(page).locator('.advanced-cropper-handler-wrapper--east-south');
  await corner.hover();
  const { x, y, width, height } = (await corner.boundingBox())!;
  const start = { x: x + width / 2, y: y + height / 2 };
  await moveFingers(page, { from: start, to: { x: start.x - 100, y: start.y - 100 } });
  await expect.poll(() => button(page, 'Save').isEnabled()).toBe(true);
  const cropped = Number(await dialog(page).getByRole('textbox', { name: 'Width' }).inputValue());
  expect(cropped).toBeGreaterThan(512);
  expect(cropped).toBeLessThan(900);
  await save(page);
  const [savedWidth] = await downloadedSize(page, 'Download');
  expect(savedWidth).toBe(cropped);
  expect(problems).toEqual([]);
});

test('whoever leaves with edits that are not saved is asked', async ({ finishedImage }) => {
  const { page, problems } = await finishedImage();
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
  finishedImage,
}) => {
  const { page } = await finishedImage();
  await openEditor(page);
  await button(page, '16:9').click();
  const second = await page.context().newPage();
  await second.goto(page.url());
  await openEditor(second);
  await button(second, '4:5').click();
  await save(second);
  await button(page, 'Save').click();
  await page.getByText(/^This image was edited in another window\./).waitFor();
  await size(page, '819 × 1024 px');
  expect(await button(page, 'Save').isDisabled()).toBe(true);
  await button(page, 'Undo').click();
  await size(page, '1024 × 576 px');
  await save(page);
  await stageSize(page, '1024 × 576 px');
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});
