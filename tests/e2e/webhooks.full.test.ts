/** Account Settings, API: a webhook is made, sent a test event, seen in its log, changed and deleted. */
import type { Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { limits, testEvent, v1Paths } from '#contract';
import { dialog, openProfile, shareSession } from '#tests/support/account-steps.ts';
import { callWithKey, giveKey } from '#tests/support/api-keys.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import { makeWebhook, startWebhookReceiver, verified } from '#tests/support/webhook-receiver.ts';

const receiver = await startWebhookReceiver();
afterAll(() => receiver.close());

const test = testWithStackAndBrowser({ settings: { WEBHOOKS_TO_LOOPBACK: 'true' } });

const item = (page: Page, url: string) =>
  page.getByRole('list', { name: 'Webhooks' }).locator('> li').filter({ hasText: url });

test('a webhook is made, sent a test event that its log shows, switched on again and deleted', async ({
  profilePage,
}) => {
  const { page } = await profilePage('apiKeys');
  await page.getByText('You have no webhooks.').waitFor();
  await page.getByRole('button', { name: 'Add a webhook' }).click();
  await dialog(page).getByRole('button', { name: 'Add webhook' }).click();
  await dialog(page).getByText('Please enter an address').waitFor();
  await dialog(page).getByLabel('Address', { exact: true }).fill('https://10.0.0.1/hook');
  await dialog(page).getByRole('button', { name: 'Add webhook' }).click();
  await dialog(page).getByText('it has to be on the public internet').waitFor();
  const url = receiver.url('/hook');
  await dialog(page).getByLabel('Address', { exact: true }).fill(url);
  for (const event of await dialog(page).getByRole('checkbox').all()) await event.uncheck();
  await dialog(page).getByText('Please choose at least one').waitFor();
  await dialog(page).getByLabel('An image is ready').check();
  await dialog(page).getByRole('button', { name: 'Add webhook' }).click();
  const secret = (await dialog(page).getByTestId('api-secret').textContent())!;
  // Nothing but its button closes it.
  await page.keyboard.press('Escape');
  await dialog(page).getByRole('button', { name: "I've saved it" }).click();
  await item(page, url).getByText('On', { exact: true }).waitFor();
  expect(await page.content()).not.toContain(secret);

  await item(page, url).getByRole('button', { name: 'Deliveries' }).click();
  await dialog(page).getByText('Nothing was sent yet.').waitFor();
  await dialog(page).getByRole('button', { name: 'Send a test event' }).click();
  await dialog(page).getByText('Delivered', { exact: true }).waitFor();
  expect(verified(receiver.at('/hook')[0]!, secret)).toMatchObject({ type: testEvent });
  await dialog(page).getByText(testEvent, { exact: true }).click();
  await dialog(page).getByText('"webhookId"').waitFor();
  await dialog(page).getByText(': 204 (').waitFor();
  await dialog(page).getByRole('button', { name: 'Send again' }).click();
  await expect.poll(() => receiver.at('/hook').length).toBe(2);
  await page.keyboard.press('Escape');

  // One that answers 410 is switched off, says so, and is on again with one click.
  receiver.ways.set('/hook', [{ status: 410 }, { status: 204 }]);
  await item(page, url).getByRole('button', { name: 'Deliveries' }).click();
  await dialog(page).getByRole('button', { name: 'Send a test event' }).click();
  await dialog(page).getByText('Not delivered').waitFor();
  await page.keyboard.press('Escape');
  await page.reload();
  await item(page, url).getByText('it answered 410 (Gone)').waitFor();
  await item(page, url).getByRole('button', { name: 'Switch on' }).click();
  await item(page, url).getByText('On', { exact: true }).waitFor();

  await item(page, url).getByRole('button', { name: 'New secret' }).click();
  await dialog(page).getByRole('button', { name: 'Make a new secret' }).click();
  await dialog(page).getByTestId('api-secret').waitFor();
  expect(await dialog(page).getByTestId('api-secret').textContent()).not.toBe(secret);
  await dialog(page).getByRole('button', { name: "I've saved it" }).click();
  await item(page, url).getByText('The old secret works until').waitFor();

  await item(page, url).getByRole('button', { name: 'Delete' }).click();
  await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('You have no webhooks.').waitFor();
});

test('a webhook for tests is made beside those for what is real, and is told only of tests', async ({
  stack,
  profilePage,
}) => {
  const { page, seller } = await profilePage('apiKeys');
  const real = receiver.url('/real');
  await makeWebhook(seller, real);
  await page.reload();
  await item(page, real).waitFor();
  const url = receiver.url('/tests');
  await page.getByRole('button', { name: 'Add a webhook' }).click();
  await dialog(page).getByLabel('Kind').selectOption('Test: images of test keys');
  await dialog(page).getByLabel('Address', { exact: true }).fill(url);
  await dialog(page).getByRole('button', { name: 'Add webhook' }).click();
  const secret = (await dialog(page).getByTestId('api-secret').textContent())!;
  await dialog(page).getByRole('button', { name: "I've saved it" }).click();
  await item(page, url).getByText('Test webhook').waitFor();
  expect(await item(page, real).getByText('Test webhook').count()).toBe(0);
  // What it is told of stays: only address and events can be changed.
  await item(page, url).getByRole('button', { name: 'Edit' }).click();
  await dialog(page).getByLabel('An image failed').uncheck();
  expect(await dialog(page).getByLabel('Kind').count()).toBe(0);
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await dialog(page).waitFor({ state: 'hidden' });

  const form = new FormData();
  form.set('prompt', 'On a wooden table');
  form.append('photos', new Blob([new Uint8Array(await samplePhoto())], { type: 'image/png' }), 'cup.png');
  const key = await giveKey(stack, seller, { test: true });
  expect((await callWithKey(stack.url, key, 'POST', v1Paths.generations, form)).status).toBe(202);
  await expect.poll(() => receiver.at('/tests').length, eventually).toBe(1);
  expect(verified(receiver.at('/tests')[0]!, secret)).toMatchObject({
    type: 'generation.succeeded',
    mode: 'test',
  });
  expect(receiver.at('/real')).toEqual([]);
});

test('long addresses and every step fit a phone, and the most that there can be is said', async ({
  stack,
  openWindow,
}) => {
  const seller = await stack.seller();
  for (let made = 0; made < limits.webhooks; made += 1)
    await makeWebhook(seller, `${receiver.url('/')}${'a'.repeat(200)}${made}`);
  const { page, problems } = await openWindow({ viewport: { width: 390, height: 844 }, hasTouch: true });
  await shareSession(stack, page, seller);
  await openProfile(stack, page, 'apiKeys');
  await page.getByText(`You have ${limits.webhooks} live webhooks, which is the most.`).waitFor();
  const faults = await layoutProblems(page, 'webhooks');
  // Those for tests are counted by themselves.
  await page.getByRole('button', { name: 'Add a webhook' }).click();
  const kinds = dialog(page).getByLabel('Kind');
  expect(await kinds.getByRole('option').allTextContents()).toEqual(['Test: images of test keys']);
  faults.push(...(await layoutProblems(page, 'add', '[role=dialog]')));
  await page.keyboard.press('Escape');
  for (let made = 0; made < limits.webhooks; made += 1)
    await makeWebhook(seller, receiver.url(`/test-${made}`), undefined, 'test');
  await page.reload();
  await page.getByText(`You have ${limits.webhooks} test webhooks, which is the most.`).waitFor();
  expect(await page.getByRole('button', { name: 'Add a webhook' }).isDisabled()).toBe(true);
  await item(page, 'a0').getByRole('button', { name: 'Deliveries' }).click();
  await dialog(page).getByRole('button', { name: 'Send a test event' }).click();
  await dialog(page).getByText('Delivered', { exact: true }).waitFor();
  await dialog(page).getByText(testEvent, { exact: true }).click();
  faults.push(...(await layoutProblems(page, 'deliveries', '[role=dialog]')));
  await page.keyboard.press('Escape');
  await item(page, 'a0').getByRole('button', { name: 'Edit' }).click();
  faults.push(...(await layoutProblems(page, 'edit', '[role=dialog]')));
  expect([...faults, ...problems]).toEqual([]);
});
