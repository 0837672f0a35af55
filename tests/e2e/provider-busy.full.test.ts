import { expect } from 'vitest';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { generate } from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser();

test('while the image service is busy, the studio says that the image is still in line, and cancelling uses no image', async ({
  stack,
  filledStudio,
}) => {
  await stack.images.set({
    default: {
      kind: 'error',
      status: 429,
      code: 'rate_limit_exceeded',
      type: 'requests',
      headers: { 'retry-after': '60' },
    },
  });
  const { page } = await filledStudio('warm morning light');
  await generate(page);
  await page.getByText('The image provider is busy; your image is still in line').first().waitFor();
  expect(await layoutProblems(page, 'the studio')).toEqual([]);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('100 of 100 left').first().waitFor();
});
