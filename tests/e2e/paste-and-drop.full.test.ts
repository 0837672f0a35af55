/** What is pasted or dropped goes where the seller means it: text into the fields, pictures to the photos. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { openAs } from '#tests/support/account-steps.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { copy, paste } from '#tests/support/clipboard.ts';
import { eventually } from '#tests/support/harness.ts';
import { press } from '#tests/support/page-steps.ts';
import {
  cup,
  description,
  openOptions,
  openStudio,
  picker,
  removeButtons,
} from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser({ workers: 0 });

type Dragged = { items: { mimeType: string; data: string }[]; files?: string[] };

const text = (mimeType: string, data: string): Dragged => ({ items: [{ mimeType, data }] });

/** Drags something from outside of the browser and drops it there. */
async function drop(page: Page, place: { x: number; y: number }, dragged: Dragged): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    const data = { ...dragged, dragOperationsMask: 1 };
    await devtools.send('Input.dispatchDragEvent', { type, ...place, data });
  }
}

test('a cell with its picture is pasted as text, into each field of the studio; beside the fields it does nothing', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  await openStudio(stack, page);
  await picker(page).setInputFiles(cup);
  await removeButtons(page).waitFor();
  await copy(page, { text: 'Mug, 350 ml', picture: true });
  for (const field of [description(page), page.getByLabel('Product name')]) {
    await field.fill('');
    await paste(page);
    await expect.poll(() => field.inputValue(), eventually).toBe('Mug, 350 ml');
  }
  await page.evaluate('document.activeElement.blur()');
  await paste(page);
  // A picture without text afterwards is the only photo more: the ones before were left.
  await copy(page, { picture: true });
  await paste(page);
  await removeButtons(page).nth(1).waitFor();
  await expect.poll(() => page.getByText('Checking').count(), eventually).toBe(0);
  expect(await removeButtons(page).count()).toBe(2);
  expect(problems).toEqual([]);
});

test('a screenshot that is pasted into the description is one photo', async ({ stack, openWindow }) => {
  const { page } = await openWindow();
  await openStudio(stack, page);
  await copy(page, { picture: true });
  await description(page).focus();
  await paste(page);
  await removeButtons(page).first().waitFor();
  // Were it taken twice, the second one would be added before this one.
  await paste(page);
  await expect.poll(() => removeButtons(page).count(), eventually).toBe(2);
  expect(await description(page).inputValue()).toBe('');
});

test('rows of a spreadsheet are pasted into a batch without a picture of them; a picture alone is a photo', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  await openAs(stack, page, await stack.seller(), '/batch/new');
  await copy(page, { text: 'Name\tPhotos\tScene\nMug\timage.png\tOn oak\n', picture: true });
  await page.getByLabel('Paste from a spreadsheet').focus();
  await paste(page);
  await page.getByText('0 of 1 product is ready').waitFor();
  await page.getByText('Photo image.png is missing.').waitFor();
  await copy(page, { text: 'On slate', picture: true });
  await press(page, 'Scenes');
  await page.getByText('1 of 1 product is ready').waitFor();
  const scene = page.getByLabel('Scene of row 1');
  await scene.fill('');
  await page.getByText('0 of 1 product is ready').waitFor();
  await paste(page);
  await expect.poll(() => scene.inputValue(), eventually).toBe('On slate');
  await press(page, 'Photos');
  await page.getByText('0 of 1 product is ready').waitFor();
  // The clipboard names its picture image.png.
  await copy(page, { picture: true });
  await paste(page);
  await page.getByText('1 of 1 product is ready').waitFor();
  expect(problems).toEqual([]);
});

test('text is dropped into the description; an address beside it is refused with a sentence', async ({
  stack,
  openWindow,
}) => {
  const { page } = await openWindow();
  await openStudio(stack, page);
  const box = (await description(page).boundingBox())!;
  await drop(page, { x: box.x + 20, y: box.y + 20 }, text('text/plain', 'warm light'));
  await expect.poll(() => description(page).inputValue(), eventually).toBe('warm light');
  await drop(page, { x: 900, y: 400 }, text('text/uri-list', 'https://shop.example/mug.jpg'));
  await page.getByText("An address can't be added.").waitFor();
  expect(await removeButtons(page).count()).toBe(0);
});

test('while a dialog is open, the studio behind it takes no pictures', async ({ stack, openWindow }) => {
  const { page, problems } = await openWindow();
  await openStudio(stack, page);
  const file = { items: [], files: [cup] };
  await copy(page, { picture: true });
  await openOptions(page);
  await page.getByRole('button', { name: 'Looks', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const box = (await dialog.boundingBox())!;
  await drop(page, { x: box.x + 20, y: box.y + 20 }, file);
  await paste(page);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  // Were they taken, they would be there before this one.
  await drop(page, { x: 640, y: 500 }, file);
  await removeButtons(page).first().waitFor();
  expect(await removeButtons(page).count()).toBe(1);
  expect(problems).toEqual([]);
});
