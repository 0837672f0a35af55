import { expect } from 'vitest';
import { accessibilityProblems, looks, overflow } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { cup, description, generate, openStudio, picker } from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser();

test('while the image service is busy, the studio says that the image is still in line, and cancelling uses no image', async ({
  stack,
  openWindow,
}) => {
  const { page } = await openWindow();
  await openStudio(stack, page);
  await stack.images.set({
    default: {
      kind: 'error',
      status: 429,
      code: 'rate_limit_exceeded',
      type: 'requests',
      headers: { 'retry-after': '60' },
    },
  });
  await picker(page).setInputFiles(cup);
  await description(page).fill('warm morning light');
  await generate(page);
  await page.getByText('The image service is busy. Your image is still in line').first().waitFor();
  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect(await accessibilityProblems(page)).toEqual([]);
  }
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('100 of 100 left').first().waitFor();
});
