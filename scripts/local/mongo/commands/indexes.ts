import { equalValues } from '../bson/compare.ts';
import { encode } from '../bson/encode.ts';
import { isNumeric, type Maybe, showDocument, showValue, toNumber } from '../bson/values.ts';
import { fail } from '../errors.ts';
import type { Collection } from '../storage/collection.ts';
import type { Index } from '../storage/indexes.ts';
import {
  type Command,
  type CommandContext,
  collectionName,
  documentField,
  findCollection,
  type Reply,
} from './context.ts';
import { checkedSpec, indexExists } from './index-specs.ts';

function createIndexes(context: CommandContext): Reply {
  const { state, database, command } = context;
  const name = collectionName(context);
  const requested = command.get('indexes');
  if (!Array.isArray(requested))
    fail(40414, "BSON field 'createIndexes.indexes' is missing but a required field");
  if (requested.length === 0) fail('BadValue', 'Must specify at least one index to create');
  const createdCollectionAutomatically = !state.catalog.find(database, name);
  return state.catalog.change(() => {
    const collection = state.catalog.findOrCreate(database, name);
    const numIndexesBefore = collection.indexes.length;
    const added: Index[] = [];
    try {
      const specs = requested.map(checkedSpec);
      for (const spec of specs)
        if (!indexExists(collection, spec)) added.push(state.catalog.addIndex(collection, spec));
    } catch (error) {
      // SQLite has rolled back all changes of this command; undo them in memory as well.
      collection.indexes = collection.indexes.filter((index) => !added.includes(index));
      if (createdCollectionAutomatically) state.catalog.forget(collection);
      throw error;
    }
    const numIndexesAfter = collection.indexes.length;
    return {
      numIndexesBefore,
      numIndexesAfter,
      createdCollectionAutomatically,
      ...(numIndexesAfter === numIndexesBefore && { note: 'all indexes already exist' }),
    };
  });
}

function listIndexes(context: CommandContext): Reply {
  const { command, state } = context;
  const collection = findCollection(context);
  const namespace = `${context.database}.${collectionName(context)}`;
  if (!collection) fail('NamespaceNotFound', `ns does not exist: ${namespace}`);
  const batchSize = documentField(command, 'cursor', 'listIndexes').get('batchSize');
  const results = collection.indexes.map((index) => encode(index.spec));
  return {
    cursor: state.cursors.start(namespace, results.values(), {
      batchSize: isNumeric(batchSize) ? toNumber(batchSize) : undefined,
      most: results.length,
    }),
  };
}

function dropIndexes(context: CommandContext): Reply {
  const { command, state } = context;
  const collection = findCollection(context);
  if (!collection) fail('NamespaceNotFound', `ns not found ${context.database}.${collectionName(context)}`);
  const nIndexesWas = collection.indexes.length;
  const wanted = command.get('index');
  const reply = { nIndexesWas };
  if (wanted === '*') {
    state.catalog.change(() => {
      for (const index of collection.indexes.slice(1)) state.catalog.dropIndex(collection, index);
    });
    return { ...reply, msg: 'non-_id indexes dropped for collection' };
  }
  const found = (Array.isArray(wanted) ? wanted : [wanted]).map((each) => indexFor(collection, each));
  state.catalog.change(() => {
    for (const index of found) state.catalog.dropIndex(collection, index);
  });
  return reply;
}

function indexFor(collection: Collection, wanted: Maybe): Index {
  const found =
    wanted instanceof Map
      ? collection.indexes.find((index) => equalValues(index.spec.get('key'), wanted))
      : collection.indexes.find((index) => index.name === wanted);
  if (!found) {
    const shown =
      wanted instanceof Map
        ? `can't find index with key: ${showDocument(wanted)}`
        : `index not found with name [${typeof wanted === 'string' ? wanted : showValue(wanted)}]`;
    fail('IndexNotFound', shown);
  }
  if (found.name === '_id_') fail('InvalidOptions', 'cannot drop _id index');
  return found;
}

/** The commands `createIndexes`, `listIndexes` and `dropIndexes`. */
export const indexCommands: Record<string, Command> = {
  createIndexes: { run: createIndexes, fields: ['indexes'] },
  listIndexes: { run: listIndexes, fields: ['cursor'] },
  dropIndexes: { run: dropIndexes, fields: ['index'] },
};
