import { randomInt } from 'node:crypto';
import { expectPromisedOrder, testFairOrder } from './fair-order-steps.ts';

const seed = randomInt(2 ** 31);
console.log(`fair-order.full.test.ts: seed ${seed}`);

const test = testFairOrder();

test('the positions that four sellers see are the order in which their images are made', ({ stack }) =>
  expectPromisedOrder(stack, {
    seed,
    plans: ['enterprise', 'freelance', 'enterprise', 'freelance'],
    images: 24,
  }));
