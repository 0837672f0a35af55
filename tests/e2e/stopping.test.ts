/** Cancelling is free before the first preview; after it the button says that it uses the image. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { accessibilityProblems, launchBrowser, openBrowserWindow } from '#tests/support/browser.ts';
import { eventually } from '#tests/support/harness.ts';
import { startTestStack, type TestStack } from '#tests/support/stack.ts';
import { cup, description, generate, openStudio, picker } from '#tests/support/studio-page.ts';

let stack: TestStack;
let browser: Browser;
beforeAll(async () => {
  [stack, browser] = await Promise.all([startTestStack({ workers: 0 }), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});
beforeEach(async () => {
  await stack.images.reset();
  await stack.images.set({ behaviours: [{ kind: 'hold', after: 'previews' }] });
});

/** Resolves when a preview is on show. */
const untilPreviewed = () =>
  expect
    .poll(() => stack.models.generations.countDocuments({ preview_key: { $ne: null } }), eventually)
    .toBe(1);

test('a cancel that a preview overtakes charges nothing: the button then says what stopping uses', async () => {
  const { page, problems } = await openBrowserWindow(browser);
  await openStudio(stack, page);
  await picker(page).setInputFiles(cup);
  await description(page).fill('On slate');
  await generate(page);
  // Nobody makes it yet: it waits in the queue, and the click on Cancel is late on its way.
  const bodies: (string | null)[] = [];
  const worker = Promise.withResolvers<{ close(): Promise<void> }>();
  await page.route('**/cancel', async (route) => {
    bodies.push(route.request().postData());
    if (bodies.length === 1) {
      worker.resolve(await stack.startWorker());
      await untilPreviewed();
    }
    await route.continue();
  });
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByText('There is already a preview, so stopping now uses 1 image.').first().waitFor();
  const stop = page.getByRole('button', { name: 'Stop and use 1 image' });
  await stop.waitFor();
  await page.getByText('99 of 100 left').first().waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);

  await stop.click();
  await page.getByText('It had a preview, so 1 image was used.').waitFor();
  await page.getByText('Stopped · 1 image used').waitFor();
  expect(bodies).toEqual(['{"useImage":false}', '{"useImage":true}']);
  await page.goto(`${stack.url}/profile`);
  await page.getByText('Coffee cup was stopped after a preview').waitFor();
  // A refusal is an answer that the browser writes to its console.
  expect(problems.filter((problem) => !problem.includes('409'))).toEqual([]);
  expect(await stack.audit()).toEqual([]);
  await (await worker.promise).close();
  await page.context().close();
});

test('a click that comes with the change of words does nothing', async () => {
  const worker = await stack.startWorker();
  const { page } = await openBrowserWindow(browser);
  await openStudio(stack, page);
  await picker(page).setInputFiles(cup);
  await description(page).fill('On slate');
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/cancel')) asked.push(request.url());
  });
  await generate(page);
  // Without waiting for the button to be ready, as a finger that was on its way would.
  await page.getByRole('button', { name: 'Stop and use 1 image' }).click({ force: true });
  await page.getByRole('button', { name: 'Stop and use 1 image', disabled: false }).waitFor();
  expect(asked).toEqual([]);
  await stack.images.release();
  await page.getByRole('link', { name: 'Download' }).waitFor();
  await worker.close();
  await page.context().close();
});
