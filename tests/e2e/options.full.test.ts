/** The options of the studio: size, style, what to avoid and seed; remembered, and what a plan does not include. */
import { expect } from 'vitest';
import { imageStyles } from '#contract';
import { openDashboard } from '#tests/support/account-steps.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { contentRefused } from '#tests/support/provider-calls.ts';
import { generate, openStudio } from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser();
test.beforeEach(({ stack }) => stack.images.reset());

test('a seller chooses how the image is made; the studio remembers it, and a retry uses the same', async ({
  stack,
  filledStudio,
}) => {
  const { page, problems } = await filledStudio('On a wooden table');
  const form = page.getByRole('form', { name: 'New product image' });
  expect(await form.getByLabel('Size').isVisible()).toBe(false);
  await form.getByText('Options').click();
  await form.getByLabel('Size').selectOption('portrait');
  await form.getByLabel('Style').selectOption('vintage');
  await form.getByLabel('What to avoid').fill('hands');
  expect(await form.getByText('2048 × 2048 is part of the Enterprise plan.').isVisible()).toBe(true);
  expect(await form.getByRole('option', { name: /2048/ }).isDisabled()).toBe(true);
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
  await form.getByText('1024 × 1536 · Vintage · Seed 42 · What to avoid').waitFor();
  expect(await form.getByLabel('Size').isVisible()).toBe(false);
  expect(problems).toEqual([]);
});

test('options of one seller are not shown to the next one in the same browser', async ({
  stack,
  openWindow,
}) => {
  const { page } = await openWindow();
  await openStudio(stack, page);
  const form = page.getByRole('form', { name: 'New product image' });
  await form.getByText('Options').click();
  await form.getByLabel('Style').selectOption('minimal');
  await form.getByText('Minimal', { exact: true }).first().waitFor();
  await page.context().clearCookies();
  await openDashboard(stack, page, (await stack.seller()).email);
  await form.getByText('Options').click();
  expect(await form.getByLabel('Style').inputValue()).toBe('product');
});
