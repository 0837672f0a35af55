import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Request } from 'playwright-core';
import sharp, { type Sharp } from 'sharp';
import { expect } from 'vitest';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { openAs, shareSession } from '#tests/support/account-steps.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';
import { testPassword } from '#tests/support/seller.ts';
import {
  cup,
  description,
  fillInStudio,
  generate,
  openStudio,
  picker,
  removeButtons,
} from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser();
test.beforeEach(({ stack }) => stack.images.reset());

test('the focus stays where the seller works: at the photos, and in the description', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  await openStudio(stack, page);
  await picker(page).setInputFiles([cup, cup]);
  // It moves to the other photo's button, then to the add button.
  const remove = page.getByRole('button', { name: 'Remove coffee-cup.png' });
  await remove.first().click();
  await remove.and(page.locator(':focus')).waitFor();
  await remove.click();
  await page.getByRole('button', { name: 'Upload product images' }).and(page.locator(':focus')).waitFor();
  await picker(page).setInputFiles(cup);
  await generate(page);
  await page.getByText('Please enter a scene description').waitFor();

  await description(page).fill('warm morning');
  const template = page.getByRole('button', { name: 'Product on Wooden Table' });
  await template.focus();
  await page.keyboard.press('Enter');
  expect(await description(page).inputValue()).toBe('Product on Wooden Table: warm morning');
  await template.and(page.locator(':focus')).waitFor();
  await page.getByText('Ready to Generate').waitFor();
  await generate(page);
  await page.getByRole('link', { name: 'Download' }).waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByText('Ready to Generate').waitFor();
  expect(problems).toEqual([]);
});

test('a double click generates one image', async ({ stack, filledStudio }) => {
  const { page } = await filledStudio('On white');
  await page.getByRole('button', { name: 'Generate Image' }).dblclick();
  await page.getByRole('link', { name: 'Download' }).waitFor();
  await page.getByText('99 of 100 left').first().waitFor();
  expect((await stack.images.state()).calls).toHaveLength(1);
});

test('after a server restart during a generation, the page shows its result without a reload', async ({
  stack,
  filledStudio,
}) => {
  const { page } = await filledStudio('On marble');
  await stack.images.set({ behaviours: [{ kind: 'hold' }] });
  await generate(page);
  await stack.images.waitFor({ waiting: 1 });
  await page.evaluate('window.notReloaded = true');
  await stack.restartServer();
  await stack.images.release();
  await page.getByRole('link', { name: 'Download' }).waitFor();
  expect(await page.evaluate('window.notReloaded')).toBe(true);
});

test('signing out in one window signs out the other; a protected page redirects to the sign-in page and back', async ({
  stack,
  openWindow,
}) => {
  const { page } = await openWindow();
  const { email } = await openStudio(stack, page);
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
});

