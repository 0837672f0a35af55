/** Somebody with one product and a phone, who comes for the first time. */
import { expect } from 'vitest';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { makeFirstImage, phoneOf, phoneSize } from '#tests/support/first-image.ts';
import { eventually } from '#tests/support/harness.ts';

const test = testWithStackAndBrowser();

test('a seller with a phone comes from the landing page to an own image, downloads it and finds it again', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow({ viewport: phoneSize, hasTouch: true, isMobile: true });
  await makeFirstImage(stack, phoneOf(page, true));
  expect(problems).toEqual([]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});
