/** With forced colours, what is current, chosen or pressed can be told from what is not, on every page that has it. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { pages } from '#contract';
import { openAs } from '#tests/support/account-steps.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { cup, picker, removeButtons } from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser();
test.beforeEach(({ stack }) => stack.images.reset());

/** Elements in a state that is drawn with colours: [what it is, whether it is in the state, the outline]. */
const drawnStates = (page: Page) =>
  page.evaluate<[name: string, isOn: boolean, outline: string][]>(`(() => {
    const states = [
      ['[aria-current]', (element) => element.getAttribute('aria-current') !== 'false'],
      ['[aria-pressed]', (element) => element.getAttribute('aria-pressed') === 'true'],
      ['[aria-selected]', (element) => element.getAttribute('aria-selected') === 'true'],
      ['label:has(input.sr-only:is([type=radio], [type=checkbox]))', (element) => element.querySelector('input').checked],
    ];
    return states.flatMap(([selector, isOn]) =>
      [...document.querySelectorAll(selector)]
        .filter((element) => element.checkVisibility() && element !== document.activeElement)
        .map((element) => {
          const { outlineStyle, outlineWidth } = getComputedStyle(element);
          const name = selector + ' ' + (element.ariaLabel ?? element.textContent).trim().slice(0, 40);
          return [name, isOn(element), outlineStyle === 'none' ? 'none' : outlineWidth];
        }));
  })()`);

const places: readonly [name: string, path: string, ready: (page: Page) => Promise<unknown>][] = [
  ['the landing page', '/', (page) => page.getByText('Made with Packshot beforehand').waitFor()],
  [
    'the studio with a photo',
    pages.dashboard,
    async (page) => {
      await picker(page).setInputFiles(cup);
      await removeButtons(page).first().waitFor();
      await page.getByRole('button', { name: /^Dark slate(,|$)/ }).click();
    },
  ],
  ['the library', pages.library, (page) => page.locator('[data-mark] > span').first().click()],
  [
    'a new batch',
    `${pages.batches}/new`,
    async (page) => {
      await page.locator('input[type=file]').first().setInputFiles(cup);
      await page.getByRole('button', { name: /Scenes$/ }).click();
    },
  ],
  ['a guide', '/documentation/exports', (page) => page.getByRole('heading', { level: 1 }).waitFor()],
];

test.for(places)('on %s', async ([, path, ready], { stack, finishedImage }) => {
  const { page, seller } = await finishedImage({}, { forcedColors: 'active' });
  await page.setViewportSize({ width: 1_440, height: 900 });
  await openAs(stack, page, seller, path);
  await ready(page);
  const drawn = await drawnStates(page);
  expect(drawn.filter(([, isOn]) => isOn).length).toBeGreaterThan(0);
  expect(drawn.filter(([, isOn, outline]) => (outline === 'none') === isOn)).toEqual([]);
});
