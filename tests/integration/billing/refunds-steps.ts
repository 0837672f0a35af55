/** Shared by the tests of refunds and disputes. */
import { testWithStack } from '#tests/support/test.ts';

export const test = testWithStack();

test.beforeEach(({ stack }) => stack.stripe.reset());
