import { compareValues } from '../bson/compare.ts';
import { encode } from '../bson/encode.ts';
import { BSON_UNDEFINED, type Maybe, type Value } from '../bson/values.ts';
import { fail } from '../errors.ts';
import { parseFilter } from '../query/filter.ts';
import { isIndex } from '../query/path.ts';
import { type Projection, parseProjection } from '../query/projection.ts';
import { parseSort } from '../query/sort.ts';
import type { Stored } from '../storage/collection.ts';
import { parseHint } from '../storage/plan.ts';
import { findDocuments, type Search } from '../storage/scan.ts';
import {
  booleanField,
  type Command,
  type CommandContext,
  collectionName,
  countField,
  documentField,
  findCollection,
  type Reply,
} from './context.ts';

function find(context: CommandContext): Reply {
  const { command, state } = context;
  const search = searchOf(context);
  const projection = parseProjection(command.get('projection'));
  const collection = findCollection(context);
  const found = collection ? findDocuments(collection, search) : [];
  const namespace = `${context.database}.${collectionName(context)}`;
  const cursor = state.cursors.start(namespace, encoded(found, projection), {
    batchSize: countField(context, 'batchSize'),
    singleBatch: booleanField(command, 'singleBatch', false, 'find'),
    ...(search.limit > 0 && { most: search.limit }),
  });
  return { cursor };
}

/** The search that a `find` command describes. */
export function searchOf(context: CommandContext): Search {
  const { command } = context;
  return {
    filter: parseFilter(documentField(command, 'filter', 'find')),
    sort: parseSort(command.get('sort')),
    hint: parseHint(command.get('hint'), findCollection(context)),
    skip: countField(context, 'skip') ?? 0,
    limit: countField(context, 'limit') ?? 0,
  };
}

function* encoded(found: Iterable<Stored>, projection: Projection | undefined): Generator<Buffer> {
  for (const { document, bytes } of found) yield projection ? encode(projection(document)) : bytes;
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

function distinct(context: CommandContext): Reply {
  const { command } = context;
  const key = command.get('key');
  if (typeof key !== 'string')
    fail('TypeMismatch', "BSON field 'distinct.key' is the wrong type, expected type 'string'");
  if (key === '') fail(40352, 'FieldPath cannot be constructed with empty string');
  const filter = parseFilter(documentField(command, 'query', 'distinct'));
  const collection = findCollection(context);
  const hint = parseHint(command.get('hint'), collection);
  if (!collection) return { values: [] };
  const values: Value[] = [];
  for (const stored of findDocuments(collection, { filter, sort: [], hint, skip: 0, limit: 0 })) {
    collectExisting(stored.document, key.split('.'), values);
  }
  values.sort(compareValues);
  return { values: values.filter((value, at) => at === 0 || compareValues(value, values[at - 1]) !== 0) };
}

/** What mongodump asks for; `countDocuments` of the drivers is an aggregation. */
function count(context: CommandContext): Reply {
  const { command } = context;
  const collection = findCollection(context);
  const search: Search = {
    filter: parseFilter(documentField(command, 'query', 'count')),
    sort: [],
    hint: parseHint(command.get('hint'), collection),
    skip: countField(context, 'skip') ?? 0,
    limit: countField(context, 'limit') ?? 0,
  };
  return { n: collection ? [...findDocuments(collection, search)].length : 0 };
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

/** The commands `find`, `getMore`, `killCursors`, `distinct` and `count`. */
export const readCommands: Record<string, Command> = {
  find: {
    run: find,
    fields: ['filter', 'sort', 'projection', 'hint', 'skip', 'limit', 'batchSize', 'singleBatch'],
  },
  getMore: { run: getMore, fields: ['collection', 'batchSize'] },
  killCursors: { run: killCursors, fields: ['cursors'] },
  distinct: { run: distinct, fields: ['key', 'query', 'hint'] },
  count: { run: count, fields: ['query', 'hint', 'skip', 'limit'] },
};
