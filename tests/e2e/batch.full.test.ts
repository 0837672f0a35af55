/** Batches: their pages, and their dialogs while a request is under way. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { limits, pages, paths } from '#contract';
import { batchPaths } from '#contract/batch-paths.ts';
import { call } from '#tests/support/account.ts';
import { dialog, openAs } from '#tests/support/account-steps.ts';
import { batchFolder } from '#tests/support/batch-folder.ts';
import { postBatch, readBatch, sampleRows, startedBatch } from '#tests/support/batches.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';
import { press } from '#tests/support/page-steps.ts';
import { colouredPhoto } from '#tests/support/photos.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { workbook } from '#tests/support/workbook.ts';

const test = testWithStackAndBrowser();
test.beforeEach(({ stack }) => stack.images.reset());

test('the table of a batch and a finished batch are accessible and fit the window', async ({
  stack,
  openWindow,
}) => {
  const folder = await batchFolder(3);
  const { page, problems } = await openWindow();
  await openAs(stack, page, await stack.seller(), '/batch/new');
  const input = (name: string) => page.locator(`input[aria-label="${name}"]`);
  await input('Choose a table').setInputFiles(join(folder, 'autumn.csv'));
  await page.getByText('0 of 3 products are ready').waitFor();
  await input('Choose a folder').setInputFiles(join(folder, 'photos'));
  await page.getByText('2 of 3 products are ready').waitFor();
  await press(page, 'Next problem');
  await page.getByText('Photo Product 4.PNG is missing.').waitFor();
  expect(await layoutProblems(page, 'the table')).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
  await press(page, 'Remove photo Product 4.PNG of row 3');
  await press(page, 'Choose photos of row 3');
  await page.getByRole('checkbox', { name: 'product-3.png' }).check();
  await press(page, 'Use these photos');
  await press(page, 'Next: check');
  await press(page, 'Make 4 images: 4 of your 100 left');
  await page.getByRole('button', { name: 'Make 4 images', exact: true }).click();
  await page.getByRole('heading', { name: 'Finished' }).waitFor();
  await page.getByText('4 of 4 images done').waitFor();
  expect(await layoutProblems(page, 'a finished batch')).toEqual([]);
  expect(problems).toEqual([]);
});

test('the images of a batch are approved, made again and exported, also with the keyboard alone', async ({
  stack,
  openWindow,
}) => {
  const seller = await stack.seller();
  const id = await startedBatch(seller, await sampleRows(4));
  await expect.poll(async () => (await readBatch(seller, id)).state, eventually).toBe('ended');
  const { page, problems } = await openWindow();
  await openAs(stack, page, seller, `${pages.batches}/${id}`);
  const tile = (sku: string) =>
    page.getByRole('article', { name: new RegExp(`^\\P{L}?${sku}\\P{L}?: `, 'u') });
  await press(page, 'Approve SKU-1');
  await page.getByRole('button', { name: 'Approved 1' }).waitFor();
  await tile('SKU-1').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('a');
  await page.getByRole('button', { name: 'Approved 2' }).waitFor();
  await page.keyboard.press('a');
  await page.getByRole('button', { name: 'Approved 1' }).waitFor();
  expect(await layoutProblems(page, 'the review')).toEqual([]);
  const zip = page.getByRole('link', { name: 'Download ZIP' });
  expect(await zip.getAttribute('href')).toContain('only=approved');

  await page.keyboard.press('r');
  await dialog(page).getByText('It uses 1 image of the 96 you have left.').waitFor();
  await dialog(page).getByRole('button', { name: 'Make 1 image' }).click();
  await dialog(page).waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Finished' }).waitFor();
  await expect.poll(async () => (await seller.me()).subscription.generationsLeft, eventually).toBe(95);

  await press(page, 'To review 3');
  await press(page, 'Approve these 3');
  await page.getByText('No image here.').waitFor();
  await press(page, 'Approved 4');
  await page.getByText('Table of products for a shop').click();
  const table = page.getByRole('link', { name: 'Shopify product CSV' });
  const reply = await page.request.get(new URL((await table.getAttribute('href'))!, page.url()).href);
  expect((await reply.text()).split('\r\n').filter(Boolean)).toHaveLength(5);
  expect(problems).toEqual([]);
});

test('what is approved and taken back at once is not approved in the end', async ({ stack, openWindow }) => {
  const seller = await stack.seller();
  const id = await startedBatch(seller, await sampleRows(1));
  await expect.poll(async () => (await readBatch(seller, id)).state, eventually).toBe('ended');
  const { page, problems } = await openWindow();
  await openAs(stack, page, seller, `${pages.batches}/${id}`);
  const [held, first] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const answered: boolean[] = [];
  await page.route(`**${batchPaths.batchReview(id)}**`, async (route) => {
    const { approved } = route.request().postDataJSON() as { approved: boolean };
    if (approved) {
      first.resolve();
      await held.promise;
    }
    await route.continue();
  });
  page.on('requestfinished', (request) => {
    if (!request.url().includes(batchPaths.batchReview(id))) return;
    answered.push((request.postDataJSON() as { approved: boolean }).approved);
    // The second one would be here first.
    held.resolve();
  });
  await press(page, 'Approve SKU-1');
  await first.promise;
  await page.getByRole('button', { name: 'Approved 1' }).waitFor();
  await press(page, 'Approve SKU-1');
  await page.getByRole('button', { name: 'Approved 0' }).waitFor();
  await page.evaluate(
    'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
  );
  held.resolve();
  await expect.poll(() => answered, eventually).toEqual([true, false]);
  await page.getByRole('button', { name: 'Approved 0' }).waitFor();
  expect((await readBatch(seller, id)).items[0]!.images[0]!.approved).toBe(false);
  expect(problems).toEqual([]);
});

test('what is approved in one window, and taken back, is shown in another', async ({ stack, openWindow }) => {
  const seller = await stack.seller();
  const id = await startedBatch(seller, await sampleRows(3));
  await expect.poll(async () => (await readBatch(seller, id)).state, eventually).toBe('ended');
  const [one, other] = await Promise.all([openWindow(), openWindow()]);
  for (const { page } of [one, other]) {
    await openAs(stack, page, seller, `${pages.batches}/${id}`);
    await page.getByRole('button', { name: 'Approved 0' }).waitFor();
  }
  await press(one.page, 'Approve these 3');
  await other.page.getByRole('button', { name: 'Approved 3' }).waitFor();
  await press(other.page, 'Approve SKU-2');
  await one.page.getByRole('button', { name: 'Approved 2' }).waitFor();
  await one.page.getByRole('link', { name: 'Download ZIP' }).waitFor();
  expect([...one.problems, ...other.problems]).toEqual([]);
});

test('what becomes of a batch in one window is shown in another, which asks only when it is told', async ({
  stack,
  openWindow,
}) => {
  const seller = await stack.seller();
  const id = await startedBatch(seller, await sampleRows(3));
  await expect.poll(async () => (await readBatch(seller, id)).state, eventually).toBe('ended');
  // Of what has ended, nothing is asked from time to time.
  const [list, other] = await Promise.all([openWindow(), openWindow()]);
  await openAs(stack, list.page, seller, pages.batches);
  await list.page.getByText('3 of 3 images done').first().waitFor();
  await openAs(stack, other.page, seller, `${pages.batches}/${id}`);
  await other.page.getByText('3 files').waitFor();

  // Images in the trash are not in the ZIP.
  const images = (await readBatch(seller, id)).items.map(({ images: [image] }) => image!.generationId!);
  expect((await call(seller, 'DELETE', paths.generation(images[0]!))).status).toBe(200);
  await other.page.getByText('2 files').waitFor(eventually);
  expect((await call(seller, 'POST', paths.restoreGeneration(images[0]!))).status).toBe(200);
  await other.page.getByText('3 files').waitFor(eventually);

  await stack.images.set({ behaviours: [{ kind: 'hold' }] });
  const again = { images };
  expect((await call(seller, 'POST', batchPaths.batchAgain(id), again)).status).toBe(200);
  await other.page.getByRole('button', { name: 'Pause' }).waitFor(eventually);
  expect((await call(seller, 'POST', batchPaths.batchAction(id, 'pause'))).status).toBe(200);
  await other.page.getByRole('button', { name: 'Resume' }).waitFor(eventually);
  expect((await call(seller, 'POST', batchPaths.batchAction(id, 'cancel'))).status).toBe(200);
  await stack.images.release();
  await expect.poll(async () => (await readBatch(seller, id)).state, eventually).toBe('ended');
  expect((await call(seller, 'DELETE', batchPaths.batch(id))).status).toBe(204);
  await list.page.getByText('Make images of up to').waitFor(eventually);
});

test('a folder of photos becomes a batch without a table, and a foreign table joins it', async ({
  stack,
  openWindow,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'packshot-folder-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const names = ['mug-1.png', 'mug-2.png', 'vase.png', 'IMG_4821.png'];
  for (const [index, name] of names.entries())
    await writeFile(join(folder, name), await colouredPhoto(`#${40 + index * 10}60a0`));
  const { page, problems } = await openWindow();
  await openAs(stack, page, await stack.seller(), '/batch/new');
  const input = (name: string) => page.locator(`input[aria-label="${name}"]`);
  await input('Choose a folder').setInputFiles(folder);
  await page.getByText('3 of 3 products are ready').waitFor();
  await page.getByText('3 products, 3 images.').waitFor();
  expect(await layoutProblems(page, 'the photos')).toEqual([]);
  await press(page, 'Next: scenes');
  await page.getByText('0 of 3 products are ready').waitFor();
  await page.getByLabel('Scene', { exact: true }).fill('On an oak table');
  await press(page, 'Use it for all 3 products');
  await page.getByText('3 of 3 products are ready').waitFor();
  expect(await layoutProblems(page, 'the scenes')).toEqual([]);
  await press(page, 'Next: check');
  expect(await layoutProblems(page, 'the check')).toEqual([]);

  // A table whose columns have other names, one of them unknown, gives names and a SKU to products that are there.
  await press(page, 'Photos');
  const table = 'Product title;Article number;Picture;Mood\nBlue mug;MUG;;calm\nVase;V-1;vase.png;warm\n';
  await input('Choose a table').setInputFiles([
    { name: 'shop.csv', mimeType: 'text/csv', buffer: Buffer.from(table) },
  ]);
  await page.getByText('1 column is new to us, and left out unless you choose.').waitFor();
  expect(await layoutProblems(page, 'the columns')).toEqual([]);
  await press(page, 'Use this table');
  await expect.poll(() => page.getByLabel('SKU of row 2').inputValue(), eventually).toBe('V-1');
  expect(await page.getByLabel('Name of row 1').inputValue()).toBe('Blue mug');
  // The same columns are not asked about again.
  await input('Choose a table').setInputFiles([
    { name: 'more.csv', mimeType: 'text/csv', buffer: Buffer.from(`${table}Cup;CUP;;x\n`) },
  ]);
  await page.getByText('Add a photo.').first().waitFor();
  // What it remembers can be changed: its products are read again, and none is there twice.
  await page.getByText('are as you chose them last.').waitFor();
  expect(await layoutProblems(page, 'the columns as last time')).toEqual([]);
  await press(page, 'Change');
  await page.getByLabel('Remember this for tables with the same columns').uncheck();
  await press(page, 'Use this table');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.locator('button:focus', { hasText: 'Change' }).waitFor();
  expect(await page.getByLabel(/^SKU of row/).count()).toBe(4);
  await press(page, 'Remove 1 row');
  await page.getByText('1 row removed.').waitFor();
  await page.getByText('3 of 3 products are ready').waitFor();
  // Of a workbook another sheet can be chosen.
  const moods = workbook({
    Instructions: [['How to fill in this file']],
    Spring: [
      ['Article number', 'Spring mood'],
      ['A', 'calm'],
    ],
    Autumn: [
      ['Article number', 'Autumn mood'],
      ['B', 'warm'],
    ],
  });
  await input('Choose a table').setInputFiles([
    { name: 'moods.xlsm', mimeType: 'application/vnd.ms-excel', buffer: Buffer.from(moods) },
  ]);
  await page.getByLabel('Spring mood').waitFor();
  expect(await layoutProblems(page, 'the columns of a workbook')).toEqual([]);
  await page.getByLabel('Sheet', { exact: true }).selectOption('Autumn');
  await page.getByLabel('Autumn mood').waitFor();
  await press(page, 'Cancel');

  await press(page, 'Next: check');
  await press(page, 'Make 3 images: 3 of your 100 left');
  await page.getByRole('button', { name: 'Make 3 images', exact: true }).click();
  await page.getByText('3 of 3 images done').waitFor();
  expect(problems).toEqual([]);
});

const twoPhotos = await Promise.all(
  ['mug', 'vase'].map(async (name, index) => ({
    name: `${name}.png`,
    mimeType: 'image/png',
    buffer: await colouredPhoto(`#${40 + index * 10}60a0`),
  })),
);

test('the browser goes back one step, and another page of the app loses neither photos nor words', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  await openAs(stack, page, await stack.seller(), pages.batches);
  await page.getByRole('link', { name: 'New batch' }).first().click();
  await page.locator('input[aria-label="Choose photos"]').setInputFiles(twoPhotos);
  await page.getByText('2 of 2 products are ready').waitFor();
  await press(page, 'Next: scenes');
  await page.getByLabel('Scene', { exact: true }).fill('On oak');
  await press(page, 'Use it for all 2 products');
  await page.goBack();
  await page.getByRole('button', { name: 'Choose a folder' }).waitFor();
  await page.getByText('2 of 2 products are ready').waitFor();
  await page.getByRole('link', { name: 'Library' }).first().click();
  await page.getByRole('heading', { name: 'Library' }).waitFor();
  await page.goBack();
  await page.getByText('2 of 2 products are ready').waitFor();
  await press(page, 'Next: check');
  await press(page, 'Make 2 images: 2 of your 100 left');
  await page.getByRole('button', { name: 'Make 2 images', exact: true }).click();
  await page.getByText('2 of 2 images done').waitFor();
  // What became a batch does not come back.
  await page.getByRole('link', { name: 'Batches' }).first().click();
  await page.getByRole('link', { name: 'New batch' }).first().click();
  await page.getByText('Start with the photos of your products.').waitFor();
  expect(problems).toEqual([]);
});

/** Opens the page of a new batch with two products, which the browser has stored. */
async function openTwoProducts(stack: TestStack, page: Page): Promise<Seller> {
  const seller = await stack.seller();
  await openAs(stack, page, seller, `${pages.batches}/new`);
  await page.locator('input[aria-label="Choose photos"]').setInputFiles(twoPhotos);
  await page.getByText('2 of 2 products are ready').waitFor();
  return seller;
}
/** Waits until the browser has stored the table with this SKU. */
const untilStored = (page: Page, row: number, sku: string) =>
  expect
    .poll(
      () =>
        page.evaluate<string | undefined>(`new Promise((resolve, reject) => {
          const opening = indexedDB.open('packshot');
          opening.onerror = () => reject(opening.error);
          opening.onsuccess = () => {
            const read = opening.result.transaction('draft').objectStore('draft').get('batch');
            read.onsuccess = () => {
              opening.result.close();
              resolve(read.result?.rows[${row - 1}]?.sku);
            };
          };
        })`),
      eventually,
    )
    .toBe(sku);
