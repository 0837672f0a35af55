import { compareValues } from '../bson/compare.ts';
import { encode } from '../bson/encode.ts';
import { BSON_UNDEFINED, type Doc, isTruthy, type Maybe, type Value } from '../bson/values.ts';
import { fail } from '../errors.ts';
import { type Filter, parseFilter } from '../query/filter.ts';
import { collectAt, isIndex } from '../query/path.ts';
import { type Projection, parseProjection } from '../query/projection.ts';
import type { Collection } from '../storage/collection.ts';
import { parseHint } from '../storage/plan.ts';
import { planOf, type Search } from '../storage/scan.ts';
import {
  booleanField,
  type Command,
  type CommandContext,
  collectionName,
  countField,
  documentField,
  filterContext,
  findCollection,
  numberIn,
  type Reply,
} from './context.ts';
import { type Found, searchIn, searchOf } from './search.ts';

function find(context: CommandContext): Reply {
  const { command, state } = context;
  const search = searchOf(context);
  const projection = parseProjection(command.get('projection'), filterContext(context));
  if (isTruthy(command.get('tailable'))) {
    fail('BadValue', 'error processing query: tailable cursor requested on non capped collection');
  }
  const collection = findCollection(context);
  const found = collection ? searchIn(context, collection, search) : [];
  const singleBatch = booleanField(command, 'singleBatch', false, 'find');
  const showRecord = booleanField(command, 'showRecordId', false, 'find');
  const cursor = state.cursors.start(
    `${context.database}.${collectionName(context)}`,
    collection && booleanField(command, 'returnKey', false, 'find')
      ? indexKeys(found, collection, search)
      : encoded(found, search.filter, projection, showRecord),
    {
      batchSize: countField(context, 'batchSize'),
      singleBatch,
      noTimeout: isTruthy(command.get('noCursorTimeout')),
      ...(search.limit > 0 && { most: search.limit }),
    },
  );
  return { cursor };
}

/** For `returnKey`: of each document only the fields of the index that was used, or none. */
function* indexKeys(found: Iterable<Found>, collection: Collection, search: Search): Generator<Buffer> {
  const plan = collection.view ? undefined : planOf(collection, search);
  const index =
    plan?.stage === 'IDHACK' ? collection.indexes[0]! : plan?.stage === 'IXSCAN' ? plan.index : undefined;
  if (index?.multikey) fail('BadValue', 'returnKey of an index over arrays is not supported by this server');
  for (const { document } of found) {
    const key: Doc = new Map();
    for (const { path, parts } of index?.fields ?? []) {
      const values: Value[] = [];
      collectAt(document, parts, 0, values, null);
      key.set(path, values[0]!);
    }
    yield encode(key);
  }
}

function* encoded(
  found: Iterable<Found>,
  filter: Filter,
  projection: Projection | undefined,
  showRecord: boolean,
): Generator<Buffer> {
  for (const stored of found) {
    if (!projection && !showRecord) {
      yield stored.bytes;
      continue;
    }
    const position = { index: -1 };
    if (projection) filter.matches(stored.document, position);
    const shown = projection ? projection(stored.document, position) : stored.document;
    // Documents of a view have no record number.
    const withRecord = showRecord && stored.record !== undefined;
    yield encode(withRecord ? new Map([...shown, ['$recordId', BigInt(stored.record!)]]) : shown);
  }
}

function getMore(context: CommandContext): Reply {
  const id = context.command.get('getMore');
  if (typeof id !== 'bigint' && typeof id !== 'number') {
    fail('TypeMismatch', "BSON field 'getMore.getMore' is the wrong type, expected type 'long'");
  }
  const collection = context.command.get('collection');
  if (typeof collection !== 'string')
    fail(40414, "BSON field 'getMore.collection' is missing but a required field");
  const batchSize = countField(context, 'batchSize');
  return { cursor: context.state.cursors.next(BigInt(id), `${context.database}.${collection}`, batchSize) };
}

