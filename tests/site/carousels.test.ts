import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { BrowserWindow } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { moveFingers } from '#tests/support/fingers.ts';

const seconds = (number: number) => number * 1000;
const carousel = (page: Page) => page.locator('[aria-roledescription="carousel"]');
const slide = (page: Page, place: number) => carousel(page).locator(`[data-place="${place}"]`);
/** The slide in the centre, such as `3 of 8`. */
const centre = (page: Page) => slide(page, 0).getAttribute('aria-label');
const announcement = (page: Page) => carousel(page).locator('[aria-live]').textContent();

const test = testWithStackAndBrowser({ workers: 0 }).extend(
  'openCarousel',
  ({ stack, openWindow }) =>
    /** Opens a page whose clock stands still, and scrolls to its carousel of so many slides. */
    async (path: string, slides: number, options: BrowserContextOptions = {}): Promise<BrowserWindow> => {
      const window = await openWindow({ reducedMotion: 'no-preference', ...options });
      const { page } = window;
      await page.clock.install({ time: 0 });
      await page.clock.pauseAt(1000);
      await page.goto(stack.url + path);
      await carousel(page).waitFor();
      // In the middle of the window; the header would cover its top.
      await carousel(page).evaluate((element) => element.scrollIntoView({ block: 'center' }));
      // The carousel has noticed that it is on the screen, and loads all of its slides.
      await expect.poll(() => carousel(page).locator('[data-place] img').count()).toBe(slides);
      return window;
    },
);

const pagesWithCarousel = [
  { path: '/', slides: 8 },
  { path: '/login', slides: 10 },
];

for (const { path, slides } of pagesWithCarousel) {
  test(`${path}: five of ${slides} slides are visible, the one in the centre is the largest`, async ({
    openCarousel,
  }) => {
    const { page } = await openCarousel(path, slides);
    const widths = [];
    for (const place of [-2, -1, 0, 1, 2]) {
      await slide(page, place).waitFor({ state: 'visible' });
      const { x, width } = (await slide(page, place).boundingBox())!;
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(1280);
      widths.push(Math.round(width));
    }
    const [outer, inner, middle] = widths as [number, number, number];
    expect(widths).toEqual([outer, inner, middle, inner, outer]);
    expect(outer).toBeLessThan(inner);
    expect(inner).toBeLessThan(middle);
    expect(await carousel(page).locator('[data-place="3"], [data-place="-3"]').count()).toBe(slides - 5);
    for (const hidden of await carousel(page).locator('[data-place="3"], [data-place="-3"]').all()) {
      expect(await hidden.isVisible()).toBe(false);
    }
  });

  test(`${path}: the carousel moves every 12 seconds`, async ({ openCarousel }) => {
    const { page, problems } = await openCarousel(path, slides);
    await page.clock.runFor(seconds(12) - 1);
    expect(await centre(page)).toBe(`1 of ${slides}`);
    await page.clock.runFor(1);
    expect(await centre(page)).toBe(`2 of ${slides}`);
    for (let turn = 2; turn <= slides; turn += 1) await page.clock.runFor(seconds(12));
    expect(await centre(page)).toBe(`1 of ${slides}`);
    // What happens by itself is not announced.
    expect(await announcement(page)).toBe('');
    expect(problems).toEqual([]);
  });

  test(`${path}: a click on a side slide centres it, then nothing moves for 5 seconds`, async ({
    openCarousel,
  }) => {
    const { page } = await openCarousel(path, slides);
    const clickSlide = async (number: number) => {
      const button = page.getByRole('button', { name: `Show image ${number} of ${slides}` });
      const { x, y, width, height } = (await button.boundingBox())!;
      // On its outer edge, where no other slide covers it.
      await page.mouse.click(x + width - 8, y + height / 2);
      await page.mouse.move(640, 1);
    };
    await clickSlide(3);
    expect(await centre(page)).toBe(`3 of ${slides}`);
    expect(await announcement(page)).toMatch(new RegExp(`^3 of ${slides}: .{20,}`));
    await page.clock.runFor(seconds(5) - 1);
    const next = page.getByRole('button', { name: 'Next image' });
    // Forced, because Playwright waits for a button with `aria-disabled`.
    await next.click({ force: true });
    expect(await centre(page)).toBe(`3 of ${slides}`);
    await page.clock.runFor(1);
    await next.click();
    expect(await centre(page)).toBe(`4 of ${slides}`);
    // The 12 seconds start again with the move.
    await page.mouse.move(640, 1);
    await page.clock.runFor(seconds(12) - 1);
    expect(await centre(page)).toBe(`4 of ${slides}`);
    await page.clock.runFor(1);
    expect(await centre(page)).toBe(`5 of ${slides}`);
  });
}

test('the carousel holds while the pointer is on it, and while the keyboard is', async ({ openCarousel }) => {
  const { page } = await openCarousel('/', 8);
  await slide(page, 0).hover();
  await page.clock.runFor(seconds(60));
  expect(await centre(page)).toBe('1 of 8');
  await page.mouse.move(640, 1);
  await page.clock.runFor(seconds(12));
  expect(await centre(page)).toBe('2 of 8');

  // The keyboard's focus comes from the last link before the carousel.
  await page.getByRole('button', { name: 'Next image' }).focus();
  await page.keyboard.press('Shift+Tab');
  await page.clock.runFor(seconds(60));
  expect(await centre(page)).toBe('2 of 8');
  await page.keyboard.press('ArrowRight');
  expect(await centre(page)).toBe('3 of 8');
  await page.keyboard.press('ArrowRight');
  expect(await centre(page)).toBe('3 of 8');
  await page.clock.runFor(seconds(5));
  await page.keyboard.press('ArrowLeft');
  expect(await centre(page)).toBe('2 of 8');
});