const skuOf = (page: Page, row: number) => page.getByLabel(`SKU of row ${row}`);

test('a window that only shows a table leaves what another one has written', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  await openTwoProducts(stack, page);
  await skuOf(page, 1).fill('MUG-1');
  await untilStored(page, 1, 'MUG-1');
  await page.reload();
  await expect.poll(() => skuOf(page, 1).inputValue(), eventually).toBe('MUG-1');
  const other = await page.context().newPage();
  await other.goto(page.url());
  await expect.poll(() => skuOf(other, 1).inputValue(), eventually).toBe('MUG-1');
  await skuOf(other, 1).fill('MUG-2');
  await untilStored(other, 1, 'MUG-2');

  await page.getByRole('link', { name: 'Library' }).first().click();
  await page.getByRole('heading', { name: 'Library' }).waitFor();
  await other.reload();
  await expect.poll(() => skuOf(other, 1).inputValue(), eventually).toBe('MUG-2');
  // And finds it when it is back.
  await page.goBack();
  await expect.poll(() => skuOf(page, 1).inputValue(), eventually).toBe('MUG-2');
  expect(problems).toEqual([]);
});

test('"Remove all", and a scene for all products, can be undone', async ({ stack, openWindow }) => {
  const { page, problems } = await openWindow();
  await openTwoProducts(stack, page);
  await skuOf(page, 2).fill('VASE-1');
  await press(page, 'Remove all');
  await page.getByText('Start with the photos of your products.').waitFor();
  await press(page, 'Undo');
  await page.getByText('2 of 2 products are ready').waitFor();
  expect(await skuOf(page, 2).inputValue()).toBe('VASE-1');
  await untilStored(page, 2, 'VASE-1');

  await press(page, 'Next: scenes');
  const [scene, size] = [page.getByLabel('Scene of row 1'), page.getByLabel('Size of row 2')];
  await scene.fill('On slate');
  await size.selectOption({ index: 1 });
  const chosen = await size.inputValue();
  await page.getByLabel('Scene', { exact: true }).fill('On oak');
  await press(page, 'Use it for all 2 products');
  await page.getByText('2 rows changed.').waitFor();
  expect(await scene.inputValue()).toBe('On oak');
  // What was not chosen for all stays.
  expect(await size.inputValue()).toBe(chosen);
  await press(page, 'Undo');
  await expect.poll(() => scene.inputValue(), eventually).toBe('On slate');
  expect(await size.inputValue()).toBe(chosen);
  expect(problems).toEqual([]);
});

