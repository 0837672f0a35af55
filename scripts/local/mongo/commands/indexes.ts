import { equalValues } from '../bson/compare.ts';
import { encode } from '../bson/encode.ts';
import {
  type Doc,
  isNumeric,
  isTruthy,
  type Maybe,
  showDocument,
  showValue,
  toNumber,
  typeOf,
  type Value,
} from '../bson/values.ts';
import { fail } from '../errors.ts';
import { parseFilter } from '../query/filter.ts';
import type { Collection } from '../storage/collection.ts';
import { distinguishable, type Index, sameIndex, sameKey } from '../storage/indexes.ts';
import {
  type Command,
  type CommandContext,
  collectionName,
  documentField,
  findCollection,
  majorVersion,
  type Reply,
} from './context.ts';

const KNOWN_OPTIONS = [
  'key',
  'name',
  'unique',
  'sparse',
  'partialFilterExpression',
  'expireAfterSeconds',
  'background',
  'v',
  // Of older versions: mongorestore sends it.
  'ns',
];

/** The specification to store for a requested index. @throws when it is invalid or not supported */
function checkedSpec(requested: Value, major: number): Doc {
  if (!(requested instanceof Map))
    fail('TypeMismatch', "The elements of the 'indexes' array must be objects");
  const key = requested.get('key');
  if (!(key instanceof Map))
    fail('FailedToParse', "The 'key' field is a required property of an index specification");
  if (typeof requested.get('name') !== 'string') {
    fail('FailedToParse', "The 'name' field is a required property of an index specification");
  }
  for (const option of requested.keys()) {
    if (!KNOWN_OPTIONS.includes(option)) {
      fail(
        197,
        `The field '${option}' is not valid for an index specification. Specification: ${showDocument(requested)}`,
      );
    }
  }
  checkKey(key, requested);
  const spec: Doc = new Map<string, Value>([
    ['v', 2],
    ['key', key],
    ['name', requested.get('name')!],
  ]);
  for (const [option, value] of requested) {
    if (spec.has(option) || option === 'background' || option === 'ns') continue;
    const flag = ['unique', 'sparse'].includes(option);
    if (flag && !isTruthy(value)) continue;
    spec.set(option, flag ? true : value);
  }
  checkOptions(spec, key, major);
  return spec;
}

function checkKey(key: Doc, requested: Doc): void {
  const refuse = (reason: string) => fail('CannotCreateIndex', reason);
  if (key.size === 0) refuse('Index keys cannot be an empty object.');
  for (const [path, direction] of key) {
    if (path.split('.').includes('')) refuse('Index keys cannot contain an empty field.');
    if ((path.startsWith('$') || path.includes('.$')) && !/\$(id|ref|db)$/.test(path))
      refuse("Index key contains an illegal field name: field name starts with '$'.");
    if (typeof direction === 'string')
      refuse(
        `Unknown index plugin '${direction}': this server has no such indexes. Specification: ${showDocument(requested)}`,
      );
    if (!isNumeric(direction))
      refuse(
        `Values in v:2 index key pattern cannot be of type ${typeOf(direction).name}. Only numbers > 0, numbers < 0, and strings are allowed.`,
      );
    if (!toNumber(direction)) refuse('Values in the index key pattern cannot be 0.');
  }
}

function checkOptions(spec: Doc, key: Doc, major: number): void {
  const isOfId = key.size === 1 && key.has('_id');
  const expiry = spec.get('expireAfterSeconds');
  if (expiry !== undefined) {
    if (!isNumeric(expiry)) fail('TypeMismatch', "The field 'expireAfterSeconds' must be a number");
    const seconds = toNumber(expiry);
    const problem = !(seconds >= 0 && seconds <= 2147483647)
      ? `TTL index 'expireAfterSeconds' option must be within an acceptable range, found ${seconds}`
      : key.size > 1 && 'TTL indexes are single-field indexes, compound indexes do not support TTL.';
    if (problem) fail('CannotCreateIndex', problem);
    if (isOfId) fail(197, "The field 'expireAfterSeconds' is not valid for an _id index specification.");
  }
  const partial = spec.get('partialFilterExpression');
  if (partial === undefined) return;
  if (!(partial instanceof Map))
    fail('TypeMismatch', "'partialFilterExpression' for an index has to be a document");
  if (spec.has('sparse'))
    fail('CannotCreateIndex', 'cannot mix "partialFilterExpression" and "sparse" options');
  if (isOfId) fail(197, '_id index cannot be a partial index');
  checkPartial(partial, major);
}

/** The operators that a partial index takes, and those that it takes since MongoDB 6.0. */
const PARTIAL_OPERATORS = ['$eq', '$gt', '$gte', '$lt', '$lte', '$type', '$exists', '$and'];
const PARTIAL_OPERATORS_SINCE_6 = [...PARTIAL_OPERATORS, '$in', '$or'];

function checkPartial(filter: Doc, major: number): void {
  const known = major < 6 ? PARTIAL_OPERATORS : PARTIAL_OPERATORS_SINCE_6;
  parseFilter(filter);
  const walk = (value: Maybe): void => {
    if (Array.isArray(value)) for (const each of value) walk(each);
    if (!(value instanceof Map)) return;
    for (const [name, inner] of value) {
      if (name.startsWith('$') && !known.includes(name)) {
        fail('CannotCreateIndex', `Expression not supported in partial index: ${name}`);
      }
      if (name === '$exists' && !isTruthy(inner))
        fail('CannotCreateIndex', 'Expression not supported in partial index: $not');
      walk(inner);
    }
  };
  walk(filter);
}

/** Whether the same index exists already. @throws 85 or 86 when a conflicting one exists */
function indexExists(collection: Collection, spec: Doc): boolean {
  const key = spec.get('key') as Doc;
  if (equalValues(key, new Map([['_id', 1]]))) return true;
  const name = spec.get('name') as string;
  for (const { spec: existing, name: existingName } of collection.indexes) {
    const detail = `Requested index: ${showDocument(spec)}, existing index: ${showDocument(existing)}`;
    if (existingName === name) {
      if (sameIndex(existing, spec)) return true;
      if (sameKey(existing, spec) && !distinguishable(existing, spec)) {
        fail(
          'IndexOptionsConflict',
          `An equivalent index already exists with the same name but different options. ${detail}`,
        );
      }
      fail(
        'IndexKeySpecsConflict',
        `An existing index has the same name as the requested index. When index names are not specified, they are auto generated and can cause conflicts. Please refer to our documentation. ${detail}`,
      );
    }
    if (sameKey(existing, spec) && !distinguishable(existing, spec)) {
      const message = sameIndex(existing, spec)
        ? `Index already exists with a different name: ${existingName}`
        : `An equivalent index already exists with a different name and options. ${detail}`;
      fail('IndexOptionsConflict', message);
    }
  }
  return false;
}

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
      const specs = requested.map((each) => checkedSpec(each, majorVersion(state)));
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
  createIndexes: { run: createIndexes, fields: ['indexes', 'ignoreUnknownIndexOptions'] },
  listIndexes: { run: listIndexes, fields: ['cursor'] },
  dropIndexes: { run: dropIndexes, fields: ['index'] },
};
