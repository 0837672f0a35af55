/** Images in the studio and in the library: renamed, marked, deleted, found. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { limits, paths } from '#contract';
import { newId } from '#shared/data/db.ts';
import { openAs } from '#tests/support/account-steps.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';
import { contentRefused } from '#tests/support/provider-calls.ts';
import { rowDefaults, sampleDate } from '#tests/support/sample-rows.ts';
import {
  chooseCount,
  fillInStudio,
  generate,
  openForm,
  openOptions,
  openStudio,
} from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser();
test.beforeEach(({ stack }) => stack.images.reset());

const download = (page: Page) => page.getByRole('link', { name: 'Download', exact: true });
const tiles = (page: Page, name: string) =>
  page.getByRole('region', { name: /Earlier images|Images of this product/ }).getByRole('button', { name });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** What is used of a page's window. */
interface StyledPage {
  getComputedStyle(element: unknown): Record<string, string>;
}

/** Chooses an action in the menu of the finished image with the keyboard. */
async function choose(page: Page, name: string): Promise<void> {
  await button(page, 'More').focus();
  await page.keyboard.press('ArrowDown');
  const item = page.getByRole('menuitem', { name, exact: true });
  await item.waitFor();
  await page.keyboard.type(name.slice(0, 4));
  await item.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
}

test('an image is renamed, marked and deleted; undoing brings it back, in every window', async ({
  stack,
  openWindow,
  finishedImage,
}) => {
  const { page, problems, seller } = await finishedImage();
  await tiles(page, 'Coffee cup').waitFor();
  const other = await openWindow();
  await openAs(stack, other.page, seller, '/dashboard');
  await tiles(other.page, 'Coffee cup').click();
  await download(other.page).waitFor();

  await choose(page, 'Rename');
  const name = page.getByRole('dialog').getByLabel('Product name');
  await name.and(page.locator(':focus')).waitFor();
  expect(await layoutProblems(page, 'rename')).toEqual([]);
  await name.fill('Blue cup');
  await page.keyboard.press('Enter');
  await tiles(page, 'Blue cup').waitFor();
  await button(page, 'More').and(page.locator(':focus')).waitFor();
  expect(await download(page).getAttribute('download')).toMatch(/^Blue-cup-/);
  await choose(page, 'Add to favourites');
  for (const window of [page, other.page]) await tiles(window, 'Favourite Blue cup').waitFor();
  expect(await layoutProblems(page, 'a favourite')).toEqual([]);

  await choose(page, 'Delete');
  const undo = button(page, 'Undo');
  await undo.and(page.locator(':focus')).waitFor();
  expect(await layoutProblems(page, 'deleted')).toEqual([]);
  for (const window of [page, other.page]) {
    await window.getByText("No images yet. They'll appear here.").waitFor();
    await download(window).waitFor({ state: 'detached' });
  }
  await other.page.getByRole('heading', { name: 'This image is in the trash' }).waitFor();
  await page.keyboard.press('Enter');
  await download(page).waitFor();
  for (const window of [page, other.page]) await tiles(window, 'Favourite Blue cup').waitFor();
  await undo.waitFor({ state: 'detached' });

  await choose(page, 'Delete');
  await undo.waitFor();
  await page.reload();
  await page.getByText("No images yet. They'll appear here.").waitFor();
  await page.getByText('99 of 100 left').first().waitFor();
  expect([...problems, ...other.problems]).toEqual([]);
});

test('the images of one product are looked for on a few pages, and on more of them only when asked', async ({
  stack,
  finishedImage,
}) => {
  const { page, seller, problems } = await finishedImage();
  // One of them, on the tenth page, is of the product that is shown.
  const others = Array.from({ length: 20 * limits.pageSize }, (_, index) => ({
    ...rowDefaults(newId()),
    profile: seller.id,
    product_name: index === 9.5 * limits.pageSize ? 'Coffee cup' : 'Oak chair',
    photos: [],
    state: 'succeeded' as const,
    created_at: new Date(sampleDate.getTime() - index * 1_000),
    queued_at: sampleDate,
    ended_at: sampleDate,
  }));
  await stack.models.generations.insertMany(others);
  // Those that are loaded are fetched again when the socket has connected.
  const cursors = new Set<string>();
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    const cursor = searchParams.get('cursor');
    if (pathname === paths.generations && cursor !== null) cursors.add(cursor);
  });
  await page.reload();
  await tiles(page, 'Coffee cup').waitFor();
  await page.waitForLoadState('networkidle');
  expect(cursors.size).toBe(4);
  await button(page, 'Show more').click();
  await expect.poll(() => tiles(page, 'Coffee cup').count(), eventually).toBe(2);
  await page.waitForLoadState('networkidle');
  expect(cursors.size).toBe(9);
  expect(await tiles(page, 'Oak chair').count()).toBe(0);
  // Of all images, those that are loaded are shown.
  await button(page, 'Clear').click();
  await expect.poll(() => tiles(page, 'Oak chair').count(), eventually).toBe(10 * limits.pageSize - 2);
  expect(problems).toEqual([]);
});

