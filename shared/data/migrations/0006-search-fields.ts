import { searchFieldsOf } from '#shared/data/generations/search-fields.ts';
import type { Migration } from './migration.ts';

/** What is read of a generation. */
interface Texts {
  _id: string;
  prompt: string;
  product_name?: string;
  sku?: string;
}

/** Documents that are changed with one command. */
const batchSize = 500;

/** The library: generations get the fields that it is searched and sorted by. Deleted ones have no texts any more. */
export const searchFields: Migration = {
  name: '0006-search-fields',
  async up(database) {
    const generations = database.collection<Texts>('generations');
    const update = async (rows: readonly Texts[]) => {
      if (rows.length === 0) return;
      await generations.bulkWrite(
        rows.map(({ _id, prompt, product_name = '', sku = '' }) => ({
          updateOne: {
            // One that was renamed since it was read has its words.
            filter: { _id, words: { $exists: false } },
            update: { $set: searchFieldsOf({ prompt, product_name, sku }) },
          },
        })),
      );
    };
    let rows: Texts[] = [];
    const missing = { words: { $exists: false }, 'deletion.stage': { $nin: ['purging', 'purged'] } };
    for await (const row of generations
      .find(missing)
      .sort({ _id: 1 })
      .project<Texts>({ prompt: 1, product_name: 1, sku: 1 })) {
      rows.push(row);
      if (rows.length < batchSize) continue;
      await update(rows);
      rows = [];
    }
    await update(rows);
  },
};
