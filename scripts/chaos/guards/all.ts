import type { Guard } from '../guard.ts';

/** The guards that a campaign can run without, to prove that it notices. */
export const guards: readonly Guard[] = [
  {
    name: 'resync',
    what: 'a window that missed events fetches when it connects again, and polls what has not ended',
    replacements: [],
    isResync: true,
  },
];
