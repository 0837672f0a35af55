/** Dialogs of batches stay open until the server has answered, and say why it refused. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { pages, paths } from '#contract';
import { dialog, openAs } from '#tests/support/account-steps.ts';
import { batchFolder } from '#tests/support/batch-folder.ts';
import { postBatch, readBatch, sampleRows, startedBatch } from '#tests/support/batches.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';
import { press } from '#tests/support/page-steps.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';

const test = testWithStackAndBrowser();
test.beforeEach(({ stack }) => stack.images.reset());

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
    path: `**${paths.batches}/*`,
    async prepare(_stack, seller) {
      const id = await startedBatch(seller, await sampleRows(1));
      await expect.poll(async () => (await readBatch(seller, id)).state, eventually).toBe('ended');
      return `${pages.batches}/${id}`;
    },
  },
  'deletes a batch that was not uploaded': {
    opens: 'Delete batch',
    confirms: 'Delete batch',
    path: `**${paths.batches}/*`,
    async prepare(_stack, seller) {
      const { body } = await postBatch(seller, { rows: await sampleRows(1) });
      return `${pages.batches}/${body.id}`;
    },
  },
  'makes a batch': {
    opens: 'Make 4 images: 4 of your 100 left',
    confirms: 'Make 4 images',
    path: `**${paths.batches}*`,
    prepare: async () => `${pages.batches}/new`,
    async fill(page) {
      const folder = await batchFolder(3);
      const input = (name: string) => page.locator(`input[aria-label="${name}"]`);
      await input('Choose a table').setInputFiles(join(folder, 'autumn.csv'));
      await page.getByText('0 of 3 rows are ready').waitFor();
      await input('Choose a folder').setInputFiles(join(folder, 'photos'));
      await press(page, 'Remove photo Product 4.PNG of row 3');
      await press(page, 'Choose photos of row 3');
      await page.getByRole('checkbox', { name: 'product-3.png' }).check();
      await press(page, 'Use these photos');
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
