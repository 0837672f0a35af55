/** What a seller reads when few unpaid calls are left and when they are used up, and how an operator resets them. */
import { expect } from 'vitest';
import { limits } from '#contract';
import { giveImages } from '#server/operator/support-images.ts';
import { addUnpaidCalls } from '#shared/data/billing/unpaid-calls.ts';
import { recordUnmade } from '#shared/data/profiles/holds.ts';
import { dayOf } from '#shared/platform/days.ts';
import { openAs } from '#tests/support/account-steps.ts';
import { everyLook, layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { confirmAction, operatorOf } from '#tests/support/operator.ts';
import { description, fillInStudio, generate } from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser({ settings: { UNPAID_CALLS_FACTOR: '1' } });

test('a seller is told of the last ones, and why no image begins; an operator resets the count', async ({
  stack,
  openWindow,
}) => {
  const seller = await stack.seller({ paid: false });
  await giveImages(stack.server.context, seller.id, { key: 'test', count: 3 });
  const earlier = Array.from(
    { length: limits.unpaidCalls.withoutPlan - 2 },
    (_, index) => `earlier ${index}`,
  );
  await recordUnmade(stack.db, seller.id, new Date());
  await addUnpaidCalls(stack.db, { kind: 'seller', id: seller.id }, dayOf(new Date()), earlier);
  await stack.images.set({ default: { kind: 'hold' } });
  const { page, problems } = await openWindow();
  await openAs(stack, page, seller, '/dashboard');
  await description(page).waitFor();
  await fillInStudio(page, 'On oak');
  await generate(page);
  for (const notice of [
    'You can stop 1 more image early today.',
    'Too many images were stopped early today.',
  ]) {
    await stack.images.waitFor({ waiting: 1 });
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByText(notice).waitFor();
    await stack.images.waitFor({ active: 0 });
    await page.getByRole('button', { name: 'Try again' }).click();
  }
  const refusal = page.getByText('Choose a plan or contact us if you need them sooner.');
  // In view, in the dock.
  const height = page.viewportSize()!.height;
  await expect.poll(async () => (await refusal.boundingBox())?.y).toBeLessThan(height - 40);
  expect(await layoutProblems(page, 'the refusal')).toEqual([]);

  const operator = await operatorOf(stack);
  const other = await openWindow();
  await openAs(stack, other.page, operator, `/operator/sellers/${seller.id}`);
  await other.page.getByText(`Unpaid calls today: ${limits.unpaidCalls.withoutPlan} of`).waitFor();
  expect(await layoutProblems(other.page, 'a seller', 'html', everyLook)).toEqual([]);
  await other.page.getByRole('button', { name: 'Reset unpaid calls' }).click();
  await confirmAction(other.page, 'Reset unpaid calls');
  await other.page.getByText(`Unpaid calls today: 0 of`).waitFor();
  // What the browser itself logs of a refused request.
  expect([...problems, ...other.problems].filter((problem) => !problem.includes('429'))).toEqual([]);
});
