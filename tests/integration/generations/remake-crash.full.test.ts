import { faultKinds } from '#tests/support/faults.ts';
import { testWithCrashableDb } from '#tests/support/test.ts';
import { expectRemadeOnce } from './remake-steps.ts';

const test = testWithCrashableDb({ workers: 0 });

test.for(faultKinds)(
  'a request to make an image again with the fault "%s" at any of its steps is executed completely or not at all',
  async (kind, { stack, crashableDb }) =>
    expectRemadeOnce({ stack, crashableDb, seller: await stack.seller() }, kind),
);
