import { expectError } from '#tests/support/errors.ts';
import { subscriber } from '#tests/support/subscriber.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack({ settings: { FAIR_USE_MONTHLY: '2' } });

test('an unlimited plan refuses submits above its monthly fair use', async ({ stack }) => {
  const seller = await subscriber(stack, 'enterprise');
  const window = await seller.openWindow();
  for (let image = 0; image < 2; image += 1) await window.untilEnded((await seller.submit()).id);
  expectError(await seller.send(), 'FAIR_USE');
  window.close();
  await stack.stripe.advance({ months: 1 });
  await seller.submit();
});
