/** Somebody who wants one thing: the file that Amazon takes. */
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { expect } from 'vitest';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';
import { createPerson } from '#tests/support/person.ts';
import { mug, openStudio } from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser();

test('from the empty studio to the Amazon file in three clicks beside the file dialog, for the first time as well', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow({ viewport: { width: 1_440, height: 900 } });
  await openStudio(stack, page);
  const chosen = page.waitForEvent('filechooser');
  const upload = page.getByRole('button', { name: 'Upload product images' });
  const person = createPerson();
  // Counted as the file dialog: its button, the photo, and the dialog's own button.
  person.elsewhere(3);
  await upload.click();
  await (await chosen).setFiles(mug);
  await person.click(page.getByRole('button', { name: /^Minimalist White Background/ }));
  await person.click(page.getByRole('button', { name: 'Generate Image' }));
  const button = page.getByRole('button', { name: 'Amazon main image' });
  await button.waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), person.click(button)]);
  const file = await sharp(await readFile(await download.path())).metadata();
  person.print('From the studio to an Amazon file');
  expect(person.effort.clicks).toBeLessThanOrEqual(3);
  expect(download.suggestedFilename()).toMatch(/^Mug-1-amazon-main-.*\.jpg$/);
  expect(file).toMatchObject({ format: 'jpeg' });
  expect(Math.max(file.width, file.height)).toBeGreaterThanOrEqual(1_600);
  expect(problems).toEqual([]);
});

test('a file that a marketplace would refuse says so when it is downloaded without its rules in view', async ({
  finishedImage,
}) => {
  const { page } = await finishedImage({}, { viewport: { width: 1_440, height: 900 } });
  const button = page.getByRole('button', { name: 'Amazon main image' });
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  await page.getByText(/^Amazon main image may be refused: background/).waitFor();
  await page.getByRole('button', { name: 'See why' }).click();
  await page.getByRole('dialog', { name: 'Export' }).getByText('Fails').first().waitFor();
  await expect.poll(() => download.failure(), eventually).toBe(null);
});
