/** Packshot on an address of the local network, without https: the browser calls it no secure context. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { signIn } from '#tests/support/account-steps.ts';
import { batchFolder } from '#tests/support/batch-folder.ts';
import { lanHost } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { press } from '#tests/support/page-steps.ts';
import { fillInStudio, generate } from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser().extend('lanPage', async ({ stack, openWindow }) => {
  const { email } = await stack.seller();
  const window = await openWindow();
  const url = stack.url.replace('127.0.0.1', lanHost);
  await signIn({ ...stack, url }, window.page, email);
  expect(await window.page.evaluate('isSecureContext')).toBe(false);
  return { ...window, url };
});

test('an image is made of a photo', async ({ lanPage: { page, problems } }) => {
  await fillInStudio(page, 'On oak');
  await generate(page);
  await page.getByRole('link', { name: 'Download', exact: true }).waitFor();
  expect(problems).toEqual([]);
});

test('a batch is made of a table and a folder of photos', async ({ lanPage: { page, problems, url } }) => {
  const folder = await batchFolder(2);
  await page.goto(`${url}/batch/new`);
  await choose(page, 'Choose a table', join(folder, 'autumn.csv'));
  await choose(page, 'Choose a folder', join(folder, 'photos'));
  await press(page, 'Show the first that is not ready');
  await press(page, 'Remove photo Product 3.PNG of row 2');
  await press(page, 'Choose photos of row 2');
  await page.getByRole('checkbox', { name: 'product-2.png' }).check();
  await press(page, 'Use these photos');
  await press(page, 'Make 3 images: 3 of your 100 left');
  await page.getByRole('button', { name: 'Make 3 images', exact: true }).click();
  await page.getByText('3 of 3 images done').waitFor();
  expect(problems).toEqual([]);
});

const choose = (page: Page, label: string, path: string) =>
  page.locator(`input[aria-label="${label}"]`).setInputFiles(path);
