/** The trash: what a seller deleted is there with its days, comes back, and is deleted for ever when that is confirmed. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { limits, paths } from '#contract';
import { dialog, heading, openAs } from '#tests/support/account-steps.ts';
import { everyLook, layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { newImage } from '#tests/support/finished-images.ts';
import { eventually } from '#tests/support/harness.ts';
import type { Seller } from '#tests/support/seller.ts';

const test = testWithStackAndBrowser({ workers: 0 });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const tile = (page: Page, name: string) => page.getByRole('gridcell', { name });
const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Library' }).getByRole('link', { name });
const remove = (seller: Seller, id: string) => seller.request(paths.generation(id), { method: 'DELETE' });
const empty = (page: Page) => page.getByText('The trash is empty.').waitFor();

test('deleted images are in the trash, with days left; restored ones are in the library of every window', async ({
  stack,
  openWindow,
}) => {
  const seller = await stack.seller();
  for (const productName of ['Oak chair', 'Blue mug', 'Red mug'])
    await newImage(stack, seller, { productName });
  const { page, problems } = await openWindow();
  const other = await openWindow();
  await openAs(stack, page, seller, '/library');

  await tile(page, 'Blue mug').focus();
  await page.keyboard.press('Space');
  await tile(page, 'Red mug').focus();
  await page.keyboard.press('Space');
  await button(page, 'Delete').click();
  await page.getByText('2 images moved to Trash.').waitFor();
  await button(page, 'Undo').click();
  await tile(page, 'Red mug').waitFor();
  await openAs(stack, other.page, seller, '/library/trash');
  await empty(other.page);
  expect(await button(other.page, 'Empty trash').count()).toBe(0);
  await tile(page, 'Red mug').focus();
  await page.keyboard.press('Control+a');
  await button(page, 'Delete').click();
  await page.getByText('3 images moved to Trash.').waitFor();

  // The other window is told.
  await button(other.page, 'Restore Oak chair').waitFor();
  await tab(page, 'Trash 3').click();
  await heading(page, 'Trash');
  await page.getByText(/^3 images, /).waitFor();
  expect(await page.getByText(`${limits.trashDays} days left`).count()).toBe(3);
  expect(await layoutProblems(page, 'the trash', undefined, everyLook)).toEqual([]);
  await button(page, 'Restore Blue mug').click();
  await page.getByText('1 image restored to your library.').waitFor();
  for (const window of [page, other.page]) {
    await button(window, 'Restore Blue mug').waitFor({ state: 'detached' });
    await tab(window, 'Trash 2').waitFor();
  }
  // What had the focus is gone: it is not at the beginning of the page.
  await page
    .getByText(/^2 images, /)
    .and(page.locator(':focus'))
    .waitFor();
  await tab(page, 'Images').click();
  await tile(page, 'Blue mug').waitFor();
  expect((await seller.generations()).map(({ productName }) => productName)).toEqual(['Blue mug']);
  expect([...problems, ...other.problems]).toEqual([]);
});

test('deleting for ever asks first; several are restored at once; emptying spares what another window deletes then', async ({
  stack,
  openWindow,
}) => {
  const seller = await stack.seller();
  const ids: string[] = [];
  for (const productName of ['Chair', 'Mug', 'Lamp', 'Shoe', 'Vase'])
    ids.push((await newImage(stack, seller, { productName })).id);
  for (const id of ids.slice(0, 4)) await remove(seller, id);
  const { page, problems } = await openWindow();
  await openAs(stack, page, seller, '/library/trash');
  await button(page, 'Delete Chair for ever').click();
  await dialog(page).getByText('Delete this image for ever?').waitFor();
  expect(await layoutProblems(page, 'asked')).toEqual([]);
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await button(page, 'Restore Chair').waitFor();
  await button(page, 'Delete Chair for ever').click();
  await dialog(page).getByRole('button', { name: 'Delete for ever' }).dblclick();
  await button(page, 'Restore Chair').waitFor({ state: 'detached' });
  await dialog(page).waitFor({ state: 'detached' });

  for (const name of ['Mug', 'Lamp']) await page.getByRole('checkbox', { name: `Mark ${name}` }).check();
  await page.getByText('2 marked').waitFor();
  await page.getByRole('region', { name: 'Marked images' }).getByRole('button', { name: 'Restore' }).click();
  await page.getByText('2 images restored to your library.').waitFor();

  await button(page, 'Empty trash').click();
  await dialog(page).getByText('1 image will be deleted for ever.').waitFor();
  await remove(seller, ids[4]!);
  await dialog(page).getByRole('button', { name: 'Empty trash' }).click();
  await page.getByText('1 image deleted for ever.').waitFor();
  await button(page, 'Restore Vase').waitFor();
  expect(await button(page, 'Restore Shoe').count()).toBe(0);
  expect((await seller.generations()).map(({ productName }) => productName).sort()).toEqual(['Lamp', 'Mug']);
  expect(problems).toEqual([]);
});

test('what another window deleted for ever meanwhile cannot be restored, and the page says so', async ({
  stack,
  openWindow,
}) => {
  const seller = await stack.seller();
  const { id } = await newImage(stack, seller, { productName: 'Chair' });
  await remove(seller, id);
  const { page } = await openWindow();
  await openAs(stack, page, seller, '/library/trash');
  // It is deleted while the request is under way.
  await page.route(`**${paths.restoreGeneration(id)}`, async (route) => {
    await seller.request(paths.trashed(id), { method: 'DELETE' });
    await route.continue();
  });
  await button(page, 'Restore Chair').click();
  await page.getByText('1 image could not be restored. This image was deleted for ever').waitFor();
  await empty(page);
});

test('a link to an image in the trash says so, and restores it; one to an image that is gone says that', async ({
  stack,
  openWindow,
}) => {
  const seller = await stack.seller();
  const { id } = await newImage(stack, seller, { productName: 'Oak chair' });
  const link = `/dashboard?generation=${id}`;
  const { page, problems } = await openWindow();
  const inTrash = page.getByRole('heading', { name: 'This image is in the trash' });
  await openAs(stack, page, seller, link);
  await button(page, 'Full screen').waitFor();
  // While it is shown, another window deletes it.
  await remove(seller, id);
  await inTrash.waitFor();
  await page.reload();
  await inTrash.waitFor();
  await page.getByText(`Oak chair. ${limits.trashDays} days left.`).waitFor();
  expect(await layoutProblems(page, 'an image in the trash', undefined, everyLook)).toEqual([]);
  await button(page, 'Restore').click();
  await button(page, 'Full screen').waitFor();
  expect(await inTrash.count()).toBe(0);

  await remove(seller, id);
  await inTrash.waitFor();
  await seller.request(paths.trashed(id), { method: 'DELETE' });
  await page.goto(stack.url + link);
  await page.getByText('This image does not exist any more.').waitFor();
  await expect.poll(() => new URL(page.url()).search, eventually).toBe('');
  // Only the replies that nothing is there.
  for (const problem of problems) expect(problem).toContain('404');
});

test('what is restored while a window asks for it in the trash is shown there, and not said to be gone', async ({
  stack,
  openWindow,
}) => {
  const seller = await stack.seller();
  const { id } = await newImage(stack, seller, { productName: 'Oak chair' });
  await remove(seller, id);
  const { page } = await openWindow();
  // No event comes in time.
  await page.routeWebSocket(/socket\.io/, () => {});
  await page.route(/socket\.io/, () => {});
  await page.route(`**${paths.trashed(id)}`, async (route) => {
    await seller.request(paths.restoreGeneration(id), { method: 'POST' });
    await route.continue();
  });
  await openAs(stack, page, seller, `/dashboard?generation=${id}`);
  await button(page, 'Full screen').waitFor();
  expect(await page.getByText('This image does not exist any more.').count()).toBe(0);
});