test('photos that a table names by their addresses are fetched, and what cannot be fetched is said at its row', async ({
  stack,
  openWindow,
}) => {
  const { page } = await openWindow();
  const photo = await colouredPhoto('#4060a0');
  const asked: string[] = [];
  await page.route(`**${paths.photoAddresses}`, async (route) => {
    const { url } = route.request().postDataJSON() as { url: string };
    asked.push(url);
    if (url.endsWith('gone.png')) {
      const message = "We couldn't fetch this address: it answered 404.";
      const error = { code: 'ADDRESS_NOT_FETCHED', message, requestId: '0'.repeat(32) };
      return route.fulfill({ status: 422, json: { error } });
    }
    const headers = { 'content-disposition': "attachment; filename*=UTF-8''mug.png" };
    return route.fulfill({ status: 200, contentType: 'image/png', headers, body: photo });
  });
  await openAs(stack, page, await stack.seller(), '/batch/new');
  const mug = 'https://shop.example/mug.png?v=1';
  const table = `sku,image src,scene\nA,${mug},On oak\nB,https://shop.example/gone.png,On oak\nC,${mug},On oak\n`;
  await page
    .locator('input[aria-label="Choose a table"]')
    .setInputFiles([{ name: 'shop.csv', mimeType: 'text/csv', buffer: Buffer.from(table) }]);
  await page.getByText("We couldn't fetch this address: it answered 404.").waitFor();
  await page.getByText('2 of 3 products are ready').waitFor();
  // One address of two rows is fetched once.
  expect(asked.toSorted()).toEqual(['https://shop.example/gone.png', mug]);
  await press(page, 'Remove 1 row');
  await press(page, 'Next: check');
  await press(page, 'Make 2 images: 2 of your 100 left');
  await page.getByRole('button', { name: 'Make 2 images', exact: true }).click();
  await page.getByText('2 of 2 images done').waitFor();
});