test('Pause stops the carousel until Play', async ({ openCarousel }) => {
  const { page } = await openCarousel('/', 8);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.mouse.move(640, 1);
  await page.clock.runFor(seconds(60));
  expect(await centre(page)).toBe('1 of 8');
  await page.getByRole('button', { name: 'Play' }).click();
  // It continues although the pointer is still on the button.
  await page.clock.runFor(seconds(12));
  expect(await centre(page)).toBe('2 of 8');
});

test('the carousel holds when it is scrolled out of view, and in a hidden tab', async ({ openCarousel }) => {
  const { page } = await openCarousel('/', 8);
  const setHidden = (hidden: boolean) =>
    page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, value: ${hidden} });
      document.dispatchEvent(new Event('visibilitychange'))`);
  await setHidden(true);
  await page.clock.runFor(seconds(60));
  expect(await centre(page)).toBe('1 of 8');
  await setHidden(false);
  await page.clock.runFor(seconds(12));
  expect(await centre(page)).toBe('2 of 8');

  const outOfView = page.evaluate(`new Promise((resolve) => {
    const observer = new IntersectionObserver(([entry]) => entry.isIntersecting || resolve());
    observer.observe(document.querySelector('[aria-roledescription="carousel"]'));
  })`);
  await page.evaluate('scrollTo(0, document.body.scrollHeight)');
  await outOfView;
  await page.clock.runFor(seconds(60));
  expect(await centre(page)).toBe('2 of 8');
});

test('with reduced motion the carousel moves only when it is told to, and without transitions', async ({
  openCarousel,
}) => {
  const { page } = await openCarousel('/', 8, { reducedMotion: 'reduce' });
  await page.clock.runFor(seconds(60));
  expect(await centre(page)).toBe('1 of 8');
  expect(await page.getByRole('button', { name: 'Pause' }).isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Previous image' }).click();
  expect(await centre(page)).toBe('8 of 8');
  const duration = await page.evaluate<string>(
    `getComputedStyle(document.querySelector('[data-place="0"]')).transitionDuration`,
  );
  expect(Math.max(...duration.split(',').map(Number.parseFloat))).toBeLessThanOrEqual(0.001);
  // The choice of the system may change while the page is open.
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.mouse.move(640, 1);
  await page.clock.runFor(seconds(12));
  expect(await centre(page)).toBe('1 of 8');
});

test('on a phone there is one slide with three thumbnails, and it can be swiped', async ({
  openCarousel,
}) => {
  const { page } = await openCarousel('/', 8, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const { x, width } = (await slide(page, 0).boundingBox())!;
  expect(Math.round(x)).toBe(16);
  expect(Math.round(width)).toBe(358);
  const thumbnails = carousel(page).getByRole('listitem').getByRole('button');
  expect(await thumbnails.count()).toBe(3);
  expect(await thumbnails.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')))).toEqual([
    'Show image 8 of 8',
    'Show image 1 of 8',
    'Show image 2 of 8',
  ]);
  await thumbnails.nth(2).tap();
  expect(await centre(page)).toBe('2 of 8');

  const { y, height } = (await slide(page, 0).boundingBox())!;
  const at = (touchX: number) => ({ x: touchX, y: y + height / 2 });
  const swipe = (from: number, to: number) => moveFingers(page, { from: at(from), to: at(to) });
  await swipe(300, 100);
  expect(await centre(page)).toBe('2 of 8');
  await page.clock.runFor(seconds(5));
  await swipe(300, 100);
  await expect.poll(() => centre(page)).toBe('3 of 8');
  await page.clock.runFor(seconds(5));
  await swipe(100, 300);
  await expect.poll(() => centre(page)).toBe('2 of 8');
});

test('a slide that is dragged with the mouse is not clicked: the carousel moves by one', async ({
  openCarousel,
}) => {
  const { page } = await openCarousel('/', 8);
  const { x, y, width, height } = (await slide(page, 2).boundingBox())!;
  const drag = async (by: number) => {
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2 + by, y + height / 2, { steps: 5 });
    await page.mouse.up();
  };
  // Too short for a swipe, too long for a click.
  await drag(-30);
  expect(await centre(page)).toBe('1 of 8');
  await drag(-120);
  expect(await centre(page)).toBe('2 of 8');
  await page.clock.runFor(seconds(5));
  await slide(page, 2).click();
  expect(await centre(page)).toBe('4 of 8');
});

test('the sign-in page of a phone loads none of the pictures', async ({ stack, openWindow }) => {
  const { page } = await openWindow({ viewport: { width: 390, height: 844 } });
  const pictures: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'image' && !/favicon/.test(request.url())) pictures.push(request.url());
  });
  await page.goto(`${stack.url}/login`);
  await page.getByLabel('Email').waitFor();
  await page.waitForLoadState('networkidle');
  expect(await carousel(page).isVisible()).toBe(false);
  expect(pictures).toEqual([]);
});
