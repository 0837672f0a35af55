/** Undo links of two changes that are used concurrently, many times. */
import { testUndoLinksOfTwoChanges } from './email-change-undo-steps.ts';

testUndoLinksOfTwoChanges(8);
