import { type Doc, type Maybe, typeOf, type Value } from '../bson/values.ts';
import { fail } from '../errors.ts';
import type { Collection } from '../storage/collection.ts';
import {
  type Command,
  type CommandContext,
  collectionName,
  findCollection,
  type Reply,
  type ServerState,
} from './context.ts';

/** The total size of the documents in a database, in bytes. */
export function bytesOfDatabase(state: ServerState, database: string): number {
  return state.catalog.list(database).reduce((sum, collection) => sum + bytesOf(state, collection), 0);
}

function bytesOf(state: ServerState, collection: Collection): number {
  // A view has a table too, which stays empty.
  const sql = `SELECT coalesce(sum(length(doc)), 0) AS n FROM c${collection.id}`;
  return state.catalog.sql.statement(sql).get()!.n as number;
}

/** Counts and sizes of a collection; all are 0 when it does not exist. */
function storageStatistics(state: ServerState, collection: Collection | undefined): Reply {
  const size = collection ? bytesOf(state, collection) : 0;
  const count = collection?.count ?? 0;
  const indexes = collection?.indexes ?? [];
  return {
    size,
    count,
    ...(count > 0 && { avgObjSize: Math.floor(size / count) }),
    storageSize: size,
    capped: false,
    nindexes: indexes.length,
    indexSizes: Object.fromEntries(indexes.map((index) => [index.name, 0])),
    totalIndexSize: 0,
    totalSize: size,
    scaleFactor: 1,
  };
}

/**
 * The single document that `$collStats` returns, with the requested parts.
 * @throws BadValue (2) for unsupported parts, NamespaceNotFound (26) for `count` on a missing collection
 */
export function collectionStatistics(
  options: Maybe,
  state: ServerState,
  database: string,
  name: string,
): Doc {
  if (!(options instanceof Map)) {
    fail(5447000, `$collStats must take a nested object but found a ${typeOf(options).name}`);
  }
  const collection = state.catalog.find(database, name);
  const document: Doc = new Map<string, Value>([
    ['ns', `${database}.${name}`],
    ['localTime', new Date()],
  ]);
  for (const [part, value] of options) {
    if (part !== 'count' && part !== 'storageStats') {
      fail('BadValue', `$collStats with ${part} is not supported by this server`);
    }
    if (!(value instanceof Map)) {
      fail('TypeMismatch', `BSON field '$collStats.${part}' is the wrong type, expected type 'object'`);
    }
    if (part === 'storageStats') {
      document.set(part, toDocument(storageStatistics(state, collection)));
    } else {
      if (!collection) fail('NamespaceNotFound', `Unable to retrieve count in $collStats stage: ${name}`);
      document.set(part, collection.count);
    }
  }
  return document;
}

function toDocument(fields: Record<string, unknown>): Doc {
  const entries = Object.entries(fields).map(([name, value]): [string, Value] => [
    name,
    value !== null && typeof value === 'object' ? toDocument(value as Reply) : (value as Value),
  ]);
  return new Map(entries);
}

function collStats(context: CommandContext): Reply {
  const ns = `${context.database}.${collectionName(context)}`;
  return { ns, ...storageStatistics(context.state, findCollection(context)) };
}

function dbStats({ database, state }: CommandContext): Reply {
  const all = state.catalog.list(database);
  const views = all.filter((collection) => collection.view).length;
  const dataSize = bytesOfDatabase(state, database);
  const objects = all.reduce((sum, collection) => sum + collection.count, 0);
  return {
    db: database,
    collections: all.length - views,
    views,
    objects,
    avgObjSize: objects > 0 ? dataSize / objects : 0,
    dataSize,
    storageSize: dataSize,
    indexes: all.reduce((sum, collection) => sum + collection.indexes.length, 0),
    indexSize: 0,
    totalSize: dataSize,
    scaleFactor: 1,
  };
}

/** The commands `collStats` and `dbStats`. */
export const statisticsCommands: Record<string, Command> = {
  collStats: { run: collStats },
  dbStats: { run: dbStats },
};
