/** Sign-up, verification and password reset are atomic: a fault at one of their database operations leaves all or nothing. */
import { testCrashes } from './account-crash-steps.ts';

testCrashes({ kinds: ['dies-before', 'answer-lost'], every: 4 });
