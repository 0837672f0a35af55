/** Cancelling is free before the first preview; afterwards the button says that stopping uses an image. */
import { expect, onTestFinished } from 'vitest';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { generate } from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser({ workers: 0 });
test.beforeEach(async ({ stack }) => {
  await stack.images.reset();
  // A generation that a failed test left would take the next behaviour.
  await stack.server.context.queue.drain(true);
  await stack.images.set({ behaviours: [{ kind: 'hold', after: 'previews' }] });
});

/** Starts a worker that is closed after the test, also after a failed one. */
async function startWorker(stack: TestStack): Promise<void> {
  const worker = await stack.startWorker();
  onTestFinished(() => worker.close());
}

/** Waits until a preview is visible. */
const untilPreviewVisible = (stack: TestStack) =>
  expect
    .poll(() => stack.models.generations.countDocuments({ preview_key: { $ne: null } }), eventually)
    .toBe(1);

test('a cancel that arrives after the first preview uses no image; the button then says what stopping uses', async ({
  stack,
  filledStudio,
}) => {
  const { page, problems } = await filledStudio('On slate');
  await generate(page);
  // No worker runs yet, so it waits in the queue. The cancel request is held until there is a preview.
  const bodies: (string | null)[] = [];
  await page.route('**/cancel', async (route) => {
    bodies.push(route.request().postData());
    if (bodies.length === 1) {
      await startWorker(stack);
      await untilPreviewVisible(stack);
    }
    await route.continue();
  });
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByText('There is already a preview, so stopping now uses 1 image.').first().waitFor();
  const stop = page.getByRole('button', { name: 'Stop and use 1 image' });
  await stop.waitFor();
  await page.getByText('99 of 100 left').first().waitFor();
  expect(await layoutProblems(page, 'the studio')).toEqual([]);

  await stop.click();
  await page.getByText('It had a preview, so 1 image was used.').waitFor();
  await page.getByRole('heading', { name: 'Stopped' }).waitFor();
  expect(bodies).toEqual(['{"useImage":false}', '{"useImage":true}']);
  await page.goto(`${stack.url}/profile/usage`);
  await page.getByText('Coffee cup was stopped after a preview').waitFor();
  // Expected: the browser logs the 409 of the first cancel request.
  expect(problems.filter((problem) => !problem.includes('409'))).toEqual([]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('a click right after the label of the button changed is ignored', async ({ stack, filledStudio }) => {
  const { page } = await filledStudio('On slate');
  const cancelRequests: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/cancel')) cancelRequests.push(request.url());
  });
  await generate(page);
  await page
    .getByText(/in the queue/)
    .first()
    .waitFor();
  // The page's timers stand still, except for 5 ms at a time, so that "right after" lasts as long as the test wants.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await startWorker(stack);
  const stop = page.getByRole('button', { name: 'Stop and use 1 image' });
  await expect
    .poll(async () => {
      await page.clock.runFor(5);
      return stop.count();
    }, eventually)
    .toBe(1);
  // `force` skips waiting until the button is enabled, like a click that was meant for the old label.
  await stop.click({ force: true });
  await page.clock.runFor(900);
  await stop.click({ force: true });
  expect(await stop.isDisabled()).toBe(true);
  await page.clock.runFor(100);
  await stop.and(page.locator('[aria-disabled=false]')).waitFor();
  expect(cancelRequests).toEqual([]);
  await page.clock.resume();
  await stack.images.release();
  await page.getByRole('link', { name: 'Download' }).waitFor();
});