test('of a set, the others stay; what failed can be deleted too', async ({ stack, openWindow }) => {
  const { page, problems } = await openWindow();
  await openStudio(stack, page);
  await stack.images.set({ behaviours: [contentRefused] });
  await fillInStudio(page, 'On a wooden table');
  await chooseCount(page, 3);
  await generate(page);
  await page.getByText('2 of 3 images ready, 1 failed').first().waitFor();

  await page
    .getByRole('button', { name: /^Show image/ })
    .first()
    .click();
  await download(page).waitFor();
  await choose(page, 'Delete');
  await page.getByText('1 of 2 images ready, 1 failed').first().waitFor();
  await page.getByRole('button', { name: /^Show image/ }).click();
  await choose(page, 'Delete');
  // The one that failed is left.
  await button(page, 'Delete').waitFor();
  expect(await layoutProblems(page, 'a failed image')).toEqual([]);
  await button(page, 'Delete').click();
  await page.getByText("No images yet. They'll appear here.").waitFor();
  expect(problems).toEqual([]);
});

const tile = (page: Page, name: string) => page.getByRole('gridcell', { name });

test('a seller finds images, marks two with the keyboard, makes them favourites, deletes them and undoes that', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  const seller = await stack.seller();
  for (const productName of ['Oak chair', 'Blue mug', 'Red mug']) {
    const { id } = await seller.submit({ productName });
    await expect.poll(async () => (await seller.generation(id)).state).toBe('succeeded');
  }
  await openAs(stack, page, seller, '/library');
  await tile(page, 'Oak chair').waitFor();

  await page.getByLabel('Search by name, SKU or scene').fill('MUG');
  await tile(page, 'Oak chair').waitFor({ state: 'detached' });
  await page.waitForURL('**/library?q=MUG');
  await tile(page, 'Red mug').focus();
  await page.keyboard.press('Shift+ArrowRight');
  await tile(page, 'Blue mug').and(page.locator(':focus')).waitFor();
  await page.getByText('2 marked').waitFor();
  await button(page, 'Favourite').click();
  for (const name of ['Favourite Red mug', 'Favourite Blue mug']) await tile(page, name).waitFor();
  expect(await layoutProblems(page, 'the library')).toEqual([]);

  await button(page, 'Delete').click();
  await page.getByText('2 images moved to Trash.').waitFor();
  await page.getByText('No images match your search and filters.').waitFor();
  await button(page, 'Undo').and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await tile(page, 'Favourite Red mug').waitFor();
  await tile(page, 'Favourite Blue mug').waitFor();

  await page.reload();
  await tile(page, 'Blue mug').waitFor();
  expect(await tile(page, 'Oak chair').count()).toBe(0);
  await tile(page, 'Blue mug').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Download', exact: true }).waitFor();
  await page.goBack();
  await tile(page, 'Blue mug').and(page.locator(':focus')).waitFor();
  expect(await page.getByLabel('Search by name, SKU or scene').inputValue()).toBe('MUG');
  expect(problems).toEqual([]);
});

test('with forced colours, the bars show the current page, the tabs the current one, and an image that it is not marked', async ({
  stack,
  finishedImage,
}) => {
  const { page, problems } = await finishedImage({}, { forcedColors: 'active' });
  await page.goto(`${stack.url}/library`);
  const styles = (locator: Locator, ...names: string[]) =>
    locator.evaluate((element, wanted) => {
      const style = (globalThis as unknown as StyledPage).getComputedStyle(element);
      return wanted.map((name) => style[name]);
    }, names);
  const bar = page.getByRole('banner').getByRole('link', { name: 'Library' });
  await bar.waitFor();
  expect(await styles(bar, 'textDecorationLine')).toEqual(['underline']);
  const tabs = page.getByRole('navigation', { name: 'Library' }).getByRole('link');
  const [images, trash] = await Promise.all([0, 1].map((at) => styles(tabs.nth(at), 'borderBottomColor')));
  expect(trash).toEqual(['rgb(255, 255, 255)']);
  expect(images).not.toEqual(trash);
  const mark = page.locator('[data-mark] > span').first();
  const [tick, box] = await styles(mark, 'color', 'backgroundColor');
  expect(withoutAlpha(tick)).toBe(withoutAlpha(box));
  await mark.click();
  const [marked, markedBox] = await styles(mark, 'color', 'backgroundColor');
  expect(withoutAlpha(marked)).not.toBe(withoutAlpha(markedBox));
  expect(problems).toEqual([]);
});

/** The channels of a colour as the browser writes it. */
const withoutAlpha = (colour: string | undefined) => colour?.match(/\d+/g)?.slice(0, 3).join();

test('the projects and a project are accessible and fit the window', async ({ finishedImage }) => {
  const { page, problems } = await finishedImage();
  await openForm(page);
  await openOptions(page);
  await page.getByRole('link', { name: 'All projects' }).click();
  await page.getByRole('link', { name: /^Untitled Project 1 image/ }).waitFor();
  expect(await layoutProblems(page, 'projects')).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('link', { name: /^Untitled Project/ }).click();
  await page.getByRole('checkbox', { name: 'Mark Coffee cup' }).check();
  expect(await layoutProblems(page, 'a project')).toEqual([]);
  expect(problems).toEqual([]);
});
