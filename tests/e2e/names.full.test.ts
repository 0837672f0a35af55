/** Hebrew and Arabic names, which end with a number or a parenthesis, on every page that shows them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { defaultOptions, paths } from '#contract';
import { dialog, openAs } from '#tests/support/account-steps.ts';
import { postBatch, sampleRows, startedBatch } from '#tests/support/batches.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { directionProblems } from '#tests/support/name-direction.ts';
import { operatorOf } from '#tests/support/operator.ts';
import { press } from '#tests/support/page-steps.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { description, openExport, openForm, openOptions, picker } from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser();

const product = 'כד חרס גדול בעבודת יד עם ידיות ומכסה (דגם 12)';
const sku = 'מק״ט-12';
const scene = 'על שולחן עץ (בוקר)';
const project = 'מבצעי קיץ 2026 (1)';
const batch = 'مجموعة الخريف (3)';
const look = 'אור רך (2)';
const fullName = 'דנה לוי';
const photo = 'צילום (1)';
const missingPhoto = 'אין';
/** The product and the SKU as they are in file names. */
const fileNames = ['כד-חרס-גדול-בעבודת-יד-עם-ידיות-ומכסה-דגם-12', 'מק-ט-12'];
const names = [product, sku, scene, project, batch, look, fullName, photo, missingPhoto, ...fileNames];

