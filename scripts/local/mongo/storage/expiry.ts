import type { Value } from '../bson/values.ts';
import { parseFilter } from '../query/filter.ts';
import { boundsFor, conditionsOf } from './bounds.ts';
import type { Catalog } from './catalog.ts';
import type { Plan } from './plan.ts';
import { findDocuments } from './scan.ts';

/** How many documents one pass removes for one index at most, so that it does not block the server. */
const BATCH = 1000;

/** Removes documents that have expired by a TTL index. @returns how many */
export function removeExpired(catalog: Catalog, now = Date.now()): number {
  let removed = 0;
  for (const collection of catalog.list()) {
    for (const index of collection.indexes) {
      if (index.expireAfterSeconds === undefined || index.fields.length !== 1) continue;
      const before = new Date(now - index.expireAfterSeconds * 1000);
      const filter = parseFilter(
        new Map([[index.fields[0]!.path, new Map<string, Value>([['$lte', before]])]]),
      );
      const search = { filter, sort: [], hint: undefined, skip: 0, limit: BATCH };
      const { ranges } = boundsFor(index, conditionsOf(filter.nodes));
      const plan: Plan = { stage: 'IXSCAN', index, ranges, reverse: false, sorted: false };
      for (const stored of [...findDocuments(collection, search, { keys: 0, documents: 0 }, plan)]) {
        // A partial index only expires documents that it contains.
        if (index.partial && !index.partial.matches(stored.document)) continue;
        collection.remove(stored);
        removed++;
      }
    }
  }
  return removed;
}
