/** Every page in Chromium, as narrow as the narrowest phones. */
import { expect } from 'vitest';
import { shareSession } from '#tests/support/account-steps.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { everyAddress, narrow, openEach } from '#tests/support/every-page.ts';
import { limitMs } from '#tests/support/machine.ts';

const test = testWithStackAndBrowser();

test('every page opens without errors and does not scroll sideways', {
  timeout: limitMs(300_000),
}, async ({ stack, openWindow }) => {
  const { open, signedIn, operator } = await everyAddress(stack);
  const { page, problems } = await openWindow({ viewport: narrow });
  problems.push(...(await openEach(page, stack.url, open)));
  await shareSession(stack, page, operator);
  problems.push(...(await openEach(page, stack.url, signedIn)));
  expect(problems).toEqual([]);
});