test('without images left, the studio says when the plan renews and links to the plans', async ({
  stack,
  openWindow,
}) => {
  const seller = await stack.seller();
  const { page } = await openWindow();
  await stack.models.profiles.updateOne(
    { _id: seller.id },
    { $set: { generations_left: 0, settled: 100 }, $inc: { revision: 1 } },
  );
  await openAs(stack, page, seller, '/dashboard');
  await page.getByText('You have no images left').waitFor();
  await page.getByText(/100 images when your plan renews on/).waitFor();
  expect(await page.getByRole('button', { name: 'Generate Image' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Upgrade Plan' }).click();
  await page.waitForURL('**/profile/plan#plans');
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Available Plans');
});

test('the studio is shown as soon as its code and data have arrived', async ({ stack, openWindow }) => {
  const { page } = await openWindow();
  await shareSession(stack, page, await stack.seller());
  let arriving = 0;
  const isCounted = (request: Request) =>
    ['document', 'script', 'stylesheet', 'fetch'].includes(request.resourceType());
  page.on('request', (request) => {
    if (isCounted(request)) arriving += 1;
  });
  const arrived = (request: Request) => {
    if (isCounted(request)) arriving -= 1;
  };
  page.on('requestfinished', arrived);
  page.on('requestfailed', arrived);
  // The page's timers stand still, except for 5 ms at a time, while nothing is on its way: what the page itself waits for.
  await page.clock.install();
  await page.goto(stack.url);
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.goto(`${stack.url}/dashboard`);
  let waitedMs = 0;
  await expect
    .poll(async () => {
      if (await description(page).isVisible()) return 'visible';
      if (arriving > 0) return `${arriving} on their way`;
      await page.clock.runFor(5);
      waitedMs += 5;
      return `not visible after ${waitedMs} ms`;
    }, eventually)
    .toBe('visible');
  expect(waitedMs).toBeLessThan(300);
});

test("the web app is built with React's production build", async ({ stack }) => {
  const page = await (await fetch(stack.url)).text();
  const scripts = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map((match) => match[1]!);
  const texts = await Promise.all(scripts.map(async (path) => (await fetch(stack.url + path)).text()));
  expect(texts.join('\n')).toContain('Minified React error');
});

test('every page is accessible and fits the window', async ({ stack, openWindow }) => {
  const { page } = await openWindow();
  const problems: string[] = [];
  const check = async (name: string) => {
    problems.push(...(await layoutProblems(page, name)));
  };
  for (const path of ['/', '/login', '/signup', '/nowhere']) {
    await page.goto(stack.url + path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await check(path);
  }
  await openStudio(stack, page);
  await check('/dashboard, empty');
  await fillInStudio(page, 'On oak');
  await page.getByText('Ready to Generate').waitFor();
  await check('/dashboard, ready');
  await stack.images.set({ behaviours: [{ kind: 'hold' }] });
  await generate(page);
  await stack.images.waitFor({ waiting: 1 });
  await check('/dashboard, running');
  await stack.images.release();
  await page.getByRole('link', { name: 'Download' }).waitFor();
  await check('/dashboard, done');
  expect(problems).toEqual([]);
});

test('photos are checked before they are sent; several photos may show several products', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  await openStudio(stack, page);
  const mug = sharp(join(rootFolder, 'scripts/local/photos/mug-1.jpg'));
  const file = async (name: string, photo: Sharp) => ({
    name,
    mimeType: 'image/jpeg',
    buffer: await photo.jpeg({ quality: 95 }).toBuffer(),
  });
  await picker(page).setInputFiles([
    { name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('Just text') },
    await file('tiny.jpg', mug.clone().resize(80, 60)),
    {
      name: 'broken.jpg',
      mimeType: 'image/jpeg',
      buffer: Buffer.from('\xff\xd8\xff\xe0 no photo', 'latin1'),
    },
  ]);
  await page.getByText('“notes.png” is not a photo that can be opened.').waitFor();
  await page.getByText('“tiny.jpg” has fewer than 64 pixels on its short side.').waitFor();
  await page.getByText('“broken.jpg” is damaged or incomplete.').waitFor();
  expect(await removeButtons(page).count()).toBe(0);

  // This browser cannot show a HEIC: a tile with its name.
  const heic = await readFile(join(rootFolder, 'tests/support/heic/sideways-tiles.heic'));
  await picker(page).setInputFiles([{ name: 'IMG_1.HEIC', mimeType: 'image/heic', buffer: heic }]);
  await removeButtons(page).waitFor();
  await page.getByRole('listitem').getByText('IMG_1.HEIC').waitFor();
  await removeButtons(page).click();

  await picker(page).setInputFiles([
    await file('sharp.jpg', mug.clone()),
    // Larger than what is checked: browser and server reduce it each in their own way.
    await file('blurry.jpg', mug.clone().resize(2_600).blur(8)),
    await file('dark.jpg', mug.clone().resize(600, 400).linear(0.2, 0)),
    await file('bright.jpg', mug.clone().linear(2.4, 0)),
  ]);
  await page.getByText('“bright.jpg” is too bright').waitFor();
  const warnings = page.getByRole('listitem').filter({ hasText: 'gives a better image' });
  expect(await warnings.allInnerTexts()).toEqual([
    '“blurry.jpg” looks blurry. A sharp photo gives a better image.',
    '“dark.jpg” is small. A photo with at least 512 pixels on its short side gives a better image.',
    '“dark.jpg” is very dark. A photo with more light gives a better image.',
    '“bright.jpg” is too bright, so details are lost. A photo with less light gives a better image.',
  ]);
  expect(await layoutProblems(page, 'the studio with warnings')).toEqual([]);

  expect(await page.getByLabel('One product, several angles').isChecked()).toBe(true);
  await page.getByLabel('Several products in one picture').check();
  await description(page).fill('On oak');
  await generate(page);
  await page.getByRole('link', { name: 'Download' }).waitFor();
  const row = await stack.models.generations.findOne({ product_name: 'Sharp' }).lean();
  expect(row?.photos_show).toBe('several-products');
  expect(row?.photos.map((photo) => photo.warnings)).toEqual([[], ['blurry'], ['small', 'dark'], ['bright']]);
  expect(problems).toEqual([]);
});