test('the page of a large batch reads the rows in view, and shows any of them', async ({
  stack,
  openWindow,
}) => {
  const count = 3 * limits.batchRowsPage;
  const seller = await stack.seller();
  const { body } = await postBatch(seller, { rows: await sampleRows(count) });
  const { page, problems } = await openWindow();
  const read: number[] = [];
  page.on('response', (reply) => {
    const { pathname, searchParams } = new URL(reply.url());
    if (pathname === batchPaths.batchItems(body.id) && reply.ok())
      read.push(Number(searchParams.get('from')));
  });
  await openAs(stack, page, seller, `${pages.batches}/${body.id}`);
  await page.getByText('SKU-1 · Cup 1', { exact: true }).waitFor();
  await page.getByText('Not uploaded yet: cup.png').first().waitFor();
  expect(await layoutProblems(page, 'a large batch')).toEqual([]);
  expect(read).not.toContain(2 * limits.batchRowsPage);
  // Rows that were not shown yet may be higher than they were thought to be: then the end moves.
  const last = page.getByText(`SKU-${count} · Cup ${count}`, { exact: true });
  await expect
    .poll(async () => {
      await page.keyboard.press('End');
      return last.isVisible();
    }, eventually)
    .toBe(true);
  expect(read).toContain(2 * limits.batchRowsPage);
  // So does the beginning, while rows above are measured.
  await expect
    .poll(async () => {
      await page.keyboard.press('Home');
      return page.evaluate('scrollY');
    }, eventually)
    .toBe(0);
  await page.getByText('SKU-1 · Cup 1', { exact: true }).waitFor();
  expect(problems).toEqual([]);
});

