/** From sign-up to images: for free, with a plan, and with everything that the form offers. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect } from 'vitest';
import { imageStyles } from '#contract';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { mailedLink, openAs, signIn, signUp } from '#tests/support/account-steps.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';
import { cancelPlan, pay, press, see } from '#tests/support/page-steps.ts';
import {
  chooseShape,
  cup,
  description,
  fillInStudio,
  generate,
  openForm,
  openOptions,
  openStudio,
  picker,
} from '#tests/support/studio-page.ts';
import { expectCleanSoon } from '#tests/support/subscriber.ts';
import { newAddress } from '#tests/support/visitor.ts';

const test = testWithStackAndBrowser();
test.beforeEach(({ stack }) => stack.images.reset());

test('a seller signs up, confirms the address, makes and downloads an image, and finds it after signing in again', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  const email = newAddress();
  await signUp(stack, page, email, 'enterprise');
  await see(page, 'Your first 3 images are free, once per email address.');
  await page.goto(await mailedLink(stack, 'verifyEmail', email, 'Confirm your email'));
  await page.getByRole('button', { name: 'Confirm and open your studio' }).click();
  await page.waitForURL('**/dashboard');
  // The studio works before the plan that was chosen is paid.
  await see(page, '3 of 3 free images left');
  await fillInStudio(page, 'On a wooden table, morning light');
  await see(page, 'Ready to Generate');
  await generate(page);
  const link = page.getByRole('link', { name: 'Download' });
  await link.waitFor();
  await see(page, '2 of 3 free images left');
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect(download.suggestedFilename()).toMatch(/^Coffee-cup-\d{4}-\d{2}-\d{2}\.png$/);
  const image = await sharp(await readFile(await download.path())).metadata();
  expect(image).toMatchObject({ format: 'png', width: 1_024, height: 1_024 });

  expect(problems).toEqual([]);
  await page.getByRole('button', { name: /account of/i }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await see(page, 'You are signed out.');
  await signIn(stack, page, email);
  await page
    .getByRole('button', { name: /coffee cup/i })
    .first()
    .waitFor();
  // What was still being loaded when the session ended was refused.
  expect(problems.filter((problem) => !problem.includes('status of 401'))).toEqual([]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('a seller pays at Stripe after a declined card, comes back to the form, makes an image, and cancels the plan', async ({
  stack,
  filledStudio,
}) => {
  const { page, problems, seller } = await filledStudio('On slate', { paid: false });
  await press(page, 'Subscribe Now');
  await pay(page, 'Is declined');
  await see(page, 'Your card was declined.');
  await pay(page, 'Succeeds');
  await see(page, 'Your Freelance plan is active.');
  await expect.poll(() => description(page).inputValue()).toBe('On slate');
  await page.getByRole('button', { name: 'Remove coffee-cup.png' }).waitFor();
  await generate(page);
  await page.getByRole('link', { name: 'Download' }).waitFor();
  await see(page, '99 of 100 left');

  await page.goto(`${stack.url}/profile/plan`);
  await cancelPlan(page, 'Freelance');
  // The open window is updated by an event when the month passes.
  await stack.stripe.advance({ months: 1 });
  await see(page, 'No active subscription found');
  await stack.mails.waitForMail({ to: seller.email, subject: 'ended' });

  // Expected: the browser logs the 400 of the declined card.
  expect(problems.filter((problem) => !problem.includes('status of 400'))).toEqual([]);
  await expectCleanSoon(stack);
});

test('a seller uses several photos, a template and options; a second window shows the image; the options are kept', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  const seller = await openStudio(stack, page);
  await generate(page);
  await see(page, 'Please upload at least one product image');
  const notes = { name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('Buy cups') };
  const mug = join(rootFolder, 'scripts/local/photos/mug-1.jpg');
  const photo = async (path: string) => ({
    name: path.slice(path.lastIndexOf('/') + 1),
    mimeType: 'image/png',
    buffer: await readFile(path),
  });
  await picker(page).setInputFiles([notes, await photo(cup), await photo(mug)]);
  await see(page, '“notes.png” is not a photo that can be opened.');
  await page.getByLabel('Several products in one picture').check();
  await description(page).fill('warm morning');
  await press(page, 'Product on Wooden Table');
  const form = page.getByRole('form', { name: 'New product image' });
  await chooseShape(page, '2:3');
  await form.getByLabel('Style').selectOption('vintage');
  await openOptions(page);
  await form.getByLabel('What to avoid').fill('hands');

  const second = await openWindow();
  await openAs(stack, second.page, seller, '/dashboard');
  await stack.images.set({ behaviours: [{ kind: 'hold' }] });
  await generate(page);
  await see(page, 'Creating your product visualization...');
  await stack.images.waitFor({ waiting: 1 });
  for (const window of [page, second.page]) await see(window, '99 of 100 left');
  await stack.images.release();
  await page.getByRole('link', { name: 'Download' }).waitFor();
  await second.page
    .getByRole('button', { name: /coffee cup/i })
    .first()
    .waitFor();
  const [call] = (await stack.images.state()).calls;
  expect(call!.size).toBe('1024x1536');
  for (const text of [
    'Product on Wooden Table: warm morning',
    imageStyles.vintage.sentence,
    'Avoid: hands.',
  ]) {
    expect(call!.prompt).toContain(text);
  }
  const [row] = await stack.models.generations.find({ profile: seller.id }).lean();
  expect(row).toMatchObject({ photos_show: 'several-products', photos: [{}, {}] });

  await page.reload();
  await form.getByText('1 image · 2:3').waitFor();
  await openForm(page);
  expect(await form.getByLabel('Style').inputValue()).toBe('vintage');
  await page
    .getByRole('button', { name: /coffee cup/i })
    .first()
    .waitFor();
  expect([...problems, ...second.problems]).toEqual([]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});
