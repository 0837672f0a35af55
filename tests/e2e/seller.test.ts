import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  accessibilityProblems,
  launchBrowser,
  looks,
  openBrowserWindow,
  overflow,
} from '#tests/support/browser.ts';
import { testPassword } from '#tests/support/seller.ts';
import { startTestStack, type TestStack } from '#tests/support/stack.ts';
import {
  cup,
  description,
  generate,
  newEmail,
  openStudio,
  picker,
  signIn,
} from '#tests/support/studio-page.ts';

let stack: TestStack;
let browser: Browser;
beforeAll(async () => {
  [stack, browser] = await Promise.all([startTestStack(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});
beforeEach(() => stack.images.reset());

test('a seller generates, watches and downloads; the second window agrees', async () => {
  const { page, problems } = await openBrowserWindow(browser, { acceptDownloads: true });
  const email = newEmail();
  await openStudio(stack, page, email);
  await page.getByText('100 of 100 left').first().waitFor();

  await generate(page);
  await page.getByText('Please upload at least one product image').waitFor();
  await picker(page).setInputFiles([cup, cup]);
  // The focus moves to the other photo's button, then to the button that adds one.
  const remove = page.getByRole('button', { name: 'Remove coffee-cup.png' });
  await remove.first().click();
  await remove.and(page.locator(':focus')).waitFor();
  await remove.click();
  await page
    .getByRole('button', { name: /^Add product photos/ })
    .and(page.locator(':focus'))
    .waitFor();
  await picker(page).setInputFiles(cup);
  await generate(page);
  await page.getByText('Please enter a scene description').waitFor();

  await description(page).fill('warm morning');
  await page.getByRole('button', { name: 'Product on Wooden Table' }).click();
  // The caret is at the end.
  await page.keyboard.type(' light');
  expect(await description(page).inputValue()).toBe('Product on Wooden Table: warm morning light');
  await page.getByText('Ready to Generate').waitFor();

  const second = await openBrowserWindow(browser);
  await signIn(stack, second.page, email);
  await stack.images.set({ behaviours: [{ kind: 'hold' }] });
  await generate(page);
  await page.getByText('Creating your product visualization...').waitFor();
  await stack.images.waitFor({ waiting: 1 });
  await page.getByText('99 of 100 left').first().waitFor();
  await second.page.getByText('99 of 100 left').first().waitFor();
  await stack.images.release();

  const link = page.getByRole('link', { name: 'Download' });
  await link.waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect(download.suggestedFilename()).toMatch(/^Coffee-cup-\d{4}-\d{2}-\d{2}\.png$/);
  const image = await sharp(await readFile(await download.path())).metadata();
  expect(image).toMatchObject({ format: 'png', width: 1024, height: 1024 });
  await second.page
    .getByRole('button', { name: /coffee cup/i })
    .first()
    .waitFor();

  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByText('Ready to Generate').waitFor();
  await page.reload();
  await page
    .getByRole('button', { name: /coffee cup/i })
    .first()
    .waitFor();
  expect([...problems, ...second.problems]).toEqual([]);
  expect(await stack.audit()).toEqual([]);
  await Promise.all([page.context().close(), second.page.context().close()]);
});

test('a double click makes one image', async () => {
  const { page } = await openBrowserWindow(browser);
  await openStudio(stack, page);
  await picker(page).setInputFiles(cup);
  await description(page).fill('On white');
  await page.getByRole('button', { name: 'Generate Image' }).dblclick();
  await page.getByRole('link', { name: 'Download' }).waitFor();
  await page.getByText('99 of 100 left').first().waitFor();
  expect((await stack.images.state()).calls).toHaveLength(1);
  await page.context().close();
});

test('a server restart in the middle of a job ends with the right screen, without a reload', async () => {
  const { page } = await openBrowserWindow(browser);
  await openStudio(stack, page);
  await picker(page).setInputFiles(cup);
  await description(page).fill('On marble');
  await stack.images.set({ behaviours: [{ kind: 'hold' }] });
  await generate(page);
  await stack.images.waitFor({ waiting: 1 });
  await page.evaluate('window.notReloaded = true');
  await stack.restartServer();
  await stack.images.release();
  await page.getByRole('link', { name: 'Download' }).waitFor();
  expect(await page.evaluate('window.notReloaded')).toBe(true);
  await page.context().close();
});

test('a failure says why, is not counted, and can be tried again; a running one can be cancelled', async () => {
  const { page } = await openBrowserWindow(browser);
  await openStudio(stack, page);
  await picker(page).setInputFiles(cup);
  await description(page).fill('On sand');
  await stack.images.set({
    behaviours: [
      { kind: 'error', status: 400, code: 'moderation_blocked', type: 'image_generation_user_error' },
      { kind: 'hold' },
    ],
  });
  await generate(page);
  await page.getByText('declined by its content policy').first().waitFor();
  await page.getByText('100 of 100 left').first().waitFor();
  await page
    .getByRole('button', { name: /try again/i })
    .first()
    .click();
  await stack.images.waitFor({ waiting: 1 });
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('No image was used.').first().waitFor();
  await page.getByText('100 of 100 left').first().waitFor();
  expect(await stack.audit()).toEqual([]);
  await page.context().close();
});

test('signing out in one window ends the other; a stranger is sent to the login and back', async () => {
  const email = newEmail();
  const { page } = await openBrowserWindow(browser);
  await openStudio(stack, page, email);
  const context = page.context();
  const other = await context.newPage();
  await other.goto(`${stack.url}/dashboard`);
  await description(other).waitFor();
  await page.getByRole('button', { name: /account of/i }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await page.waitForURL('**/login');
  await other.waitForURL('**/login');
  await other.goto(`${stack.url}/profile`);
  await other.waitForURL('**/login');
  await other.getByLabel('Email').fill(email);
  await other.getByLabel('Password', { exact: true }).fill(testPassword);
  await other.getByRole('button', { name: 'Sign In' }).click();
  await other.waitForURL('**/profile');
  await other.getByText(email).first().waitFor();
  await context.close();
});

for (const { colorScheme, width } of looks) {
  test(`every page is accessible and fits: ${colorScheme}, ${width} px`, async () => {
    const { page } = await openBrowserWindow(browser, {
      colorScheme,
      viewport: { width, height: 844 },
    });
    const problems: string[] = [];
    const look = async (name: string) => {
      problems.push(...(await accessibilityProblems(page)).map((problem) => `${name}: ${problem}`));
      const wider = await overflow(page);
      if (wider > 0) problems.push(`${name}: ${wider} px wider than the window`);
    };
    for (const path of ['/', '/login', '/signup', '/nowhere']) {
      await page.goto(stack.url + path);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await look(path);
    }
    await openStudio(stack, page);
    await look('/dashboard, empty');
    await picker(page).setInputFiles(cup);
    await description(page).fill('On oak');
    await page.getByText('Ready to Generate').waitFor();
    await look('/dashboard, ready');
    await stack.images.set({ behaviours: [{ kind: 'hold' }] });
    await generate(page);
    await stack.images.waitFor({ waiting: 1 });
    await look('/dashboard, running');
    await stack.images.release();
    await page.getByRole('link', { name: 'Download' }).waitFor();
    await look('/dashboard, done');
    await page.goto(`${stack.url}/profile`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await look('/profile');
    expect(problems).toEqual([]);
    await page.context().close();
  });
}
