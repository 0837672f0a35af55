/** What a seller sees of the product match: the stand-in answers with a picture of something else. */
import { expect } from 'vitest';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';
import { generate } from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser({ settings: { PRODUCT_MATCH: 'true' } });

test('an image of something else has a low match, and is made again at no charge, once', async ({
  stack,
  filledStudio,
}) => {
  const { page, problems } = await filledStudio('On a wooden table');
  await generate(page);
  await page.getByText('Product match: low: check the label').waitFor();
  await page.getByText('99 of 100 left').first().waitFor();
  expect(await layoutProblems(page, 'product match')).toEqual([]);

  const again = page.getByRole('button', { name: 'Make it again at no charge' });
  await again.click();
  await again.waitFor({ state: 'detached' });
  await page
    .getByRole('button', { name: /^Coffee cup/ })
    .nth(1)
    .waitFor();
  await page.getByRole('link', { name: 'Download' }).waitFor();
  await page.getByText('Product match: low: check the label').waitFor();
  expect(await again.count()).toBe(0);
  await page.getByText('99 of 100 left').first().waitFor();
  expect(problems).toEqual([]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});
