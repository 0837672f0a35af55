/** The export shows each file before it is saved: the bytes that are shown are those that are saved, with marks where they belong. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import type { Download, Page } from 'playwright-core';
import { expect, onTestFinished, vi } from 'vitest';
import { paths, type RuleMark } from '#contract';
import { openAs } from '#tests/support/account-steps.ts';
import { everyLook, layoutProblems } from '#tests/support/browser.ts';
import { type OpenWindow, testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { fetchExport, pictureOf } from '#tests/support/export-pictures.ts';
import { insertImage } from '#tests/support/finished-images.ts';
import { eventually } from '#tests/support/harness.ts';
import { keyboardPerson } from '#tests/support/keyboard.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { openExport } from '#tests/support/studio-page.ts';
import { towel } from '#tests/support/whitened-pictures.ts';

const test = testWithStackAndBrowser();

/** Keeps what an address of a page was made of, and whether it still works. */
const keepAddresses = `{
  const { createObjectURL, revokeObjectURL } = URL;
  globalThis.addresses = new Map();
  URL.createObjectURL = (blob) => {
    const url = createObjectURL.call(URL, blob);
    addresses.set(url, { blob, isOpen: true });
    return url;
  };
  URL.revokeObjectURL = (url) => {
    if (addresses.has(url)) addresses.get(url).isOpen = false;
    revokeObjectURL.call(URL, url);
  };
}`;

/** What is used of a page's window. */
interface StyledPage {
  getComputedStyle(element: unknown): { borderTopStyle: string };
}

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Export' });
const pictureIn = (page: Page) => dialogOf(page).getByRole('img', { name: /^The file for/ });
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** The hash of the file that is shown. */
async function shownHash(page: Page): Promise<string> {
  const url = await pictureIn(page).getAttribute('src');
  return page.evaluate<string>(`addresses.get(${JSON.stringify(url)}).blob.arrayBuffer()
    .then((bytes) => crypto.subtle.digest('SHA-256', bytes))
    .then((hash) => [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join(''))`);
}

async function save(page: Page, name: string): Promise<Download> {
  const button = dialogOf(page).getByRole('button', { name });
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return download;
}

/** Counts the renderings of a test's stack. */
function countRenderings(stack: TestStack) {
  const render = vi.spyOn(stack.server.context.decoder, 'export');
  onTestFinished(() => void render.mockRestore());
  return render;
}

/** Opens the export of an image. */
async function openExportOf(
  { stack, openWindow }: { stack: TestStack; openWindow: OpenWindow },
  { file, seller, deviceScaleFactor = 1 }: { file: Buffer; seller?: Seller; deviceScaleFactor?: number },
) {
  const owner = seller ?? (await stack.seller());
  const { _id: id } = await insertImage(stack, owner, { form: { productName: 'Tea Cups' }, file });
  const { page, problems } = await openWindow({ viewport: { width: 1_440, height: 900 }, deviceScaleFactor });
  await page.addInitScript(keepAddresses);
  await openAs(stack, page, owner, `/dashboard?generation=${id}`);
  await page.getByRole('link', { name: 'Download', exact: true }).waitFor();
  const renderings = countRenderings(stack);
  await openExport(page);
  await pictureIn(page).waitFor();
  return { page, problems, id, owner, renderings };
}

test('what is shown is what is saved, made once, and let go when the export is closed', async ({
  stack,
  openWindow,
}) => {
  const opened = await openExportOf({ stack, openWindow }, { file: await pictureOf('square', 0.5) });
  const { page, problems, renderings } = opened;
  const shown = await shownHash(page);
  const download = await save(page, 'Download file');
  expect(download.suggestedFilename()).toMatch(/^Tea-Cups-amazon-main-.*\.jpg$/);
  expect(hashOf(await readFile(await download.path()))).toBe(shown);
  expect(renderings).toHaveBeenCalledTimes(1);
  // Another name is no other file, nor is a format that was left out for a moment.
  const dialog = dialogOf(page);
  await dialog.getByLabel('File names').selectOption({ label: 'Amazon: B000123456.MAIN' });
  await dialog.getByLabel('Amazon main image').uncheck();
  await dialog.getByText('Choose at least one format.').waitFor();
  await dialog.getByLabel('Amazon main image').check();
  await pictureIn(page).waitFor();
  const again = await save(page, 'Download file');
  expect(again.suggestedFilename()).toBe('Tea-Cups.MAIN.jpg');
  expect(hashOf(await readFile(await again.path()))).toBe(shown);
  expect(renderings).toHaveBeenCalledTimes(1);

  const url = await pictureIn(page).getAttribute('src');
  const isOpen = () => page.evaluate(`addresses.get(${JSON.stringify(url)}).isOpen`);
  expect(await isOpen()).toBe(true);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await isOpen()).toBe(false);
  // Nothing of it is left: it is made anew.
  await openExport(page);
  await pictureIn(page).waitFor();
  expect(renderings).toHaveBeenCalledTimes(2);
  expect(problems).toEqual([]);
});

