import { faultKinds } from '#tests/support/faults.ts';
import { testCrashes } from './account-crash-steps.ts';

testCrashes({ kinds: faultKinds, every: 1 });
