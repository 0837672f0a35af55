/** A seller's own export preset: made, used for one file and in the ZIP of a batch, changed and deleted, also in another window. */
import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import type { Download, Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { expect } from 'vitest';
import { type OwnPresetList, ownPresetPaths, pages } from '#contract';
import { call } from '#tests/support/account.ts';
import { openAs } from '#tests/support/account-steps.ts';
import { readBatch, sampleRows, startedBatch } from '#tests/support/batches.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';
import { openExport } from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser();
test.beforeEach(({ stack }) => stack.images.reset());

/** What is used of a picture. */
interface Picture {
  naturalWidth: number;
  naturalHeight: number;
}

const bytesOf = async (download: Download) => readFile(await download.path());

/** Presses a button and waits for its download. */
async function downloaded(page: Page, name: string | RegExp, within = page.locator('body')) {
  return downloadedBy(page, within.getByRole('button', { name }));
}

async function downloadedBy(page: Page, button: Locator) {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return download;
}

test('an own preset is made, used for one file and in the ZIP of a batch, changed and deleted', async ({
  finishedImage,
}) => {
  const { page, seller, problems } = await finishedImage();
  const batch = await startedBatch(seller, await sampleRows(2));
  await expect.poll(async () => (await readBatch(seller, batch)).state, eventually).toBe('ended');
  await openExport(page);
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await dialog.getByRole('button', { name: 'New preset' }).click();
  const form = page.getByRole('dialog', { name: 'New preset' });
  const save = form.getByRole('button', { name: 'Save preset' });
  await save.click();
  await form.getByText('Please enter a name').waitFor();
  await form.getByLabel('Name', { exact: true }).fill('Shop square');
  await form.getByLabel('Width in px').fill('6000');
  await save.click();
  await form.getByText('Enter a whole number from 1 to 5,000').waitFor();
  await form.getByLabel('Width in px').fill('640');
  await form.getByLabel('Height in px').fill('480');
  await form.getByLabel('File type').selectOption('PNG');
  expect(await form.getByLabel('Quality').count()).toBe(0);
  await form.getByLabel('Background').selectOption('As in the image');
  expect(await form.getByLabel('Product takes').count()).toBe(0);
  await form.getByLabel('File names').selectOption('Your own pattern');
  await form.getByLabel('Pattern').fill('{price}');
  await save.click();
  await form.getByText('Use text and {product}').waitFor();
  await form.getByLabel('Pattern').fill('{product} for {preset}');
  expect(await layoutProblems(page, 'the form of a preset', '[role=dialog]')).toEqual([]);
  await save.click();
  await form.waitFor({ state: 'detached' });

  const row = dialog.getByRole('checkbox', { name: /^Shop square/ });
  expect(await row.isChecked()).toBe(true);
  await dialog.getByLabel('Amazon main image').uncheck();
  await dialog.getByText('For example Coffee-cup-for-Shop-square.png').waitFor();
  const shown = dialog.getByRole('img', { name: 'The file for Shop square' });
  await shown.waitFor();
  await dialog.getByRole('heading', { name: 'Shop square' }).waitFor();
  const sizeOf = () => shown.evaluate((image: Picture) => [image.naturalWidth, image.naturalHeight]);
  await expect.poll(sizeOf, eventually).toEqual([640, 480]);
  expect(await layoutProblems(page, 'the export with an own preset', '[role=dialog]')).toEqual([]);
  const one = await downloaded(page, 'Download file', dialog);
  expect(one.suggestedFilename()).toBe('Coffee-cup-for-Shop-square.png');
  expect(await sharp(await bytesOf(one)).metadata()).toMatchObject({
    format: 'png',
    width: 640,
    height: 480,
  });

  // Another one cannot have its name.
  await dialog.getByRole('button', { name: 'New preset' }).click();
  await form.getByLabel('Name', { exact: true }).fill('SHOP SQUARE');
  await save.click();
  await form.getByText('You have another preset with this name.').waitFor();
  await form.getByRole('button', { name: 'Cancel' }).click();

  await dialog.getByRole('button', { name: 'Edit Shop square' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit preset' });
  expect(await edit.getByLabel('Pattern').inputValue()).toBe('{product} for {preset}');
  await edit.getByLabel('Width in px').fill('320');
  await edit.getByRole('button', { name: 'Save preset' }).click();
  await dialog.getByText('320 × 480 px, PNG').waitFor();
  // What is shown is made anew.
  await expect.poll(sizeOf, eventually).toEqual([320, 480]);
  await page.keyboard.press('Escape');

  // Beside Download, as the one that was used last.
  await page.setViewportSize({ width: 1440, height: 900 });
  const quick = await downloaded(page, 'Shop square');
  expect(await sharp(await bytesOf(quick)).metadata()).toMatchObject({ width: 320, height: 480 });

  await page.goto(new URL(`${pages.batches}/${batch}`, page.url()).href);
  await page.getByText('Formats of marketplaces, and your own').click();
  await page.getByRole('checkbox', { name: /^Shop square/ }).check();
  await page.getByRole('checkbox', { name: 'eBay' }).check();
  const zip = await downloadedBy(page, page.getByRole('link', { name: 'Download ZIP' }));
  const files = unzipSync(await bytesOf(zip));
  const own = Object.entries(files).filter(([name]) => name.includes('for-Shop-square'));
  expect(Object.keys(files)).toHaveLength(4);
  expect(own).toHaveLength(2);
  for (const [, file] of own)
    expect(await sharp(file).metadata()).toMatchObject({ format: 'png', width: 320, height: 480 });

  await page.getByRole('button', { name: 'Delete Shop square' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete preset' }).click();
  await page.getByRole('checkbox', { name: /^Shop square/ }).waitFor({ state: 'detached' });
  await page.getByText('Chosen: eBay').waitFor();
  const { body } = await seller.request<OwnPresetList>(ownPresetPaths.ownPresets);
  expect(body.presets).toEqual([]);
  // The name that was taken.
  expect(problems).toEqual([expect.stringContaining('409')]);
});

test('a preset that another window changes or deletes is followed by an open dialog, and is not downloaded', async ({
  stack,
  finishedImage,
  openWindow,
}) => {
  const { page, seller, id } = await finishedImage();
  const made = await call<{ id: string }>(seller, 'POST', ownPresetPaths.ownPresets, {
    name: 'متجر',
    width: 400,
    height: 300,
    format: 'jpeg',
  });
  await openExport(page);
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await dialog.getByRole('checkbox', { name: /متجر/ }).check();
  await dialog.getByLabel('Amazon main image').uncheck();
  await downloaded(page, 'Download file', dialog);

  // Nobody tells this window: it asks when something is downloaded.
  const changes = { format: 'png', width: 320, namePattern: 'for {asin}' };
  await call(seller, 'PATCH', ownPresetPaths.ownPreset(made.body.id), changes);
  const changed = await downloaded(page, 'Download file', dialog);
  expect(changed.suggestedFilename()).toMatch(/^for-.*\.png$/);
  expect(await sharp(await bytesOf(changed)).metadata()).toMatchObject({ format: 'png', width: 320 });
  // Its own pattern has an ASIN, which the image has not.
  await dialog.getByLabel('ASIN').fill('B000123456');
  await dialog.getByText('For example for-B000123456.png').waitFor();
  expect((await call(seller, 'DELETE', ownPresetPaths.ownPreset(made.body.id))).status).toBe(204);
  await dialog.getByRole('button', { name: 'Download file' }).click();
  await dialog.getByText('Deleted in another window').waitFor();
  expect(await dialog.getByRole('button', { name: 'Download' }).isDisabled()).toBe(true);
  await dialog.getByLabel('eBay').check();
  const ebay = await downloaded(page, 'Download file', dialog);
  expect(ebay.suggestedFilename()).toContain('ebay');

  // A form that is open for it says so.
  const again = await call<{ id: string }>(seller, 'POST', ownPresetPaths.ownPresets, {
    name: 'Banner',
    width: 400,
    height: 300,
    format: 'jpeg',
  });
  const other = await openWindow();
  await openAs(stack, other.page, seller, `/dashboard?generation=${id}`);
  await openExport(other.page);
  await other.page.getByRole('button', { name: 'Edit Banner' }).click();
  await call(seller, 'DELETE', ownPresetPaths.ownPreset(again.body.id));
  const form = other.page.getByRole('dialog', { name: 'Edit preset' });
  await form.getByRole('button', { name: 'Save preset' }).click();
  await form.getByText('This export preset was deleted.').waitFor();
});

test('beside Download, a file that is not as its preset asks says so, and so does a preset that is gone', async ({
  finishedImage,
}) => {
  const { page, seller } = await finishedImage();
  const { body } = await call<{ id: string }>(seller, 'POST', ownPresetPaths.ownPresets, {
    name: 'Banner',
    width: 400,
    height: 300,
    format: 'jpeg',
    background: '#20406a',
  });
  await openExport(page);
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await dialog.getByRole('checkbox', { name: /^Banner/ }).check();
  await dialog.getByLabel('Amazon main image').uncheck();
  await downloaded(page, 'Download file', dialog);
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1440, height: 900 });
  const quick = await downloaded(page, 'Banner');
  expect(await sharp(await bytesOf(quick)).metadata()).toMatchObject({ width: 400, height: 300 });
  // The image is a scene.
  await page.getByText('Banner: not as you asked: background.').waitFor();
  await call(seller, 'DELETE', ownPresetPaths.ownPreset(body.id));
  await page.getByRole('button', { name: 'Banner' }).click();
  await page.getByText('This export preset was deleted. Please choose another one.').waitFor();
});

test('a preset that was chosen stays chosen if another one is chosen before own presets are loaded', async ({
  finishedImage,
}) => {
  const { page, seller } = await finishedImage();
  const banner = { name: 'Banner', width: 400, height: 300, format: 'jpeg' };
  expect((await call(seller, 'POST', ownPresetPaths.ownPresets, banner)).status).toBe(201);
  await openExport(page);
  const dialog = page.getByRole('dialog', { name: 'Export' });
  const own = dialog.getByRole('checkbox', { name: /^Banner/ });
  await own.check();
  await dialog.getByLabel('Amazon main image').uncheck();
  await downloaded(page, 'Download file', dialog);
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  await page.route(`**${ownPresetPaths.ownPresets}`, async (route) => {
    await answered;
    await route.continue();
  });
  await page.reload();
  await openExport(page);
  await dialog.getByLabel('eBay').check();
  expect(await dialog.getByRole('button', { name: 'Download file' }).isDisabled()).toBe(true);
  answer();
  await own.waitFor();
  expect(await own.isChecked()).toBe(true);
  await dialog.getByRole('button', { name: 'Download 2 files (ZIP)' }).waitFor();
});
