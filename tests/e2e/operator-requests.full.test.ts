/** The operator's page of a seller: the billing of a seller who is banned, copies of data, and deletions on request. */
import { expect } from 'vitest';
import { openAs } from '#tests/support/account-steps.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { confirmAction, operatorOf } from '#tests/support/operator.ts';
import { profileOf, subscriber } from '#tests/support/subscriber.ts';

const test = testWithStackAndBrowser();

test('whoever disables an account decides on the billing, with dates and amounts, and later whether the plan renews', async ({
  stack,
  openWindow,
}) => {
  const [operator, seller] = await Promise.all([operatorOf(stack), subscriber(stack, 'freelance')]);
  const { page, problems } = await openWindow();
  await openAs(stack, page, operator, `/operator/sellers/${seller.id}`);
  await page.getByRole('button', { name: 'Disable', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Disable the account' });
  await dialog.getByText(/^Freelance, active\. It renews on .+ for \$50\.00 before tax/).waitFor();
  await dialog.getByText(/^Last payment: \$50\.00 on /).waitFor();
  await dialog.getByText('Nothing is refunded automatically.').waitFor();
  expect(await layoutProblems(page, 'disable')).toEqual([]);
  // Nothing is chosen beforehand.
  await dialog.getByLabel('Reason, for the audit log').fill('A test of the pages');
  await dialog.getByRole('button', { name: 'Disable the account' }).click();
  await dialog.getByText('Please choose what becomes of the billing.').waitFor();
  await dialog.getByRole('radio', { name: /^End billing on / }).check();
  await confirmAction(page, 'Disable the account');
  await page.getByText(/^Billing ends on /).waitFor();
  expect((await profileOf(stack, seller)).subscription_data?.cancel_at_period_end).toBe(true);

  await page.getByRole('button', { name: 'Enable', exact: true }).click();
  await page.getByRole('radio', { name: 'Renew the plan again' }).check();
  await confirmAction(page, 'Enable the account');
  await page.getByText(/^Billing ends on /).waitFor({ state: 'hidden' });
  expect((await profileOf(stack, seller)).subscription_data?.cancel_at_period_end).toBe(false);

  // Stripe is away.
  await stack.stripe.set({ faults: Array(200).fill({ when: 'before', status: 500, match: '/v1' }) });
  await page.getByRole('button', { name: 'Disable', exact: true }).click();
  await dialog.getByText(/^Stripe does not answer\. This is what is stored here/).waitFor();
  await dialog.getByRole('radio', { name: 'End billing at once' }).check();
  await confirmAction(page, 'Disable the account');
  await page.getByText(/^Billing ends at once\. Stripe is still to be told/).waitFor();
  expect(await layoutProblems(page, 'a disabled seller')).toEqual([]);
  await stack.stripe.reset();
  // The browser says of each failed reading of Stripe that it failed.
  expect(problems.filter((problem) => !/503/.test(problem))).toEqual([]);
});

test('an operator exports the data of a person, plans the deletion of the account, keeps it, and deletes it', async ({
  stack,
  openWindow,
}) => {
  const [operator, seller] = await Promise.all([operatorOf(stack), stack.seller({ paid: false })]);
  const { page, problems } = await openWindow();
  await openAs(stack, page, operator, `/operator/sellers/${seller.id}`);
  await page.getByRole('button', { name: 'Export the data' }).click();
  const asked = page.getByRole('dialog', { name: 'Export the data' });
  await asked.getByLabel('Reason, for the audit log').fill('A test of the pages');
  await asked.getByRole('button', { name: 'Export the data' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download ZIP' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^packshot-.+\.zip$/);
  expect(await download.failure()).toBeNull();
  await page.getByRole('button', { name: 'Close' }).first().click();

  const remove = async (when: RegExp) => {
    await page.getByRole('button', { name: 'Delete the account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete the account' });
    await dialog.getByRole('radio', { name: when }).check();
    await dialog.getByLabel('Reason, for the audit log').fill('A test of the pages');
    await dialog.getByLabel('Email of the account').fill('someone@else.example');
    await dialog.getByRole('button', { name: 'Delete the account' }).click();
    await dialog.getByText('This is not the address of this account.').waitFor();
    expect(await layoutProblems(page, 'delete')).toEqual([]);
    await dialog.getByLabel('Email of the account').fill(seller.email);
    await dialog.getByRole('button', { name: 'Delete the account' }).click();
    await dialog.waitFor({ state: 'hidden' });
  };
  await remove(/^In 7 days/);
  await page.getByText(/^The account will be deleted on /).waitFor();
  await page.getByRole('button', { name: 'Keep the account' }).click();
  await confirmAction(page, 'Keep the account');
  await page.getByText(/^The account will be deleted on /).waitFor({ state: 'hidden' });
  await remove(/^At once/);
  await page.getByRole('heading', { name: 'Sellers', level: 1 }).waitFor();
  expect(await stack.models.users.exists({ _id: seller.id })).toBeNull();
  expect(problems.filter((problem) => !/400/.test(problem))).toEqual([]);
});
