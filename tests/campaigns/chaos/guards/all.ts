import type { Guard } from '../guard.ts';

/** The guards that a campaign can run without, to prove that it notices. */
export const guards: readonly Guard[] = [
  {
    name: 'resync',
    what: 'a window that missed events fetches: when it connects again or is shown again, and what has not ended',
    replacements: [],
    isResync: true,
  },
  {
    name: 'upkeep',
    what: 'workers look for what a crash left undone, and finish it',
    replacements: [],
    settings: { UPKEEP_INTERVAL_MS: '86400000' },
  },
  {
    name: 'fence',
    what: 'a worker that was stopped for longer than its lease cannot write as the attempt that took over',
    replacements: [
      {
        file: 'shared/data/generations/attempts.ts',
        text: '$inc: { fence: 1, revision: 1,',
        by: '$max: { fence: 1 }, $inc: { revision: 1,',
      },
      {
        file: 'shared/data/generations/attempts.ts',
        text: '      fence: 1,\n      revision: 1,\n',
        by: '      revision: 1,\n',
      },
    ],
  },
  {
    name: 'release',
    what: 'the hold of a generation that failed or was cancelled is released',
    replacements: [
      {
        file: 'shared/generations/settle.ts',
        text: 'settleHold(db, generation, used),',
        by: 'used ? settleHold(db, generation, used) : null,',
      },
    ],
  },
  {
    name: 'unique-key',
    what: 'the unique index on the idempotency key decides which of two requests makes the images',
    replacements: [
      {
        file: 'shared/data/generations/schema.ts',
        text: '[{ profile: 1, idempotency_key: 1 }, { unique: true }],',
        by: '[{ profile: 1, idempotency_key: 1 }],',
      },
    ],
  },
  {
    name: 'compare-and-set',
    what: 'a generation that has ended cannot end again in another state',
    replacements: [
      {
        file: 'shared/data/generations/end.ts',
        text: '{ ...filter, state: { $in: statesBefore(state) } },',
        by: '{ ...filter },',
      },
    ],
  },
];
