/** The daily limit in the studio and in a batch, and what operators see of limits, refusals and notes. */
import { expect } from 'vitest';
import { pages } from '#contract';
import { insertRefusal } from '#shared/data/generations/refusals.ts';
import { openAs } from '#tests/support/account-steps.ts';
import { sampleRows, startedBatch, uploadedBatch } from '#tests/support/batches.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { operatorOf } from '#tests/support/operator.ts';

const test = testWithStackAndBrowser({ workers: 0, settings: { DAILY_IMAGES: '6' } });

test('the studio says how many images are left today, and a batch how many fit', async ({
  stack,
  openWindow,
}) => {
  const seller = await stack.seller();
  const { page, problems } = await openWindow();
  await openAs(stack, page, seller, '/dashboard');
  await seller.submitSet(4);
  await page.getByText('2 more images today').waitFor();
  expect(await layoutProblems(page, 'few left')).toEqual([]);
  const uploaded = await uploadedBatch(seller, await sampleRows(5));
  await openAs(stack, page, seller, `${pages.batches}/${uploaded}`);
  await page.getByText('Your daily limit allows 2 of these 5 images today.').waitFor();
  await seller.submitSet(2);
  await openAs(stack, page, seller, '/dashboard');
  await page.getByText('No more images today').waitFor();
  expect(await layoutProblems(page, 'none left')).toEqual([]);
  const waiting = await startedBatch(seller, await sampleRows(3));
  await expect
    .poll(async () => (await stack.models.batches.findById(waiting).lean())?.waits_until)
    .toBeInstanceOf(Date);
  await openAs(stack, page, seller, `${pages.batches}/${waiting}`);
  await page.getByRole('heading', { name: 'Waiting for the next day' }).waitFor();
  await page.getByText('You have reached your daily limit.').waitFor();
  expect(await layoutProblems(page, 'a batch that waits')).toEqual([]);
  expect(problems).toEqual([]);
});

test('an operator changes the limit of a seller, reads refusals and adds a note', async ({
  stack,
  openWindow,
}) => {
  const [operator, seller] = await Promise.all([operatorOf(stack), stack.seller()]);
  for (const [index, stage] of (['input', 'output', null] as const).entries()) {
    await insertRefusal(stack.db, {
      _id: `${seller.id}-${index}`,
      profile: seller.id,
      at: new Date(Date.now() - index * 86_400_000),
      stage,
      categories: stage === null ? [] : ['sexual', 'violence/graphic'],
    });
  }
  const { page, problems } = await openWindow();
  await openAs(stack, page, operator, `/operator/sellers/${seller.id}`);
  await page.getByText('0 of 6 images today').waitFor();
  await page.getByRole('button', { name: 'Change the daily limit' }).click();
  const dialog = page.getByRole('dialog');
  const change = dialog.getByRole('button', { name: 'Change the daily limit' });
  await dialog.getByLabel('Reason, for the audit log').fill('Agreed by mail');
  await change.click();
  await dialog.getByText('Please enter a number of images.').waitFor();
  await dialog.getByRole('textbox', { name: 'Images a day' }).fill('12');
  expect(await layoutProblems(page, 'the dialog')).toEqual([]);
  await change.click();
  await page.getByText('0 of 12 images today').waitFor();
  await page.getByRole('button', { name: 'Change the daily limit' }).click();
  await dialog.getByRole('radio', { name: 'No limit' }).check();
  await dialog.getByLabel('Reason, for the audit log').fill('A campaign');
  await change.click();
  await page.getByText('0 images today, without a limit').waitFor();

  await page.getByText('Each image', { exact: true }).waitFor();
  await page.getByLabel('Note', { exact: true }).fill('Wrote to the seller.\nNo answer yet.');
  await page.getByRole('button', { name: 'Add note' }).click();
  await page.locator('#notes li').getByText('Wrote to the seller.').waitFor();
  expect(await page.getByLabel('Note', { exact: true }).inputValue()).toBe('');
  expect(await layoutProblems(page, 'the seller')).toEqual([]);

  await openAs(stack, page, operator, '/operator/sellers');
  const listed = page.locator('#refused-sellers').getByRole('link', { name: seller.email });
  await listed.getByText('3 images, last on').waitFor();
  await page.getByRole('button', { name: 'Last 30 days' }).click();
  await listed.waitFor();
  expect(await layoutProblems(page, 'the sellers')).toEqual([]);
  expect(problems).toEqual([]);
});
