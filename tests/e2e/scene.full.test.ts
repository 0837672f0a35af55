/** The scene and the options of the form. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { imageStyles, sceneLibrary, sceneTemplates } from '#contract';
import { openDashboard } from '#tests/support/account-steps.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';
import { contentRefused } from '#tests/support/provider-calls.ts';
import {
  chooseShape,
  description,
  generate,
  openForm,
  openOptions,
  openStudio,
  picker,
} from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser();
test.beforeEach(({ stack }) => stack.images.reset());

const [wood, white] = sceneTemplates as [string, string, ...string[]];
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
/** A picture of a scene. */
const tile = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Scenes' }).getByRole('button', { name });
const [snow] = sceneLibrary.filter(({ id }) => id === 'winter-snow');

test('a sample, a scene of the library and chips make a description that stays the seller’s own; the tab says when the image is ready', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  await openDashboard(stack, page, (await stack.seller()).email);
  await button(page, 'Hand wash').click();
  await page.getByText('Ready to Generate').waitFor();
  expect(await page.getByLabel('Product name').inputValue()).toBe('Hand wash');
  expect(await description(page).inputValue()).toMatch(/^On white marble/);
  expect(await page.getByRole('img', { name: 'hand-wash.jpg' }).count()).toBe(1);

  await description(page).fill('Two lemons beside it.');
  await page.getByRole('button', { name: wood }).click();
  expect(await description(page).inputValue()).toBe(`${wood}: Two lemons beside it.`);
  // One tab stop: the arrow keys lead through the pictures, and `/` to the search.
  await page.keyboard.press('ArrowRight');
  await tile(page, white).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('/');
  await page.getByLabel('Search scenes').and(page.locator(':focus')).fill('snow');
  await expect.poll(() => tile(page, white).count(), eventually).toBe(0);
  expect(await layoutProblems(page, 'the scenes', '[aria-label=Scenes]')).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
  // The scene replaces the template.
  await tile(page, 'Winter snow').focus();
  await page.keyboard.press('Enter');
  const withSnow = `${snow!.description} Two lemons beside it.`;
  expect(await description(page).inputValue()).toBe(withSnow);
  await tile(page, 'Winter snow').and(page.locator('[aria-pressed=true]')).waitFor();
  await page.getByLabel('Light').selectOption({ label: 'Soft light' });
  await page.getByLabel('Angle').selectOption({ label: 'Top view' });
  expect(await description(page).inputValue()).toBe(
    `${withSnow} Soft diffused light, top view from directly above`,
  );
  await page.getByLabel('Angle').selectOption({ label: 'Any' });
  await button(page, 'Remove the scene Winter snow').click();
  const written = 'Two lemons beside it. Soft diffused light';
  expect(await description(page).inputValue()).toBe(written);
  expect(await layoutProblems(page, 'the form', 'form')).toEqual([]);

  await stack.images.set({ behaviours: [{ kind: 'hold', after: 'previews' }] });
  await generate(page);
  await expect.poll(() => page.title(), eventually).toMatch(/^\d+% · Creating… · Packshot$/);
  const setHidden = (hidden: boolean) =>
    page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));`);
  await setHidden(true);
  await stack.images.release();
  await expect.poll(() => page.title(), eventually).toBe('✓ Ready · Packshot');
  await setHidden(false);
  await expect.poll(() => page.title(), eventually).toBe('Studio · Packshot');
  expect(problems).toEqual([]);
});

test('in a low window, also with a banner, the button is visible; a file that is no photo is refused by name, each time', async ({
  stack,
  openWindow,
}) => {
  const { page } = await openWindow();
  const { id, email } = await stack.seller();
  await stack.models.profiles.updateOne(
    { _id: id },
    { $set: { subscription_status: 'past_due', grace_until: new Date(Date.now() + 86_400_000) } },
  );
  await openDashboard(stack, page, email);
  await page.getByText('Your last payment failed.').waitFor();
  const cutOff: string[] = [];
  for (const [width, height] of [
    [1280, 900],
    [1280, 768],
    [1280, 700],
    [1280, 600],
    [390, 667],
  ] as const) {
    await page.setViewportSize({ width, height });
    const isVisible = () =>
      button(page, 'Generate Image').evaluate((element) => {
        const { top, bottom } = (
          element as unknown as { getBoundingClientRect(): Record<'top' | 'bottom', number> }
        ).getBoundingClientRect();
        return top >= 0 && bottom <= (globalThis as unknown as { innerHeight: number }).innerHeight;
      });
    await expect
      .poll(isVisible)
      .toBe(true)
      .catch(() => cutOff.push(`${width} × ${height}`));
  }
  expect(cutOff).toEqual([]);

  const refusal = page.getByText('“notes.png” is not a photo that can be opened.');
  const addNotes = () =>
    picker(page).setInputFiles({ name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('Buy cups') });
  await addNotes();
  await refusal.waitFor();
  await refusal.evaluate((element) => Object.assign(element, { isFirst: true }));
  await addNotes();
  // The second refusal is a new message, not the first one that is still there.
  const isNew = () =>
    refusal.evaluateAll((all) => all.some((element) => !('isFirst' in element))).catch(() => false);
  await expect.poll(isNew, eventually).toBe(true);
  expect(await button(page, /^Remove /).count()).toBe(0);

  const required = page.getByRole('alert').getByText('Please upload at least one product image');
  await generate(page);
  await required.waitFor();
  await required.evaluate((element) => Object.assign(element, { isFirst: true }));
  await generate(page);
  await expect.poll(() => required.evaluate((element) => 'isFirst' in element), eventually).toBe(false);
});

test('a seller chooses how the image is made; the studio remembers it, and a retry uses the same', async ({
  stack,
  filledStudio,
}) => {
  const { page, problems } = await filledStudio('On a wooden table');
  const form = page.getByRole('form', { name: 'New product image' });
  expect(await form.getByLabel('What to avoid').count()).toBe(0);
  await chooseShape(page, '2:3');
  await openOptions(page);
  await form.getByLabel('Style').selectOption('vintage');
  await form.getByLabel('What to avoid').fill('hands');
  expect(await form.getByText('2048 × 2048 is part of the Enterprise plan.').isVisible()).toBe(true);
  expect(await form.getByLabel('Large square').isDisabled()).toBe(true);
  await form.getByLabel('Use a seed').click();
  await form.getByLabel('Seed', { exact: true }).fill('4x2');
  expect(await layoutProblems(page, 'options')).toEqual([]);

  await stack.images.set({ behaviours: [contentRefused] });
  await generate(page);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('link', { name: 'Download' }).waitFor();
  await page.getByText('1024 × 1536 px ·').first().waitFor();
  const { calls } = await stack.images.state();
  expect(calls).toHaveLength(2);
  for (const { size, prompt } of calls) {
    expect(size).toBe('1024x1536');
    expect(prompt).toContain(imageStyles.vintage.sentence);
    expect(prompt).toContain('Avoid: hands.');
  }
  await page.getByText('Scene and photos').click();
  await page.getByText('1024 × 1536 px · Style: Vintage · Seed: 42').waitFor();

  await page.reload();
  await openForm(page);
  await openOptions(page);
  expect(await form.getByLabel('Style').inputValue()).toBe('vintage');
  expect(await form.getByLabel('Seed', { exact: true }).inputValue()).toBe('42');
  expect(await form.getByLabel('What to avoid').inputValue()).toBe('hands');
  expect(problems).toEqual([]);
});

test('options of one seller are not shown to the next one in the same browser', async ({
  stack,
  openWindow,
}) => {
  const { page } = await openWindow();
  await openStudio(stack, page);
  const form = page.getByRole('form', { name: 'New product image' });
  await form.getByLabel('Style').selectOption('minimal');
  await form.getByText('Minimal', { exact: true }).first().waitFor();
  await page.context().clearCookies();
  await openDashboard(stack, page, (await stack.seller()).email);
  expect(await form.getByLabel('Style').inputValue()).toBe('product');
});