test('several files are gone through, and a ZIP has those that were shown', async ({ stack, openWindow }) => {
  const opened = await openExportOf({ stack, openWindow }, { file: await pictureOf('square', 0.5) });
  const { page, problems, renderings } = opened;
  const dialog = dialogOf(page);
  for (const format of ['eBay', 'Etsy']) await dialog.getByLabel(format).check();
  await dialog.getByRole('heading', { name: 'Etsy' }).waitFor();
  const hashes: string[] = [];
  const [previous, next] = ['Previous file', 'Next file'].map((name) => dialog.getByRole('button', { name }));
  for (const name of ['eBay', 'Amazon main image']) {
    await previous!.click();
    await dialog.getByRole('heading', { name }).waitFor();
  }
  expect(await previous!.getAttribute('aria-disabled')).toBe('true');
  for (const [index, name] of ['Amazon main image', 'eBay', 'Etsy'].entries()) {
    if (index > 0) await next!.click();
    await dialog.getByRole('heading', { name }).waitFor();
    await pictureIn(page)
      .and(page.getByAltText(`The file for ${name}`))
      .waitFor();
    hashes.push(await shownHash(page));
  }
  expect(new Set(hashes).size).toBe(3);
  expect(await layoutProblems(page, 'the export', '[role=dialog]', everyLook)).toEqual([]);
  const zip = unzipSync(await readFile(await (await save(page, 'Download 3 files (ZIP)')).path()));
  expect(Object.keys(zip).map((name) => name.replace(/-\d{4}-.*/, ''))).toEqual([
    'Tea-Cups-amazon-main',
    'Tea-Cups-ebay',
    'Tea-Cups-etsy',
  ]);
  expect(Object.values(zip).map(hashOf)).toEqual(hashes);
  expect(renderings).toHaveBeenCalledTimes(3);
  expect(problems).toEqual([]);
});

test('of many files those that are looked at are made, and no file twice for the ZIP', async ({
  stack,
  openWindow,
}) => {
  const seller = await stack.seller();
  const [first] = await seller.submitSet(4, { productName: 'Coffee cup' });
  await expect
    .poll(async () => (await seller.generations()).filter(({ image }) => image).length, eventually)
    .toBe(4);
  const { page, problems } = await openWindow({ viewport: { width: 1_440, height: 900 } });
  await openAs(stack, page, seller, `/dashboard?generation=${first!.id}`);
  await page.getByRole('link', { name: 'Download', exact: true }).waitFor();
  const renderings = countRenderings(stack);
  await openExport(page);
  const dialog = dialogOf(page);
  await pictureIn(page).waitFor();
  // Few are made ahead, so that all of their rules are seen.
  for (const name of ['Image 2', 'Image 3', 'Image 4'])
    await dialog.getByLabel(name, { exact: true }).check();
  await expect.poll(() => renderings.mock.calls.length, eventually).toBe(4);
  await dialog.getByText('4 files break a rule').waitFor();
  await dialog.getByLabel('Etsy').check();
  await page.getByAltText('The file for Etsy, Image 1').waitFor();
  await dialog.getByRole('button', { name: 'Next file' }).click();
  await page.getByAltText('The file for Amazon main image, Image 2').waitFor();
  await dialog.getByRole('button', { name: 'Next file' }).click();
  await page.getByAltText('The file for Etsy, Image 2').waitFor();
  expect(renderings).toHaveBeenCalledTimes(6);
  const zip = unzipSync(await readFile(await (await save(page, 'Download 8 files (ZIP)')).path()));
  expect(Object.keys(zip)).toHaveLength(8);
  expect(renderings).toHaveBeenCalledTimes(8);
  expect(problems).toEqual([]);
});

