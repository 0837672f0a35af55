import { isDuplicateKey } from './db.ts';

/**
 * Inserts a row into the first free place of a seller, whose number of places is the limit: a unique index refuses a place that
 * another request has taken in between, and it is tried again with what is there then.
 * @param list the seller's rows
 * @param places how many there are
 * @param insert given the place, undefined if all are taken, and the rows that were read
 * @returns what `insert` returned
 */
export async function insertIntoFreePlace<Row extends { slot?: number | undefined }, Result>(
  list: () => Promise<readonly Row[]>,
  places: number,
  insert: (slot: number | undefined, rows: readonly Row[]) => Promise<Result>,
): Promise<Result> {
  for (;;) {
    const rows = await list();
    const taken = new Set(rows.map(({ slot }) => slot));
    const free = Array.from({ length: places }, (_, slot) => slot).find((slot) => !taken.has(slot));
    try {
      return await insert(free, rows);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
}
