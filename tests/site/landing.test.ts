import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { sceneTemplates } from '#contract';
import { heading, openDashboard } from '#tests/support/account-steps.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';

const test = testWithStackAndBrowser({ workers: 0 }).extend(
  'landing',
  ({ stack, openWindow }) =>
    async () => {
      const window = await openWindow();
      await window.page.goto(stack.url);
      await heading(window.page, 'Your product, on any set you can describe');
      return window;
    },
);

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('has every part, is accessible in both themes, and fits phone and desktop', async ({ landing }) => {
  const { page, problems } = await landing();
  const headings = await page.getByRole('heading', { level: 2 }).allTextContents();
  expect(headings).toEqual(
    expect.arrayContaining(['How It Works', 'Perfect For', 'Simple Pricing', 'Why Choose Packshot']),
  );
  const titles = await page.getByRole('heading', { level: 3 }).allTextContents();
  for (const title of [
    'Lightning Fast',
    'Studio Quality',
    'Scale Easily',
    'Upload Your Product',
    'Describe Your Scene',
    'Generate & Download',
    'Commerce Products',
    'Marketing Campaigns',
    'Fashion Shoots',
    'Product Advertising',
    'A whole folder at once',
    'Files that marketplaces accept',
  ]) {
    expect(titles).toContain(title);
  }
  expect(await layoutProblems(page, '/')).toEqual([]);
  expect(problems).toEqual([]);
});

test('all text has our font, of which one file is loaded, and nothing moves when it comes', async ({
  stack,
  openWindow,
}) => {
  const { page } = await openWindow({ viewport: { width: 390, height: 844 } });
  const fonts: string[] = [];
  const late = Promise.withResolvers<void>();
  await page.route('**/*.woff2', async (route) => {
    fonts.push(route.request().url());
    await late.promise;
    await route.continue();
  });
  await page.goto(stack.url, { waitUntil: 'domcontentloaded' });
  await heading(page, 'Your product, on any set you can describe');
  await page.getByText('Your first 3 images are free').first().waitFor();
  // What moves from now on.
  await page.evaluate(`new PerformanceObserver((list) => {
    globalThis.moved = (globalThis.moved ?? 0) + list.getEntries().reduce((sum, { value }) => sum + value, 0);
  }).observe({ type: 'layout-shift' })`);
  const isThere = () =>
    page.evaluate<boolean>(
      `[...document.fonts].some(({ family, status }) => family.includes('Bricolage') && status === 'loaded')`,
    );
  expect(await isThere()).toBe(false);
  const lead = page.getByText('Upload photos of your product, describe the scene');
  const heightOf = () => lead.evaluate((element) => element.getBoundingClientRect().height);
  const height = await heightOf();
  late.resolve();
  await expect.poll(isThere).toBe(true);
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  expect(await heightOf()).toBe(height);
  expect(await page.evaluate<number>('globalThis.moved ?? 0')).toBeLessThan(0.005);
  expect(fonts).toHaveLength(1);
  const families = await page.evaluate<string[]>(
    `[...new Set([...document.querySelectorAll('p, a, button, dt, dd, h2')].map(
      (element) => getComputedStyle(element).fontFamily.split(',')[0],
    ))]`,
  );
  expect(families).toEqual(['"Bricolage Grotesque"']);
});

test('screens of the product are loaded when they come near', async ({ stack, openWindow }) => {
  const { page, problems } = await openWindow();
  const loaded: string[] = [];
  page.on('request', (request) => {
    loaded.push(...(/(?:batch|export)-\d+/.exec(request.url()) ?? []));
  });
  await page.goto(stack.url, { waitUntil: 'load' });
  expect(loaded).toEqual([]);
  await section(page, 'From a folder to your shops').scrollIntoViewIfNeeded();
  const images = `[...document.querySelectorAll('#screens img')]`;
  await expect
    .poll(() => page.evaluate<boolean[]>(`${images}.map(({ naturalWidth }) => naturalWidth > 0)`))
    .toEqual([true, true]);
  expect(loaded).toHaveLength(2);
  expect(problems).toEqual([]);
});