/** How far marks are from where the renderer measured them, at most, and where the picture is. */
async function placesOf(page: Page, marks: readonly RuleMark[], side: number) {
  const shown = (await pictureIn(page).boundingBox())!;
  const scale = shown.width / side;
  let off = 0;
  for (const { kind, left, top, width, height } of marks) {
    const seen = (await dialogOf(page).locator(`[data-mark=${kind}]`).boundingBox())!;
    const differences = [
      seen.x - shown.x - left * scale,
      seen.y - shown.y - top * scale,
      seen.width - width * scale,
      seen.height - height * scale,
    ];
    off = Math.max(off, ...differences.map(Math.abs));
  }
  return { off, scale, x: Math.round(shown.x), y: Math.round(shown.y) };
}

test.for([1, 2])(
  'on a screen of density %i the file is shown pixel by pixel, and marks stay where the renderer measured them',
  async (density, { stack, openWindow }) => {
    const file = await pictureOf('square', 0.5);
    const opened = await openExportOf({ stack, openWindow }, { file, deviceScaleFactor: density });
    const { page, problems, owner, id } = opened;
    const dialog = dialogOf(page);
    const { check } = await fetchExport(owner, { images: id, presets: 'amazon-main' });
    const marks = check.rules.flatMap((rule) => rule.marks);
    expect(marks.map(({ kind }) => kind)).toEqual(['wanted', 'measured', 'failing']);
    /** Waits until the picture is somewhere, with its marks: both move in the next frame. */
    const expectPlace = async (isThere: (place: { scale: number; x: number; y: number }) => boolean) => {
      let place = { off: 0, scale: 0, x: 0, y: 0 };
      const read = async () => {
        place = await placesOf(page, marks, check.width);
        return isThere(place) && place.off <= 1.5 ? 'there' : JSON.stringify(place);
      };
      await expect.poll(read, eventually).toBe('there');
      return place;
    };
    const isScale = (wanted: number) => (place: { scale: number }) => Math.abs(place.scale - wanted) < 0.001;
    const pane = dialog.getByRole('group', { name: /^The file\. / });
    const frame = (await pane.boundingBox())!;
    const fitted = await expectPlace(({ scale }) => scale * check.height <= frame.height + 0.5);

    await dialog.getByRole('button', { name: '100 %' }).click();
    await dialog.getByText('Shown at 100 %').waitFor();
    const whole = await expectPlace(isScale(1 / density));
    await pane.focus();
    await page.keyboard.press('ArrowRight');
    const byKey = await expectPlace(({ x }) => x < whole.x);
    const [x, y] = [frame.x + frame.width / 2, frame.y + frame.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 40, y + 30, { steps: 4 });
    await page.mouse.up();
    const byDrag = await expectPlace((place) => place.x === byKey.x + 40 && place.y === byKey.y + 30);
    await page.mouse.wheel(0, 60);
    // By how much, the browser decides on a dense screen.
    await expectPlace((place) => place.y < byDrag.y);
    await dialog.getByRole('button', { name: '200 %' }).click();
    await dialog.getByText('Shown at 200 %').waitFor();
    await expectPlace(isScale(2 / density));
    await pane.focus();
    await page.keyboard.press('0');
    await dialog.getByRole('button', { name: 'Fit', pressed: true }).waitFor();
    await expectPlace(isScale(fitted.scale));
    expect(problems).toEqual([]);
  },
);