/** A seller with a finished image, a project, a look and a batch that have such names. */
async function sellerWithNames(stack: TestStack) {
  const seller = await stack.seller();
  const send = async <Body>(method: string, path: string, body: object) => {
    const init = { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const reply = await seller.request<Body>(path, init);
    if (reply.status >= 300)
      throw new Error(`${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  await send('PATCH', paths.me, { fullName });
  const { id: projectId } = await send<{ id: string }>('POST', paths.projects, { name: project });
  const { style, background, negativePrompt, width, height } = defaultOptions;
  await send('POST', paths.looks, { name: look, scene, style, background, negativePrompt, width, height });
  const takes = await seller.submitSet(2, {
    prompt: scene,
    productName: product,
    fields: [['projectId', projectId]],
  });
  for (const { id } of takes) {
    await expect.poll(async () => (await seller.generation(id)).state).toBe('succeeded');
    await send('PATCH', paths.generation(id), { sku });
  }
  const rows = await sampleRows(1, { sku, name: product, prompt: scene });
  const photos = rows[0]!.photos.map((each) => ({ ...each, name: `${photo}.png` }));
  const batchId = await startedBatch(seller, [{ ...rows[0]!, photos }], batch);
  const waiting = await postBatch(seller, { name: batch, rows: [{ ...rows[0]!, photos }] });
  return { seller, projectId, batchId, waitingBatchId: waiting.body.id, generationId: takes[0]!.id };
}

/** Opens pages and checks each, at the width of a desktop and of a phone. */
function checker(stack: TestStack, page: Page, seller: Seller) {
  const found: string[] = [];
  const check = async (where: string, part = 'html') => {
    found.push(...(await directionProblems(page, where, names)));
    found.push(...(await layoutProblems(page, where, part)));
    await page.setViewportSize({ width: 1280, height: 900 });
  };
  const open = async (path: string, shown: string) => {
    await openAs(stack, page, seller, path);
    await page.getByText(shown).first().waitFor();
    await check(path);
  };
  return { found, check, open };
}

test('names keep their direction in the studio', async ({ stack, openWindow }) => {
  const { seller, generationId } = await sellerWithNames(stack);
  const { page, problems } = await openWindow();
  const { found, check, open } = checker(stack, page, seller);
  await open(`/dashboard?generation=${generationId}`, product);
  await page.getByText('Scene and photos').click();
  await check('scene and photos');
  await press(page, 'More');
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await dialog(page).waitFor();
  await check('rename', '[role=dialog]');
  await page.keyboard.press('Escape');
  await openExport(page);
  await dialog(page).waitFor();
  await check('export', '[role=dialog]');
  await page.keyboard.press('Escape');
  await seller.submitSet(2, { prompt: scene, productName: product });
  await press(page, 'Finished images');
  await check('tray', '[role=dialog]');
  await page.keyboard.press('Escape');
  await openForm(page);
  await openOptions(page);
  await press(page, 'Looks');
  await dialog(page).getByText(look).waitFor();
  await check('looks', '[role=dialog]');
  await press(page, /^Edit/);
  await check('edit look', '[role=dialog]');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await picker(page).setInputFiles([
    { name: `${photo}.png`, mimeType: 'image/png', buffer: await samplePhoto() },
    { name: `${photo}.jpg`, mimeType: 'image/jpeg', buffer: Buffer.alloc(0) },
  ]);
  await page.getByText('is empty').first().waitFor();
  await description(page).fill(scene);
  await check('a refused photo');
  await press(page, 'Clear');
  await description(page).fill('');
  await page.getByRole('region', { name: 'Scenes' }).getByRole('button', { name: look }).click();
  await page.getByText('applied').waitFor();
  await check('a look was applied');
  await press(page, /^Account of/);
  await page.getByRole('menuitem', { name: 'Profile' }).waitFor();
  await check('account menu', '[role=menu]');
  await page.keyboard.press('Escape');
  await press(page, /^Notifications/);
  await page.getByText('Your batch is done').waitFor();
  await check('notifications', '[role=dialog]');
  expect(found).toEqual([]);
  expect(problems).toEqual([]);
});

test('names keep their direction in the library, in projects and on the account pages', async ({
  stack,
  openWindow,
}) => {
  const { seller, projectId } = await sellerWithNames(stack);
  const { page, problems } = await openWindow();
  const { found, check, open } = checker(stack, page, seller);
  await open('/library', product);
  await page.getByRole('gridcell').first().focus();
  await page.keyboard.press('Space');
  await press(page, 'Move');
  await check('move images', '[role=dialog]');
  await open('/projects', project);
  await open(`/projects/${projectId}`, product);
  await page.getByRole('checkbox').first().check();
  await check('images to move');
  await press(page, 'Rename');
  await check('rename project', '[role=dialog]');
  await page.keyboard.press('Escape');
  await press(page, 'Delete');
  await check('delete project', '[role=dialog]');
  await open('/profile', fullName);
  await open('/profile/usage', product);
  expect(found).toEqual([]);
  expect(problems).toEqual([]);
});

test('names keep their direction in batches', async ({ stack, openWindow }) => {
  const { seller, batchId, waitingBatchId } = await sellerWithNames(stack);
  const { page, problems } = await openWindow();
  const { found, check, open } = checker(stack, page, seller);
  const folder = await mkdtemp(join(tmpdir(), 'packshot-names-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const table = join(folder, `${batch}.csv`);
  await writeFile(
    table,
    `SKU;Name;Photos;Scene;Look;Template;Size;צבע\r\n${sku};${product};${photo};${scene};${look};;\r\n${sku};${product};${missingPhoto};${scene};אחר;אחר;אחר;אדום`,
  );
  await open('/batch', batch);
  await open(`/batch/${batchId}`, product);
  await open(`/batch/${waitingBatchId}`, product);
  await open('/batch/new', 'Paste from a spreadsheet');
  const input = (name: string) => page.locator(`input[aria-label="${name}"]`);
  const file = { name: `${photo}.png`, mimeType: 'image/png', buffer: await samplePhoto() };
  await input('Choose a table').setInputFiles([table]);
  await page.getByText('Which column is which?').waitFor();
  await check('the columns of a table', '[role=dialog]');
  await press(page, 'Use this table');
  await page.getByText('of 2 products are ready').waitFor();
  await input('Choose photos').setInputFiles([file]);
  await page.getByText('1 of 2 products').waitFor();
  await check('the table');
  await press(page, 'Choose photos of row 1');
  await check('the photos of a row', '[role=dialog]');
  await page.keyboard.press('Escape');
  await input('Choose a table').setInputFiles([
    { name: `${photo}.txt`, mimeType: 'text/plain', buffer: Buffer.from('') },
  ]);
  await page.getByText('This table is empty').waitFor();
  await check('a table that is refused');
  expect(found).toEqual([]);
  expect(problems).toEqual([]);
});

test("names keep their direction on the operator's pages", async ({ stack, openWindow }) => {
  const { seller, generationId } = await sellerWithNames(stack);
  const { page, problems } = await openWindow();
  const { found, open } = checker(stack, page, await operatorOf(stack));
  await open(`/operator/sellers/${seller.id}`, fullName);
  await open(`/operator/sellers?query=${encodeURIComponent(seller.email)}`, fullName);
  await open(`/operator/generations/${generationId}`, product);
  expect(found).toEqual([]);
  expect(problems).toEqual([]);
});
