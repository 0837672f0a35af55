/** An upload continues on public pages, is sent again without a reply, and ends when the seller signs out. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { GenerationSet } from '#contract';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { generate, holdUploads } from '#tests/support/studio-page.ts';

/** A studio with a filled-in form. Its uploads are held until the test continues or aborts them. */
const test = testWithStackAndBrowser().extend('heldStudio', async ({ filledStudio }) => {
  const { page } = await filledStudio('On oak');
  const { keys, next } = await holdUploads(page);
  return { page, keys, nextUpload: next };
});
test.beforeEach(({ stack }) => stack.images.reset());

async function openProfile(page: Page): Promise<void> {
  await page.getByRole('button', { name: /account of/i }).click();
  await page.getByRole('menuitem', { name: 'Profile' }).click();
  await page.waitForURL('**/profile');
}
async function backToStudio(page: Page): Promise<void> {
  await page
    .getByRole('link', { name: /studio/i })
    .first()
    .click();
  await page.waitForURL('**/dashboard');
}

test('an upload continues on a public page', async ({ stack, heldStudio }) => {
  const { page, keys, nextUpload } = heldStudio;
  await generate(page);
  const upload = await nextUpload();
  await page.getByRole('button', { name: 'Help' }).click();
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /contact/i })
    .click();
  await page.waitForURL('**/contact');
  const [answer] = await Promise.all([
    page.waitForResponse((reply) => reply.request().method() === 'POST' && reply.status() === 202),
    upload.continue(),
  ]);
  const { generations } = (await answer.json()) as GenerationSet;
  const { id } = generations[0]!;
  expect(new URL(page.url()).pathname).toBe('/contact');
  await page.goBack();
  await page.waitForURL('**/dashboard*');
  await page.getByText('99 of 100 left').first().waitFor();
  expect(keys).toHaveLength(1);
  expect(await stack.models.generations.findById(id).lean()).not.toBeNull();
});

test('an upload without a reply is resent with the same idempotency key, also after leaving the studio', async ({
  heldStudio,
}) => {
  const { page, keys, nextUpload } = heldStudio;
  await generate(page);
  await openProfile(page);
  for (let tries = 1; tries <= 3; tries += 1) await (await nextUpload()).abort();
  await page.getByText("We couldn't reach Packshot. Check your connection and try again.").waitFor();

  await backToStudio(page);
  await page.getByText('Ready to Generate').waitFor();
  await generate(page);
  await (await nextUpload()).continue();
  await page.getByRole('link', { name: 'Download' }).waitFor();
  await page.getByText('99 of 100 left').first().waitFor();
  expect(keys).toHaveLength(4);
  expect(new Set(keys).size).toBe(1);
});

test('signing out aborts an upload', async ({ heldStudio }) => {
  const { page, nextUpload } = heldStudio;
  await generate(page);
  await nextUpload();
  const ended = page.waitForEvent('requestfailed', (request) => request.method() === 'POST');
  await page.getByRole('button', { name: /account of/i }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await page.waitForURL('**/login');
  await ended;
});
