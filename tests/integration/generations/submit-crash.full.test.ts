import { faultKinds, otherFaultKinds } from '#tests/support/faults.ts';
import { testWithCrashableDb } from '#tests/support/test.ts';
import { expectRemadeOnce } from './remake-steps.ts';
import { expectAllOrNothing } from './submit-crash-steps.ts';

const test = testWithCrashableDb({ workers: 0 }).extend('seller', ({ stack }) => stack.seller());

test.for([
  ...otherFaultKinds.map((kind) => ({ kind, takes: 1 })),
  ...faultKinds.map((kind) => ({ kind, takes: 3 })),
])(
  'a submit of $takes with the fault "$kind" at any of its steps is executed completely or not at all',
  (fault, { stack, crashableDb, seller }) => expectAllOrNothing({ stack, crashableDb, seller }, fault),
);

test.for(faultKinds)(
  'a request to make an image again with the fault "%s" at any of its steps is executed completely or not at all',
  (kind, { stack, crashableDb, seller }) => expectRemadeOnce({ stack, crashableDb, seller }, kind),
);