test('the slider moves by keyboard and by pointer, and each product has its own pair', async ({
  landing,
}) => {
  const { page } = await landing();
  const slider = page.getByRole('slider', { name: 'Border between photo and image' });
  const valueText = () => slider.getAttribute('aria-valuetext');
  const photo = page.locator('div:has(> input[type="range"]) > div:has(> picture)');
  /** How much of the photo is visible, in percent of its width. */
  const visiblePhoto = async () => {
    const clip = await page.evaluate<string>(
      `getComputedStyle(document.querySelector('div:has(> input[type="range"]) > div:has(> picture)')).clipPath`,
    );
    return 100 - Number(/inset\(0px (?:calc\(100% - )?([\d.]+)%/.exec(clip)?.[1]);
  };
  expect(await valueText()).toBe('50% photo, 50% image');
  expect(await visiblePhoto()).toBeCloseTo(50);
  await slider.focus();
  await page.keyboard.press('ArrowLeft');
  expect(await valueText()).toBe('49% photo, 51% image');
  await page.keyboard.press('End');
  expect(await valueText()).toBe('100% photo, 0% image');

  // The border follows the pointer, and reaches both edges.
  const { x, y, width, height } = (await photo.boundingBox())!;
  for (const percent of [0, 25, 80, 100]) {
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + (width * percent) / 100, y + height / 2, { steps: 3 });
    await page.mouse.up();
    expect(Number(await slider.inputValue())).toBeCloseTo(percent, -1);
  }

  const shown = () => page.locator('img[alt^="The image"]').first().getAttribute('alt');
  const alt = await shown();
  await page
    .getByRole('button', { name: /^Show this example/ })
    .nth(1)
    .click();
  expect(await shown()).not.toBe(alt);
});

test('the demo shows each product in each template at once, and says that the images were made beforehand', async ({
  stack,
  landing,
}) => {
  const { page } = await landing();
  const demo = section(page, 'See it with a sample product');
  await demo.scrollIntoViewIfNeeded();
  await demo.getByText('Made with Packshot beforehand').waitFor();
  const image = `document.querySelector('#demo figure img.z-1')`;
  const seen = new Set<string>();
  for (const product of ['Stoneware mug', 'Hand wash', 'Ceramic vase']) {
    await demo.locator('label', { hasText: product }).click();
    for (const template of sceneTemplates) {
      await demo.locator('label', { hasText: template }).click();
      expect(await demo.getByRole('radio', { name: template }).isChecked()).toBe(true);
      await expect.poll(() => page.evaluate<number>(`${image}.naturalWidth`)).toBeGreaterThan(0);
      seen.add(await page.evaluate<string>(`${image}.currentSrc`));
    }
  }
  expect(seen.size).toBe(3 * sceneTemplates.length);
  await demo.getByRole('link', { name: 'Try it with your product' }).click();
  await page.waitForURL(`${stack.url}/signup`);
});

test('links lead a visitor to sign up, with the plan that was chosen', async ({ stack, landing }) => {
  const { page } = await landing();
  await page.getByRole('main').getByRole('link', { name: 'Get started' }).click();
  await page.waitForURL(`${stack.url}/signup`);
  await page.goBack();
  await section(page, 'Simple Pricing').getByRole('link', { name: 'Choose Enterprise' }).click();
  await page.waitForURL(`${stack.url}/signup?plan=enterprise`);
  await page.getByText('Plan: Enterprise').click();
  expect(await page.getByRole('radio', { name: /Enterprise/ }).isChecked()).toBe(true);
});

test('whoever is signed in is led to the studio and to their plan', async ({ stack, openWindow }) => {
  const { page, problems } = await openWindow();
  const { email } = await stack.seller();
  await openDashboard(stack, page, email);
  await page.goto(stack.url);
  const main = page.getByRole('main');
  await main.getByRole('link', { name: 'Open your studio' }).first().waitFor();
  expect(await main.getByText(/Your first .* free\./).count()).toBe(0);
  await section(page, 'Simple Pricing').getByRole('link', { name: 'See your plan' }).first().click();
  await page.waitForURL(`${stack.url}/profile/plan#plans`);
  expect(problems).toEqual([]);
});

test('it names the free images of this installation', async ({ stack, openWindow }) => {
  const { page } = await openWindow();
  const offer = page.getByText(/Your first .*free/);
  for (const [setting, text] of [
    ['3', 'Your first 3 images are free. No card needed.'],
    ['1', 'Your first image is free. No card needed.'],
    ['5', 'Your first 5 images are free. No card needed.'],
  ] as const) {
    const { url } = await stack.startServer({ FREE_IMAGES: setting });
    await page.goto(url);
    await expect.poll(() => offer.allTextContents()).toEqual([text, text, text]);
  }
  const { url } = await stack.startServer({ FREE_IMAGES: '0' });
  await page.goto(url);
  await expect.poll(() => offer.count()).toBe(0);
});

test('Terms and Privacy open in a new tab from the sign-up form', async ({ stack, openWindow }) => {
  const { page } = await openWindow();
  await page.goto(`${stack.url}/signup`);
  await page.getByLabel('Full name').fill('Ana Müller');
  for (const [name, path] of [
    ['Terms of Service', '/terms'],
    ['Privacy Policy', '/privacy'],
  ] as const) {
    const [tab] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('main').getByRole('link', { name }).click(),
    ]);
    await tab.waitForURL(stack.url + path);
    await tab.close();
  }
  expect(await page.getByLabel('Full name').inputValue()).toBe('Ana Müller');
  expect(await page.getByRole('checkbox').isChecked()).toBe(false);
});