test('marks are read, told apart without colours, and switched off, with the keyboard alone', async ({
  stack,
  openWindow,
}) => {
  const { page } = await openWindow({ viewport: { width: 1_440, height: 900 }, forcedColors: 'active' });
  const { focused, press, tabTo, expectFocus } = await keyboardPerson(page);
  const seller = await stack.seller();
  const { _id: id } = await insertImage(stack, seller, { file: await towel(3, 4) });
  await openAs(stack, page, seller, `/dashboard?generation=${id}`);
  const button = page.getByRole('button', { name: 'Other formats' });
  await button.waitFor();
  await button.focus();
  await press('Enter');
  await expectFocus(/^menuitem "PNG/);
  await press('End');
  await expectFocus(/^menuitem "Export…/);
  await press('Enter');
  const dialog = dialogOf(page);
  const marks = dialog.getByRole('list', { name: 'Rule marks' });
  // What is as white as what is around it: where, and what can be done.
  await marks.getByText('Background, fails: Hard to tell from white').waitFor();
  await marks.getByText('Product size, wanted: At least 85 % of the frame').waitFor();
  const rules = dialog.getByRole('region', { name: 'What the rules say' });
  await rules.getByText('“a visible edge and a soft shadow”').waitFor();
  const lines = await Promise.all(
    ['wanted', 'failing'].map((kind) =>
      dialog
        .locator(`[data-mark=${kind}]`)
        .first()
        .evaluate((mark) => (globalThis as unknown as StyledPage).getComputedStyle(mark).borderTopStyle),
    ),
  );
  expect(lines).toEqual(['dashed', 'double']);

  await tabTo(/^group "The file\. Plus and minus zoom/);
  const before = await pictureIn(page).boundingBox();
  await press('+');
  await press('ArrowDown');
  await expect
    .poll(async () => (await pictureIn(page).boundingBox())!.width, eventually)
    .toBeGreaterThan(before!.width);
  await tabTo(/^button "100 %"/);
  await press('Enter');
  expect(await focused()).toMatch(/^button "100 %" pressed/);
  await tabTo(/^switch "Rule marks"/);
  await press('Space');
  await marks.waitFor({ state: 'detached' });
  await tabTo(/^button "Download file"/);
  const [download] = await Promise.all([page.waitForEvent('download'), press('Enter')]);
  expect(download.suggestedFilename()).toMatch(/\.jpg$/);
  expect(await focused()).toMatch(/^button "Download file"/);
  await press('Escape');
  await expectFocus(/^button "Other formats"/);
});

test('a file that cannot be made now says why, and is made when it is asked for again', async ({
  stack,
  openWindow,
}) => {
  const { page } = await openExportOf({ stack, openWindow }, { file: await pictureOf('square', 0.25) });
  const dialog = dialogOf(page);
  await page.route(`**${paths.exportFile}?*presets=ebay*`, (route) =>
    route.fulfill({
      status: 429,
      contentType: 'application/json',
      body: JSON.stringify({ error: { code: 'TOO_MANY_DOWNLOADS', message: 'Too many downloads.' } }),
    }),
  );
  await dialog.getByLabel('eBay').check();
  await dialog.getByText('Too many downloads.').waitFor();
  await dialog.getByRole('button', { name: 'Download 2 files (ZIP)' }).click();
  await expect.poll(() => dialog.getByText('Too many downloads.').count(), eventually).toBe(2);
  await page.unroute(`**${paths.exportFile}?*presets=ebay*`);
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await pictureIn(page).waitFor();
  const zip = unzipSync(await readFile(await (await save(page, 'Download 2 files (ZIP)')).path()));
  expect(Object.keys(zip)).toHaveLength(2);
  expect(await dialog.getByText('Too many downloads.').count()).toBe(0);
});

test('the quick export renders its file once', async ({ stack, openWindow }) => {
  const seller = await stack.seller();
  const { _id: id } = await insertImage(stack, seller, { file: await pictureOf('portrait', 0.25) });
  const { page } = await openWindow({ viewport: { width: 1_440, height: 900 } });
  await openAs(stack, page, seller, `/dashboard?generation=${id}`);
  const button = page.getByRole('button', { name: 'Amazon main image' });
  await button.waitFor();
  const renderings = countRenderings(stack);
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  await page.getByText(/^Amazon main image may be refused: background/).waitFor();
  const { file } = await fetchExport(seller, { images: id, presets: 'amazon-main' });
  expect(hashOf(await readFile(await download.path()))).toBe(hashOf(file));
  // The other one is the test's own.
  expect(renderings).toHaveBeenCalledTimes(2);
});
