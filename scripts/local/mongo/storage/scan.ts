import type { Filter } from '../query/filter.ts';
import { type SortField, sortItems } from '../query/sort.ts';
import type { Collection, IndexEntry, Stored } from './collection.ts';
import { choosePlan, type Hint, type Plan } from './plan.ts';

/** The cost of a search, for `explain`. */
export interface ScanCounts {
  keys: number;
  documents: number;
}

/** What to search for, and in which order. */
export interface Search {
  filter: Filter;
  sort: SortField[];
  hint: Hint;
  skip: number;
  /** 0: no limit. */
  limit: number;
}

const FIRST_CHUNK = 16;
const LARGEST_CHUNK = 1024;

/**
 * Yields the documents of a search, reading as few as possible. The collection may change between two of them, as
 * with MongoDB's cursors.
 */
export function* findDocuments(
  collection: Collection,
  search: Search,
  counts: ScanCounts = { keys: 0, documents: 0 },
  plan: Plan = planOf(collection, search),
): Generator<Stored> {
  let { skip } = search;
  let left = search.limit === 0 ? Number.POSITIVE_INFINITY : search.limit;
  let found: Iterable<Stored> = matching(collection, plan, search.filter, counts);
  if (needsSorting(search, plan)) {
    found = sortItems(found, (stored) => stored.document, search.sort);
  }
  for (const stored of found) {
    if (skip > 0) {
      skip--;
      continue;
    }
    yield stored;
    if (--left <= 0) return;
  }
}

/** The plan of a search. */
export function planOf(collection: Collection, search: Search): Plan {
  return choosePlan(collection, search.filter, search.sort, search.hint);
}

/** Whether the documents of a plan have to be sorted. */
export function needsSorting(search: Search, plan: Plan): boolean {
  return search.sort.length > 0 && !(plan.stage === 'IXSCAN' && plan.sorted) && plan.stage !== 'IDHACK';
}

function* matching(
  collection: Collection,
  plan: Plan,
  filter: Filter,
  counts: ScanCounts,
): Generator<Stored> {
  for (const stored of candidates(collection, plan, counts)) {
    counts.documents++;
    if (filter.matches(stored.document)) yield stored;
  }
}

function* candidates(collection: Collection, plan: Plan, counts: ScanCounts): Generator<Stored> {
  switch (plan.stage) {
    case 'IDHACK': {
      counts.keys++;
      const record = collection.recordOf(plan.id);
      const stored = record === undefined ? undefined : collection.read(record);
      if (stored) yield stored;
      return;
    }
    case 'COLLSCAN':
      yield* everything(collection);
      return;
    case 'IXSCAN':
      yield* indexed(collection, plan, counts);
      return;
    case 'OR': {
      const seen = new Set<number>();
      for (const part of plan.plans) {
        for (const stored of candidates(collection, part, counts)) {
          if (seen.has(stored.record)) continue;
          seen.add(stored.record);
          yield stored;
        }
      }
      return;
    }
    default:
  }
}

function* everything(collection: Collection): Generator<Stored> {
  let last = -1;
  for (let size = FIRST_CHUNK; ; size = Math.min(size * 4, LARGEST_CHUNK)) {
    const chunk = collection.readAfter(last, size);
    const { version } = collection;
    for (const stored of chunk) {
      last = stored.record;
      yield stored;
      if (collection.version !== version) break;
    }
    if (chunk.length < size && collection.version === version) return;
  }
}

function* indexed(
  collection: Collection,
  plan: Plan & { stage: 'IXSCAN' },
  counts: ScanCounts,
): Generator<Stored> {
  const { index, reverse } = plan;
  // A document may have several keys.
  const seen = index.multikey ? new Set<number>() : undefined;
  for (const { low, high } of reverse ? plan.ranges.toReversed() : plan.ranges) {
    let after: IndexEntry | undefined;
    for (let size = FIRST_CHUNK; ; size = Math.min(size * 4, LARGEST_CHUNK)) {
      const chunk = collection.entries.read(index, low, high, after, size, reverse);
      const { version } = collection;
      for (const entry of chunk) {
        after = entry;
        counts.keys++;
        if (seen?.has(entry.record)) continue;
        seen?.add(entry.record);
        const stored = collection.read(entry.record);
        if (stored) yield stored;
        if (collection.version !== version) break;
      }
      if (chunk.length < size && collection.version === version) break;
    }
  }
}