function killCursors(context: CommandContext): Reply {
  const ids = context.command.get('cursors');
  if (!Array.isArray(ids))
    fail('FailedToParse', "BSON field 'killCursors.cursors' is missing but a required field");
  const killed = ids.filter((id) => context.state.cursors.kill(BigInt(id as number | bigint)));
  const notFound = ids.filter((id) => !killed.includes(id));
  return { cursorsKilled: killed, cursorsNotFound: notFound, cursorsAlive: [], cursorsUnknown: [] };
}

function count(context: CommandContext): Reply {
  const { command } = context;
  const collection = findCollection(context);
  const query = documentField(command, 'query', 'count');
  const filter = parseFilter(query, filterContext(context));
  const hint = parseHint(command.get('hint'), collection);
  const limit = command.has('limit') ? Math.abs(numberIn(command.get('limit'), 'count.limit')) : 0;
  const skip = countField(context, 'skip') ?? 0;
  if (!collection) return { n: 0 };
  if (query.size === 0 && !collection.view) {
    const left = Math.max(0, collection.count - skip);
    return { n: limit > 0 ? Math.min(limit, left) : left };
  }
  let n = 0;
  for (const _ of searchIn(context, collection, { filter, sort: [], hint, skip, limit })) n++;
  return { n };
}

function distinct(context: CommandContext): Reply {
  const { command } = context;
  const key = command.get('key');
  if (typeof key !== 'string')
    fail('TypeMismatch', "BSON field 'distinct.key' is the wrong type, expected type 'string'");
  if (key === '') fail(40352, 'FieldPath cannot be constructed with empty string');
  const reading = filterContext(context);
  const filter = parseFilter(documentField(command, 'query', 'distinct'), reading);
  const collection = findCollection(context);
  const hint = parseHint(command.get('hint'), collection);
  if (!collection) return { values: [] };
  const values: Value[] = [];
  for (const stored of searchIn(context, collection, { filter, sort: [], hint, skip: 0, limit: 0 })) {
    collectExisting(stored.document, key.split('.'), values);
  }
  const compare = (a: Value, b: Value) => compareValues(a, b, reading.collation.compare);
  values.sort(compare);
  return { values: values.filter((value, at) => at === 0 || compare(value, values[at - 1]!) !== 0) };
}

/** Collects the existing values at a path, with arrays expanded to their elements. */
function collectExisting(value: Maybe, path: string[], into: Value[]): void {
  const [part, ...rest] = path;
  if (part === undefined) {
    if (Array.isArray(value)) into.push(...value);
    else if (value !== undefined && value !== BSON_UNDEFINED) into.push(value);
  } else if (value instanceof Map) {
    collectExisting(value.get(part), rest, into);
  } else if (Array.isArray(value)) {
    if (isIndex(part) && Number(part) < value.length) collectExisting(value[Number(part)], rest, into);
    else for (const element of value) if (element instanceof Map) collectExisting(element, path, into);
  }
}

const LIMITS = ['skip', 'limit', 'hint', 'collation'];

/** The commands `find`, `getMore`, `killCursors`, `count` and `distinct`. */
export const readCommands: Record<string, Command> = {
  find: {
    run: find,
    fields: [
      ...LIMITS,
      'filter',
      'sort',
      'projection',
      'batchSize',
      'singleBatch',
      'let',
      'max',
      'min',
      'returnKey',
      'showRecordId',
      'tailable',
      'awaitData',
      'oplogReplay',
      'noCursorTimeout',
      'allowPartialResults',
      'allowDiskUse',
    ],
  },
  getMore: { run: getMore, fields: ['collection', 'batchSize', 'term', 'lastKnownCommittedOpTime'] },
  killCursors: { run: killCursors, fields: ['cursors'] },
  count: { run: count, fields: [...LIMITS, 'query', 'fields', 'let'] },
  distinct: { run: distinct, fields: ['key', 'query', 'collation', 'hint', 'let'] },
};
