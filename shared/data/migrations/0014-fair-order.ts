import type { Migration } from './migration.ts';

/** The priorities of older versions that are now those of another band, and what is added to them. */
const moved = [
  // Images of batches, on plans that go last.
  { from: 30_000, below: 100_000, add: 1_500_001 - 30_000 },
  // Images of batches, on plans that go first.
  { from: 20_000, below: 30_000, add: 1_000_002 - 20_000 },
  // Single images, on plans that go last.
  { from: 10_000, below: 20_000, add: 500_001 - 10_000 },
];

/**
 * Moves generations that wait into the bands of priorities that the fair order has. The reconciler gives their jobs the
 * priorities of their rows.
 */
export const fairOrder: Migration = {
  name: '0014-fair-order',
  async up(database) {
    for (const { from, below, add } of moved) {
      await database
        .collection('generations')
        .updateMany(
          { state: { $in: ['queued', 'running'] }, priority: { $gte: from, $lt: below } },
          { $inc: { priority: add } },
        );
    }
  },
};
