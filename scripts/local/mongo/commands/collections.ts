import { encode } from '../bson/encode.ts';
import { type Doc, isNumeric, toNumber, type Value } from '../bson/values.ts';
import { parseFilter } from '../query/filter.ts';
import type { Collection } from '../storage/collection.ts';
import {
  booleanField,
  type Command,
  type CommandContext,
  collectionName,
  documentField,
  findCollection,
  type Reply,
} from './context.ts';

function create(context: CommandContext): Reply {
  if (!findCollection(context)) context.state.catalog.create(context.database, collectionName(context));
  return {};
}

function drop(context: CommandContext): Reply {
  const collection = findCollection(context);
  if (!collection) return {};
  const nIndexesWas = collection.indexes.length;
  dropCollection(context, collection);
  return { nIndexesWas, ns: collection.namespace };
}

function dropCollection(context: CommandContext, collection: Collection): void {
  context.state.cursors.killNamespace(collection.namespace);
  context.state.catalog.drop(collection);
}

function dropDatabase(context: CommandContext): Reply {
  const collections = context.state.catalog.list(context.database);
  for (const collection of collections) dropCollection(context, collection);
  return collections.length > 0 ? { dropped: context.database } : {};
}

function listCollections(context: CommandContext): Reply {
  const { command, database, state } = context;
  const nameOnly = booleanField(command, 'nameOnly', false, 'listCollections');
  const filter = parseFilter(documentField(command, 'filter', 'listCollections'));
  const results = state.catalog
    .list(database)
    .map((collection) => describe(collection, nameOnly))
    .filter((entry) => filter.matches(entry))
    .map((entry) => encode(entry));
  const batchSize = documentField(command, 'cursor', 'listCollections').get('batchSize');
  return {
    cursor: state.cursors.start(`${database}.$cmd.listCollections`, results.values(), {
      batchSize: isNumeric(batchSize) ? toNumber(batchSize) : undefined,
      most: results.length,
    }),
  };
}

function describe(collection: Collection, nameOnly: boolean): Doc {
  const entry: Doc = new Map<string, Value>([
    ['name', collection.name],
    ['type', 'collection'],
  ]);
  if (nameOnly) return entry;
  entry.set('options', new Map());
  entry.set('info', new Map([['readOnly', false]]));
  entry.set('idIndex', collection.indexes[0]!.spec);
  return entry;
}

/** The commands that create, list and drop collections and databases. */
export const collectionCommands: Record<string, Command> = {
  // The index on `_id`, which mongorestore names, is always there.
  create: { run: create, fields: ['idIndex'] },
  drop: { run: drop, fields: [] },
  dropDatabase: { run: dropDatabase, fields: [] },
  listCollections: {
    run: listCollections,
    fields: ['filter', 'nameOnly', 'cursor', 'authorizedCollections'],
  },
};