test('an upload for which there is no room says so, and goes on when there is', async ({
  stack,
  openWindow,
}) => {
  const seller = await stack.seller();
  const folder = await batchFolder(3);
  const { body: other } = await postBatch(seller, { rows: await sampleRows(1) });
  const { page } = await openWindow();
  await openAs(stack, page, seller, `${pages.batches}/new`);
  const input = (name: string) => page.locator(`input[aria-label="${name}"]`);
  await input('Choose a table').setInputFiles(join(folder, 'autumn.csv'));
  await page.getByText('0 of 3 products are ready').waitFor();
  await input('Choose a folder').setInputFiles(join(folder, 'photos'));
  await press(page, 'Remove 1 row');
  await page.route('**/api/batches/*/photos/*', async (route) => {
    await stack.models.batches.updateOne({ _id: other.id }, { bytes: limits.unstartedBytes });
    await route.continue();
  });
  await press(page, 'Next: check');
  await press(page, 'Make 3 images: 3 of your 100 left');
  await page.getByRole('button', { name: 'Make 3 images', exact: true }).click();
  await page
    .getByText(
      'Photos and tables of batches that are not started can take up 8 GB. Start or delete one of them first.',
    )
    .waitFor();
  await page.unrouteAll();
  await seller.request(batchPaths.batch(other.id), { method: 'DELETE' });
  await page.getByText('2 photos are missing.').waitFor();
  await input('Choose a folder').setInputFiles(join(folder, 'photos'));
  await page.getByRole('heading', { name: 'Finished' }).waitFor();
});

