import type { IndexDefinition, IndexOptions } from 'mongoose';

const byDate = { created_at: -1, _id: -1 } as const;
const partial = (partialFilterExpression: object) => ({ partialFilterExpression });

/** The indexes of generations. */
export const generationIndexes: readonly [fields: IndexDefinition, options?: IndexOptions][] = [
  [{ previews_left: 1, ended_at: 1 }, partial({ previews_left: true })],
  [{ profile: 1, idempotency_key: 1 }, { unique: true }],
  // The versions of an image.
  [{ root: 1, created_at: 1 }, { sparse: true }],
  // The takes of a set, and whether anything still refers to its photos.
  [{ photo_set: 1 }, { sparse: true }],
  [{ profile: 1, ...byDate }],
  // The images of a project.
  [{ profile: 1, project: 1, ...byDate }],
  // Those that have not ended: few, however many images a seller has.
  [
    { profile: 1, ...byDate },
    { ...partial({ state: { $in: ['queued', 'running'] } }), name: 'pending' },
  ],
  // What the library finds images by (library-list.ts).
  [{ profile: 1, words: 1, ...byDate }],
  [{ profile: 1, state: 1, ...byDate }],
  [{ profile: 1, template: 1, ...byDate }],
  [
    { profile: 1, ...byDate },
    { ...partial({ favourite: true }), name: 'favourites' },
  ],
  [{ profile: 1, name_key: 1, _id: 1 }],
  // Deleted ones, of which only the files of new ones are removed.
  [{ 'deletion.stage': 1, 'deletion.at': 1 }, { sparse: true }],
  // The images of a batch.
  [{ 'batch.id': 1, state: 1 }, { sparse: true }],
  // What operators search all sellers' generations by (operator-search.ts).
  [{ state: 1, ...byDate }],
  [{ 'failure.code': 1, ...byDate }, partial({ state: 'failed' })],
  // The order of the queue: for positions in it, and for upkeep.
  [{ state: 1, priority: 1, created_at: 1 }],
  [{ settlement_due: 1, ended_at: 1 }, partial({ settlement_due: true })],
];
