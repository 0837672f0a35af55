/** From the form to an image that is ready: nothing is lost on the way, and what fails or is stopped costs what is said. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { expect } from 'vitest';
import { batchFolder } from '#tests/support/batch-folder.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';
import { follow, press, see } from '#tests/support/page-steps.ts';
import { contentRefused } from '#tests/support/provider-calls.ts';
import {
  expectRestored,
  generate,
  generateFour,
  holdUploads,
  openStudio,
  setStage,
  storedDraft,
  untilStored,
} from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser();
test.beforeEach(({ stack }) => stack.images.reset());

test('a form survives a reload, and its upload goes on while the seller looks at other pages; one image is used', async ({
  stack,
  filledStudio,
}) => {
  const { page, problems } = await filledStudio('On slate, evening light');
  await untilStored(page, { prompt: 'On slate, evening light' });
  await page.reload();
  await expectRestored(page, 'On slate, evening light');

  const uploads = await holdUploads(page);
  await generate(page);
  const upload = await uploads.next();
  const openProfile = async () => {
    await press(page, /account of/i);
    await page.getByRole('menuitem', { name: 'Profile' }).click();
    await page.waitForURL('**/profile');
  };
  await openProfile();
  await press(page, '1 in progress');
  await page.getByRole('dialog').getByRole('button', { name: 'photos' }).waitFor();
  await page.keyboard.press('Escape');
  await follow(page, /studio/i);
  await page
    .getByText(/^(Uploading|Checking) your photos$/)
    .last()
    .waitFor();
  const button = page.getByRole('button', { name: /^Generat(e Image|ing)/ });
  expect(await button.textContent()).toBe('Generating...');
  expect(await button.isDisabled()).toBe(true);
  // Even a click event on the disabled button sends nothing.
  await button.dispatchEvent('click');

  await openProfile();
  await follow(page, 'Usage');
  await upload.continue();
  await see(page, 'Your photos are uploaded. Your image is on its way.');
  expect(new URL(page.url()).pathname).toBe('/profile/usage');
  // At once: it goes after some seconds.
  await press(page, 'Show');
  await page.waitForURL('**/dashboard?generation=*');
  await page.getByRole('link', { name: 'Download' }).waitFor();
  await see(page, '99 of 100 left');
  await openProfile();
  await follow(page, 'Usage');
  await see(page, '99 of 100');
  expect(uploads.keys).toHaveLength(1);
  // It stays for the next image.
  expect(await storedDraft(page)).toMatchObject({ photos: ['coffee-cup.png'] });
  expect(problems).toEqual([]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('an image that fails or is cancelled uses none; one that is stopped after its preview is used, and the button says so', async ({
  stack,
  filledStudio,
}) => {
  const { page, problems } = await filledStudio('On sand');
  await stack.images.set({
    behaviours: [contentRefused, { kind: 'hold' }, { kind: 'hold', after: 'previews' }],
  });
  await generate(page);
  await see(page, 'declined by its content policy');
  await see(page, '100 of 100 left');
  await press(page, 'Try again');
  await stack.images.waitFor({ waiting: 1 });
  await see(page, '99 of 100 left');
  await press(page, 'Cancel');
  await see(page, 'No image was used.');
  await see(page, '100 of 100 left');

  await press(page, 'Try again');
  await press(page, 'Stop and use 1 image');
  await see(page, 'It had a preview, so 1 image was used.');
  await see(page, '99 of 100 left');
  expect(problems).toEqual([]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('four takes fill in a grid; one fails and is tried again; the others are shown one by one', async ({
  stack,
  filledStudio,
}) => {
  const { page, problems } = await filledStudio('On a wooden table');
  await stack.images.set({ behaviours: [contentRefused, { kind: 'hold' }] });
  await generateFour(page);
  await stack.images.waitFor({ waiting: 1 });
  await setStage(page).getByText('2 of 4 images ready, 1 failed').first().waitFor();
  expect(await page.getByRole('link', { name: /^Download image/ }).count()).toBe(2);
  await stack.images.release();
  await setStage(page).getByText('3 of 4 images ready, 1 failed').first().waitFor();
  await see(page, '97 of 100 left');

  await page.reload();
  await setStage(page).getByText('3 of 4 images ready, 1 failed').first().waitFor();
  await press(page, /^Show image/);
  const navigation = page.getByRole('navigation', { name: 'Images of this set' });
  await navigation.getByText(/^Image \d of 4$/).waitFor();
  await navigation.getByRole('button', { name: 'All 4 images' }).click();
  await press(page, 'Try again');
  await page.getByRole('link', { name: 'Download', exact: true }).waitFor();
  await see(page, '96 of 100 left');
  expect(problems).toEqual([]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('a seller makes the images of six products, reloads during the upload, and downloads a ZIP', async ({
  stack,
  openWindow,
}) => {
  const folder = await batchFolder(6);
  const { page, problems } = await openWindow();
  await openStudio(stack, page);
  await follow(page, 'Batch');
  await follow(page, 'New batch');
  const input = (name: string) => page.locator(`input[aria-label="${name}"]`);
  await input('Choose a table').setInputFiles(join(folder, 'autumn.csv'));
  await see(page, '0 of 6 products are ready');
  await input('Choose a folder').setInputFiles(join(folder, 'photos'));
  await see(page, '5 of 6 products are ready');

  // What is wrong is said at the cell, and is mended there.
  await press(page, 'Next problem');
  await see(page, 'Photo Product 7.PNG is missing.');
  await press(page, 'Remove photo Product 7.PNG of row 6');
  await press(page, 'Choose photos of row 6');
  await page.getByRole('checkbox', { name: 'product-6.png' }).check();
  await press(page, 'Use these photos');
  await see(page, '6 of 6 products are ready');

  // The window is reloaded when two photos have arrived and three more are on their way.
  const sent: string[] = [];
  const arrived: string[] = [];
  await page.route('**/api/batches/*/photos/*', async (route) => {
    sent.push(route.request().url());
    if (sent.length <= 2) await route.continue();
  });
  page.on('requestfinished', (request) => {
    if (request.method() === 'PUT') arrived.push(request.url());
  });
  await press(page, 'Next: check');
  await press(page, 'Make 7 images: 7 of your 100 left');
  await page.getByRole('button', { name: 'Make 7 images', exact: true }).click();
  await expect.poll(() => [arrived.length, sent.length]).toEqual([2, 5]);
  await page.reload();
  await page.unrouteAll();
  await see(page, '4 photos are missing.');
  await input('Choose a folder').setInputFiles(join(folder, 'photos'));

  await page.getByRole('heading', { name: 'Finished' }).waitFor();
  await see(page, '7 of 7 images done');
  // Each photo was uploaded once.
  expect(arrived).toHaveLength(6);
  expect(new Set(arrived).size).toBe(6);
  await page.getByLabel('File names').selectOption('Your own pattern');
  await page.getByLabel('Pattern').fill('{sku} take {n}');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download ZIP' }).click(),
  ]);
  const names = Object.keys(unzipSync(await readFile(await download.path())));
  const expected = ['P-1-take-2.png', ...[1, 2, 3, 4, 5, 6].map((number) => `P-${number}-take-1.png`)];
  expect(names.toSorted()).toEqual(expected.toSorted());
  await page.getByRole('link', { name: /^Open .?P-1, take 1.? in the studio$/u }).click();
  await see(page, '93 of 100 left');
  expect(problems).toEqual([]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});
