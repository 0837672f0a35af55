/** Changing a part of a finished image. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { dialog } from '#tests/support/account-steps.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';

const test = testWithStackAndBrowser();

/** The version that is shown, if it has this name. */
const currentVersion = (page: Page, name: string) =>
  page.getByRole('button', { name }).and(page.locator('[aria-current=true]'));

test('with the brush only the painted area changes', async ({ stack, finishedImage }) => {
  const { page, problems } = await finishedImage({ plan: 'enterprise' });
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
  expect(await layoutProblems(page, 'versions')).toEqual([]);
  expect((await stack.images.state()).calls.at(-1)).toMatchObject({ masked: true });
  expect(problems).toEqual([]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});
