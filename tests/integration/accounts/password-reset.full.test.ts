/** Password resets and concurrent sign-ins, many times. */
import { testConcurrentSignIns } from './password-reset-steps.ts';

testConcurrentSignIns(6);
