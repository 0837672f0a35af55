/** Files that arrive while something else is read, or when the button that asked for them is no longer there. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { openAs } from '#tests/support/account-steps.ts';
import { postBatch, readBatch, sha256Of } from '#tests/support/batches.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';
import { holdReading } from '#tests/support/hold-reading.ts';
import { colouredPhoto } from '#tests/support/photos.ts';
import {
  cup,
  description,
  fillInStudio,
  openStudio,
  picker,
  removeButtons,
  untilStored,
} from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser({ workers: 0 });

const tableFile = {
  name: 'table.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from('SKU,Photos,Scene\nA-1,mug.png,On oak\nA-2,bowl.png,On slate\n'),
};
const photos = await Promise.all(
  ['mug.png', 'bowl.png'].map(async (name, index) => ({
    name,
    mimeType: 'image/png',
    buffer: await colouredPhoto(index === 0 ? '#2040c0' : '#c04020'),
  })),
);

const input = (page: Page, label: string) => page.locator(`input[aria-label="${label}"]`);
const secondRow = (page: Page) => page.getByRole('button', { name: 'Remove row 2' });

/** Waits until both products have their number of the table, and their photo. */
async function untilJoined(page: Page): Promise<void> {
  await expect
    .poll(
      () =>
        Promise.all(
          [1, 2].map((row) => page.getByRole('textbox', { name: `SKU of row ${row}` }).inputValue()),
        ),
      eventually,
    )
    .toEqual(['A-1', 'A-2']);
  await page.getByText('2 of 2 products are ready').waitFor();
}

/** Keeps an input, as a browser does while its dialog is open. */
async function keep(page: Page, selector: string): Promise<void> {
  await page.locator(selector).waitFor({ state: 'attached' });
  await page.evaluate(`window.chooser = document.querySelector('${selector}'); undefined`);
}

/** What a browser does when its dialog ends: it gives the files to the input, wherever that is by then. */
const giveFiles = (page: Page, files: readonly { name: string; mimeType: string; buffer: Buffer }[]) =>
  page.evaluate(`{
    const transfer = new DataTransfer();
    for (const { name, mimeType, data } of ${JSON.stringify(files.map(asText))}) {
      const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
      transfer.items.add(new File([bytes], name, { type: mimeType }));
    }
    if (chooser.isConnected) throw new Error('the page has not replaced the input');
    chooser.files = transfer.files;
    chooser.dispatchEvent(new Event('input', { bubbles: true }));
    chooser.dispatchEvent(new Event('change', { bubbles: true }));
  }`);
const asText = ({ name, mimeType, buffer }: { name: string; mimeType: string; buffer: Buffer }) => ({
  name,
  mimeType,
  data: buffer.toString('base64'),
});

test('photos that are chosen while a table is read become the photos of its products', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  const release = await holdReading(page, tableFile.name);
  await openAs(stack, page, await stack.seller(), '/batch/new');
  await input(page, 'Choose a table').setInputFiles(tableFile);
  await input(page, 'Choose photos').setInputFiles(photos);
  await secondRow(page).waitFor();
  await release();
  await untilJoined(page);
  expect(problems).toEqual([]);
});

test('photos that are dropped while others are checked continue the upload of a batch with them', async ({
  stack,
  openWindow,
}) => {
  const seller = await stack.seller();
  const rows = photos.map(({ name, buffer }) => ({
    sku: name,
    name,
    prompt: 'On oak',
    photos: [{ name, sha256: sha256Of(buffer) }],
  }));
  const { body: batch } = await postBatch(seller, { rows });
  const { page, problems } = await openWindow();
  const release = await holdReading(page, 'mug.png');
  await openAs(stack, page, seller, `/batch/${batch.id}`);
  await input(page, 'Choose photos').setInputFiles(photos.slice(0, 1));
  await page.getByText('Checking your photos: 0 of 1').waitFor();
  await input(page, 'Choose photos').setInputFiles(photos.slice(1));
  await release();
  await expect.poll(async () => (await readBatch(seller, batch.id)).state, eventually).toBe('running');
  expect(problems).toEqual([]);
});

const choosers = [
  ['Choose a table', [photos, [tableFile]]],
  ['Choose photos', [[tableFile], photos]],
  ['Choose a folder', [[tableFile], photos]],
] as const;
test.for(choosers)(
  '"%s" of a batch: files arrive after the page has replaced it',
  async ([label, [first, second]], { stack, openWindow }) => {
    const { page, problems } = await openWindow();
    await openAs(stack, page, await stack.seller(), '/batch/new');
    await keep(page, `input[aria-label="${label}"]`);
    const other = label === 'Choose a table' ? 'Choose photos' : 'Choose a table';
    await input(page, other).setInputFiles([...first]);
    await secondRow(page).waitFor();
    await giveFiles(page, second);
    await untilJoined(page);
    expect(problems).toEqual([]);
  },
);

test('a photo that is taken while another one opens the form is added to it', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  await openStudio(stack, page);
  await keep(page, 'input[capture]');
  await picker(page).setInputFiles(cup);
  await removeButtons(page).waitFor();
  await giveFiles(page, photos.slice(0, 1));
  await expect.poll(() => removeButtons(page).count(), eventually).toBe(2);
  expect(problems).toEqual([]);
});

test('a photo that is chosen before the draft is read stands there without those of the draft', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  const seller = await openStudio(stack, page);
  await fillInStudio(page, 'On oak');
  await untilStored(page, { prompt: 'On oak' });
  await page.addInitScript(`
    const { open } = IDBFactory.prototype;
    const released = new Promise((resolve) => { window.releaseStores = resolve; });
    let isReleased = false;
    void released.then(() => { isReleased = true; });
    IDBFactory.prototype.open = function (...given) {
      const request = open.apply(this, given);
      request.addEventListener('success', (event) => {
        if (isReleased) return;
        event.stopImmediatePropagation();
        void released.then(() => request.dispatchEvent(new Event('success')));
      });
      return request;
    };
  `);
  const release = await holdReading(page, 'mug.png');
  await openAs(stack, page, seller, '/dashboard');
  await picker(page).setInputFiles(photos[0]!);
  await page.getByText('Checking your photo…').waitFor();
  await page.evaluate('releaseStores()');
  // The words come with the draft's photo.
  await expect.poll(() => description(page).inputValue(), eventually).toBe('On oak');
  await release();
  await page.getByRole('button', { name: 'Remove mug.png' }).first().waitFor();
  expect(await removeButtons(page).count()).toBe(1);
  expect(problems).toEqual([]);
});
