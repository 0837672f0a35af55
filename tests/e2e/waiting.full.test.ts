/** Images that wait: their order, scene and options are changed in the top bar, on every page. */
import { expect } from 'vitest';
import { openProfile, startSession } from '#tests/support/account-steps.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';

const test = testWithStackAndBrowser({ workers: 0 });

test('a seller moves an image to the front, edits one and cancels one', async ({ stack, openWindow }) => {
  const { page, problems } = await openWindow();
  const seller = await stack.seller();
  const bowl = await seller.submit({ productName: 'Walnut bowl', prompt: 'On oak' });
  const lamp = await seller.submit({ productName: 'Lamp' });
  await startSession(stack, page, seller.email);
  await openProfile(stack, page, 'profile');
  await page.getByRole('button', { name: '2 in progress' }).click();
  const tray = page.getByRole('dialog');
  const names = () => tray.locator('li .truncate').allTextContents();
  await expect.poll(names).toEqual(['Walnut bowl', 'Lamp']);
  expect(await layoutProblems(page, 'tray', '[role=dialog]')).toEqual([]);
  await tray.getByRole('button', { name: 'Move to the front: Lamp' }).click();
  await expect.poll(names).toEqual(['Lamp', 'Walnut bowl']);

  await tray.getByRole('button', { name: 'Edit: Walnut bowl' }).click();
  const form = page.getByRole('dialog', { name: 'Edit the image' });
  await form.getByLabel('Scene description').fill('On wet stone');
  await form.getByLabel('Size').selectOption('portrait');
  expect(await layoutProblems(page, 'dialog', '[role=dialog]')).toEqual([]);
  await form.getByRole('button', { name: 'Save changes' }).click();
  await form.waitFor({ state: 'hidden' });
  expect(await seller.generation(bowl.id)).toMatchObject({
    prompt: 'On wet stone',
    options: { width: 1_024, height: 1_536 },
  });

  await page.getByRole('button', { name: '2 in progress' }).click();
  await tray.getByRole('button', { name: 'Cancel: Lamp' }).click();
  await expect.poll(async () => (await seller.generation(lamp.id)).state, eventually).toBe('cancelled');
  expect(problems).toEqual([]);
});
