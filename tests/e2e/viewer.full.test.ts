/** Comparing a finished image with its photo, and its full-screen view. */
import { expect } from 'vitest';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';

const test = testWithStackAndBrowser();

test('a seller compares an image with its photo, and zooms into it in full screen', async ({
  finishedImage,
}) => {
  const { page, problems } = await finishedImage();
  const compare = page.getByRole('button', { name: 'Compare with the photo' });
  await compare.click();
  const border = page.getByRole('slider', { name: 'Border between photo and image' });
  await border.focus();
  await page.keyboard.press('End');
  expect(await border.getAttribute('aria-valuetext')).toBe('100% photo, 0% image');
  expect(await layoutProblems(page, 'comparing')).toEqual([]);
  await compare.click();
  await border.waitFor({ state: 'detached' });

  const fullScreen = page.getByRole('button', { name: 'Full screen' });
  await fullScreen.click();
  const viewer = page.getByRole('dialog', { name: 'Full screen' });
  const zoomIn = viewer.getByRole('button', { name: 'Zoom in' });
  await zoomIn.click();
  await viewer.getByRole('button', { name: 'Zoom out' }).and(page.locator(':enabled')).waitFor();
  expect(await layoutProblems(page, 'full screen')).toEqual([]);
  await page.keyboard.press('Escape');
  await viewer.waitFor({ state: 'detached' });
  await fullScreen.and(page.locator(':focus')).waitFor();
  expect(problems).toEqual([]);
});
