/** What is removed because it is old, with faults at every step of it. */
import { faultKinds } from '#tests/support/faults.ts';
import { testImages, testRows } from './retention-steps.ts';

testRows(faultKinds.flatMap((kind) => Array.from({ length: 6 }, (_, at) => ({ kind, at }))));
testImages(Array.from({ length: 12 }, (_, at) => ({ kind: 'dies-before' as const, at })));
