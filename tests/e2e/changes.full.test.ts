/** Changing a finished image in the studio: in words, and with the brush. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { dialog, openDashboard } from '#tests/support/account-steps.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';
import { fillInStudio, generate, openStudio } from '#tests/support/studio-page.ts';
import { newAddress } from '#tests/support/visitor.ts';

const test = testWithStackAndBrowser();
test.beforeEach(({ stack }) => stack.images.reset());

/** The version that is shown, if it has this name. */
const currentVersion = (page: Page, name: string) =>
  page.getByRole('button', { name }).and(page.locator('[aria-current=true]'));

test('a change in words makes a version, and a strip leads through the versions', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  await openStudio(stack, page);
  await fillInStudio(page, 'On a wooden table');
  await generate(page);
  const panel = page.getByRole('form', { name: 'Change something' });
  await panel.getByText('Marking an area is part of the Enterprise plan.').waitFor();
  await panel.getByLabel('Change something').fill('Make the wall blue');
  await panel.getByRole('button', { name: 'Make the change' }).click();
  const versions = page.getByRole('navigation', { name: 'Versions of this image' });
  await currentVersion(page, 'Version 2: Make the wall blue').waitFor();
  await page.getByRole('link', { name: 'Download' }).waitFor();
  await page.getByText('98 of 100 left').first().waitFor();
  expect(await layoutProblems(page, 'versions')).toEqual([]);
  await versions.getByRole('button', { name: 'Version 1: First version' }).click();
  await currentVersion(page, 'Version 1: First version').waitFor();
  expect(problems).toEqual([]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('with the brush only the painted area changes', async ({ stack, openWindow }) => {
  const { page, problems } = await openWindow();
  const email = newAddress();
  await stack.seller({ email, plan: 'enterprise' });
  await openDashboard(stack, page, email);
  await fillInStudio(page, 'On a wooden table');
  await generate(page);
  await page.getByRole('button', { name: 'Mark an area' }).click();
  const canvas = dialog(page).getByLabel('Paint over what should change');
  const box = (await canvas.boundingBox())!;
  await page.mouse.move(box.x + box.width / 4, box.y + box.height / 4);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 4, { steps: 5 });
  await page.mouse.up();
  const send = dialog(page).getByRole('button', { name: 'Make the change' });
  expect(await send.isDisabled()).toBe(true);
  await dialog(page).getByLabel('What should be there?').fill('A red wall');
  await dialog(page).getByText('Mark a rectangle by numbers').click();
  await dialog(page).getByRole('button', { name: 'Mark rectangle' }).click();
  await dialog(page).getByRole('button', { name: 'Undo' }).click();
  expect(await layoutProblems(page, 'brush')).toEqual([]);
  await send.click();
  await currentVersion(page, 'Version 2: A red wall').waitFor();
  await page.getByRole('link', { name: 'Download' }).waitFor();
  expect((await stack.images.state()).calls.at(-1)).toMatchObject({ masked: true });
  expect(problems).toEqual([]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});