interface Case {
  /** Of the button that opens the dialog, and of the one in it. */
  opens: string;
  confirms: string;
  /** What the request of the dialog is sent to. */
  path: string;
  /** @returns the page where the dialog is, and makes what it is about */
  prepare(stack: TestStack, seller: Seller): Promise<string>;
  /** Goes on from the page to the button. */
  fill?(page: Page): Promise<void>;
}

const cases: Record<string, Case> = {
  'cancels the rest of a batch': {
    opens: 'Cancel the rest',
    confirms: 'Cancel the rest',
    path: '**/cancel*',
    async prepare(stack, seller) {
      await stack.images.set({ behaviours: [{ kind: 'hold' }] });
      return `${pages.batches}/${await startedBatch(seller, await sampleRows(1))}`;
    },
  },
  'deletes a batch': {
    opens: 'Delete batch',
    confirms: 'Delete batch',
    path: `**${batchPaths.batches}/*`,
    async prepare(_stack, seller) {
      const id = await startedBatch(seller, await sampleRows(1));
      await expect.poll(async () => (await readBatch(seller, id)).state, eventually).toBe('ended');
      return `${pages.batches}/${id}`;
    },
  },
  'deletes a batch that was not uploaded': {
    opens: 'Delete batch',
    confirms: 'Delete batch',
    path: `**${batchPaths.batches}/*`,
    async prepare(_stack, seller) {
      const { body } = await postBatch(seller, { rows: await sampleRows(1) });
      return `${pages.batches}/${body.id}`;
    },
  },
  'makes a batch': {
    opens: 'Make 4 images: 4 of your 100 left',
    confirms: 'Make 4 images',
    path: `**${batchPaths.batches}*`,
    prepare: async () => `${pages.batches}/new`,
    async fill(page) {
      const folder = await batchFolder(3);
      const input = (name: string) => page.locator(`input[aria-label="${name}"]`);
      await input('Choose a table').setInputFiles(join(folder, 'autumn.csv'));
      await page.getByText('0 of 3 products are ready').waitFor();
      await input('Choose a folder').setInputFiles(join(folder, 'photos'));
      await press(page, 'Remove photo Product 4.PNG of row 3');
      await press(page, 'Choose photos of row 3');
      await page.getByRole('checkbox', { name: 'product-3.png' }).check();
      await press(page, 'Use these photos');
      await press(page, 'Next: check');
    },
  },
};

for (const [what, { opens, confirms, path, prepare, fill }] of Object.entries(cases)) {
  test(`the dialog that ${what} stays open when it is refused, and closes when it is done`, async ({
    stack,
    openWindow,
  }) => {
    const seller = await stack.seller();
    const address = await prepare(stack, seller);
    const { page } = await openWindow();
    await openAs(stack, page, seller, address);
    await fill?.(page);
    let refusals = 0;
    await page.route(path, async (route) => {
      if (route.request().method() === 'GET' || refusals > 0) return route.fallback();
      refusals += 1;
      const error = { code: 'UNAVAILABLE', message: 'Not this time.', requestId: '0'.repeat(32) };
      await route.fulfill({ status: 503, json: { error } });
    });
    await page.getByRole('button', { name: opens, exact: true }).click();
    const confirm = dialog(page).getByRole('button', { name: confirms, exact: true });
    await confirm.click();
    await dialog(page).getByRole('alert').getByText('Not this time.').waitFor();
    await confirm.click();
    await dialog(page).waitFor({ state: 'detached' });
    expect(await page.getByText('Not this time.').count()).toBe(0);
    await stack.images.release();
  });
}
