/** Every page in Firefox, as narrow as the narrowest phones. */
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { expectEveryPage } from '#tests/support/every-page.ts';
import { firefoxWith } from '#tests/support/firefox.ts';
import { limitMs } from '#tests/support/machine.ts';

const test = testWithStackAndBrowser({}, firefoxWith());

test(
  'every page opens without errors and does not scroll sideways',
  {
    timeout: limitMs(300_000),
  },
  ({ stack, openWindow }) => expectEveryPage(stack, openWindow),
);
