/** Where things are in the studio: what is in view, what has the focus, and what an earlier image does to the form. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';
import { contentRefused } from '#tests/support/provider-calls.ts';
import {
  chooseShape,
  cup,
  description,
  download,
  fillInStudio,
  generate,
  openForm,
  openStudio,
  picker,
  removeButtons,
} from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser();
test.beforeEach(({ stack }) => stack.images.reset());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Whether the middle of an element can be clicked: it is in the window, and nothing lies over it. */
const isInView = (element: Locator) =>
  element.evaluate((node) => {
    interface Shown {
      getBoundingClientRect(): Record<'left' | 'top' | 'width' | 'height', number>;
      contains(other: unknown): boolean;
    }
    const { document } = globalThis as unknown as {
      document: { elementFromPoint(x: number, y: number): unknown };
    };
    const shown = node as unknown as Shown;
    const { left, top, width, height } = shown.getBoundingClientRect();
    return shown.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });

test('the buttons of a finished image are in view in windows of every size, of every shape, and on phones the bar below the dock', async ({
  finishedImage,
  stack,
}) => {
  const { page, problems, seller } = await finishedImage();
  const tall = await seller.submit({
    fields: [
      ['width', '1024'],
      ['height', '1536'],
    ],
  });
  await expect.poll(async () => (await seller.generation(tall.id)).state, eventually).toBe('succeeded');
  const hidden: string[] = [];
  for (const path of [page.url(), `${stack.url}/dashboard?generation=${tall.id}`]) {
    await page.goto(path);
    await download(page).waitFor();
    for (const [width, height] of [
      [1440, 900],
      [1024, 768],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      const parts = [
        download(page),
        ...['Other formats', 'Edit', 'Compare', 'Change', 'More', 'Generate Image'].map((name) =>
          button(page, name),
        ),
        ...(width < 640
          ? [page.getByRole('link', { name: 'Library' }), button(page, 'Words and options')]
          : []),
      ];
      for (const part of parts) {
        await expect
          .poll(() => isInView(part), eventually)
          .toBe(true)
          .catch(() => hidden.push(`${width} × ${height}: ${part}`));
      }
    }
  }
  expect(hidden).toEqual([]);
  expect(problems).toEqual([]);
});

test('what is missing is said beside the button, which moves the focus there', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  await openStudio(stack, page);
  await page.getByText('Add a photo and a scene first').waitFor();
  // The scenes are there without a photo, too.
  await button(page, 'Scenes').click();
  const slate = page.getByRole('region', { name: 'Scenes' }).getByRole('button', { name: 'Dark slate' });
  await slate.click();
  await expect.poll(() => description(page).inputValue(), eventually).toMatch(/^On dark slate/);
  await slate.click();
  await expect.poll(() => description(page).inputValue(), eventually).toBe('');
  await button(page, 'Scenes').click();
  await generate(page);
  await page.getByRole('alert').getByText('Please upload at least one product image').waitFor();
  await button(page, 'Upload product images').and(page.locator(':focus')).waitFor();
  await picker(page).setInputFiles(cup);
  await page.getByText('Choose or describe a scene first').waitFor();
  await generate(page);
  await page.getByRole('alert').getByText('Please enter a scene description').waitFor();
  await description(page).and(page.locator(':focus')).waitFor();
  await description(page).fill('On oak');
  await page.getByText('Makes 1 image, leaves 99').waitFor();
  // Whoever types at the bottom is not taken elsewhere.
  await page.evaluate('window.scrollTo(0, 200)');
  await description(page).press('End');
  await page.keyboard.type(' in the sun');
  expect(await page.evaluate('window.scrollY')).toBe(200);
  expect(problems).toEqual([]);
});

test('an earlier image leaves the form alone until its settings are asked for; what failed is not among them', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  await openStudio(stack, page);
  await fillInStudio(page, 'On oak');
  await chooseShape(page, '4:5');
  await generate(page);
  await download(page).waitFor();
  // Made from the form as it is: there is nothing to put into it.
  expect(await button(page, 'Use these settings').count()).toBe(0);
  await button(page, 'Clear').click();
  await removeButtons(page).click();
  await description(page).fill('On slate');
  await chooseShape(page, '1:1');

  const strip = page.getByRole('region', { name: 'Earlier images' }).getByRole('button');
  await strip.click();
  await download(page).waitFor();
  await openForm(page);
  expect(await description(page).inputValue()).toBe('On slate');
  await button(page, 'Close').click();
  await button(page, 'Use these settings').click();
  await page.getByText('The photos, words and options of this image are in the form now.').waitFor();
  expect(await description(page).inputValue()).toBe('On oak');
  expect(await page.getByRole('radio', { name: '4:5' }).isChecked()).toBe(true);
  expect(await removeButtons(page).count()).toBe(1);
  await page.reload();
  await openForm(page);
  await expect.poll(() => description(page).inputValue(), eventually).toBe('On oak');
  expect(await page.getByRole('radio', { name: '4:5' }).isChecked()).toBe(true);
  expect(await layoutProblems(page, 'the open form')).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });

  await stack.images.set({ behaviours: [contentRefused] });
  await generate(page);
  await button(page, 'Try again').waitFor();
  await button(page, 'Clear').click();
  await expect.poll(() => strip.count(), eventually).toBe(1);
  expect(problems).toEqual([]);
});
