import { decode } from '../bson/decode.ts';
import type { Doc } from '../bson/values.ts';
import { fail } from '../errors.ts';
import { parseFilter } from '../query/filter.ts';
import { parseSort, sortItems } from '../query/sort.ts';
import type { KeyRange } from '../storage/bounds.ts';
import type { Collection } from '../storage/collection.ts';
import { AFTER_PREFIX, encodeKey } from '../storage/key.ts';
import { type Hint, naturalDirection, parseHint } from '../storage/plan.ts';
import { findDocuments, type Search } from '../storage/scan.ts';
import { type CommandContext, countField, documentField, filterContext, findCollection } from './context.ts';
import { runPipeline } from './pipeline.ts';

/** A document that was found. */
export interface Found {
  document: Doc;
  bytes: Buffer;
  /** Its record number; absent for documents of a view. */
  record?: number;
}

/** The search that a `find` command describes. */
export function searchOf(context: CommandContext): Search {
  const { command } = context;
  const hint = parseHint(command.get('hint'), findCollection(context));
  return {
    filter: parseFilter(documentField(command, 'filter', 'find'), filterContext(context)),
    sort: parseSort(command.get('sort')),
    hint,
    within: keysWithin(command, hint),
    skip: countField(context, 'skip') ?? 0,
    limit: countField(context, 'limit') ?? 0,
    backwards: naturalDirection(command.get('hint')) < 0,
  };
}

/** The range of keys given by `min` (inclusive) and `max` (exclusive). */
function keysWithin(command: Doc, hint: Hint): KeyRange | undefined {
  const [min, max] = [documentField(command, 'min', 'find'), documentField(command, 'max', 'find')];
  if (min.size === 0 && max.size === 0) return undefined;
  if (!hint?.index) fail(51173, 'When using min()/max() a hint of which index to use must be provided');
  const { fields, collation } = hint.index;
  const keyOf = (bound: Doc, open: Buffer) => {
    if (bound.size === 0) return open;
    const names = [...bound.keys()];
    if (names.length !== fields.length || names.some((name, at) => name !== fields[at]!.path)) {
      fail(51174, 'The index chosen is not compatible with min/max');
    }
    return Buffer.concat(
      fields.map(({ path, descending }) => encodeKey(bound.get(path)!, descending, collation.fold)),
    );
  };
  return { low: keyOf(min, Buffer.alloc(0)), high: keyOf(max, AFTER_PREFIX) };
}

/** The documents of a search, in a collection or a view. */
export function searchIn(context: CommandContext, collection: Collection, search: Search): Iterable<Found> {
  return collection.view ? searchView(context, collection, search) : findDocuments(collection, search);
}

function* searchView(context: CommandContext, view: Collection, search: Search): Generator<Found> {
  const input = {
    state: context.state,
    database: view.database,
    collection: view.name,
    reading: filterContext(context),
  };
  const everything = (function* () {
    for (const bytes of runPipeline([], input)) {
      const document = decode(bytes);
      if (search.filter.matches(document)) yield { bytes, document };
    }
  })();
  const sorted =
    search.sort.length > 0
      ? sortItems(everything, ({ document }) => document, search.sort, search.filter.collation)
      : everything;
  let position = 0;
  for (const found of sorted) {
    if (++position <= search.skip) continue;
    yield found;
    if (search.limit > 0 && position >= search.skip + search.limit) return;
  }
}
