import { Binary } from 'bson';
import { equalValues } from '../bson/compare.ts';
import { encode } from '../bson/encode.ts';
import { type Doc, isNumeric, isTruthy, toNumber, type Value } from '../bson/values.ts';
import { fail } from '../errors.ts';
import { parseCollation } from '../query/collation.ts';
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
import { readStages } from './pipeline.ts';
import { bytesOfDatabase } from './statistics.ts';

const CREATE_OPTIONS = [
  'viewOn',
  'pipeline',
  'validator',
  'validationLevel',
  'validationAction',
  'collation',
  'storageEngine',
  'indexOptionDefaults',
  'changeStreamPreAndPostImages',
  'expireAfterSeconds',
  'idIndex',
  'autoIndexId',
  'flags',
  'temp',
];

const UNSUPPORTED = ['capped', 'timeseries', 'clusteredIndex', 'encryptedFields'];

function create(context: CommandContext): Reply {
  const { command, state, database } = context;
  const name = collectionName(context);
  const options: Doc = new Map();
  for (const option of CREATE_OPTIONS) if (command.has(option)) options.set(option, command.get(option)!);
  parseCollation(options.get('collation'));
  if (options.has('viewOn')) readStages(options.get('pipeline') ?? []);
  parseFilter(documentField(command, 'validator', 'create'));
  // Rejected, because the collection would not behave as its options say.
  const unsupported = UNSUPPORTED.find((option) => isTruthy(command.get(option) ?? false));
  const existing = state.catalog.find(database, name);
  if (existing) {
    if (equalValues(existing.options, options) && !unsupported) return {};
    fail('NamespaceExists', `Collection ${database}.${name} already exists.`);
  }
  if (unsupported) fail('InvalidOptions', `${unsupported} is not supported by this server`);
  state.catalog.create(database, name, options);
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

function renameCollection(context: CommandContext): Reply {
  const { catalog, cursors } = context.state;
  const [from, to] = [context.command.get('renameCollection'), context.command.get('to')];
  if (typeof from !== 'string' || typeof to !== 'string')
    fail('TypeMismatch', "'renameCollection' and 'to' must be of type string");
  if (from === to) fail('IllegalOperation', "Can't rename a collection to itself");
  const [database, name] = splitNamespace(from);
  const [toDatabase, toName] = splitNamespace(to);
  const collection = catalog.find(database, name);
  if (!collection) fail('NamespaceNotFound', `Source collection ${from} does not exist`);
  const existing = catalog.find(toDatabase, toName);
  if (existing && !isTruthy(context.command.get('dropTarget')))
    fail('NamespaceExists', 'target namespace exists');
  catalog.change(() => {
    if (existing) dropCollection(context, existing);
    catalog.rename(collection, toDatabase, toName);
  });
  cursors.killNamespace(from);
  return {};
}

function splitNamespace(namespace: string): [string, string] {
  const dot = namespace.indexOf('.');
  return [namespace.slice(0, dot), namespace.slice(dot + 1)];
}

function listCollections(context: CommandContext): Reply {
  const { command, database, state } = context;
  const nameOnly = booleanField(command, 'nameOnly', false, 'listCollections');
  const filter = parseFilter(documentField(command, 'filter', 'listCollections'));
  const results = state.catalog
    .list(database)
    .map((collection) => describePlan(collection, nameOnly))
    .filter((entry) => filter.matches(entry))
    .map((entry) => encode(entry));
  const batchSize = documentField(command, 'cursor', 'listCollections').get('batchSize');
  const namespace = `${database}.$cmd.listCollections`;
  return {
    cursor: state.cursors.start(namespace, results.values(), {
      batchSize: isNumeric(batchSize) ? toNumber(batchSize) : undefined,
      most: results.length,
    }),
  };
}

function describePlan(collection: Collection, nameOnly: boolean): Doc {
  const entry: Doc = new Map<string, Value>([
    ['name', collection.name],
    ['type', collection.view ? 'view' : 'collection'],
  ]);
  if (nameOnly) return entry;
  entry.set('options', collection.options);
  entry.set(
    'info',
    new Map<string, Value>([
      ['readOnly', collection.view !== undefined],
      ['uuid', new Binary(collection.uuid, 4)],
    ]),
  );
  if (!collection.view) entry.set('idIndex', collection.indexes[0]!.spec);
  return entry;
}

function listDatabases(context: CommandContext): Reply {
  if (context.database !== 'admin') fail(13, 'listDatabases may only be run against the admin database.');
  const { command, state } = context;
  const filter = parseFilter(documentField(command, 'filter', 'listDatabases'));
  const names = [...new Set(state.catalog.list().map((collection) => collection.database))].sort();
  const databases = names
    .map(
      (name): Doc =>
        new Map<string, Value>([
          ['name', name],
          ['sizeOnDisk', BigInt(bytesOfDatabase(state, name))],
          ['empty', false],
        ]),
    )
    .filter((entry) => filter.matches(entry));
  if (isTruthy(command.get('nameOnly')))
    return { databases: databases.map((entry) => ({ name: entry.get('name') })) };
  const totalSize = databases.reduce((sum, entry) => sum + (entry.get('sizeOnDisk') as bigint), 0n);
  return { databases, totalSize, totalSizeMb: totalSize / 1048576n };
}

function collMod(context: CommandContext): Reply {
  const { command, state } = context;
  const collection = findCollection(context);
  if (!collection)
    fail('NamespaceNotFound', `ns does not exist: ${context.database}.${collectionName(context)}`);
  if (command.has('validator')) {
    parseFilter(documentField(command, 'validator', 'collMod'));
    state.catalog.changeOptions(
      collection,
      new Map([...collection.options, ['validator', command.get('validator')!]]),
    );
  }
  const change = command.get('index');
  if (!(change instanceof Map)) return {};
  const index = collection.indexes.find((each) =>
    change.has('name')
      ? each.name === change.get('name')
      : equalValues(each.spec.get('key'), change.get('keyPattern')),
  );
  if (!index)
    fail(
      'IndexNotFound',
      `cannot find index ${String(change.get('name') ?? '')} for ns ${collection.namespace}`,
    );
  const reply: Reply = {};
  const spec: Doc = new Map(index.spec);
  for (const option of ['expireAfterSeconds', 'hidden', 'unique']) {
    if (!change.has(option)) continue;
    const before = spec.get(option);
    const after = change.get(option)!;
    if (before !== undefined || option === 'hidden') reply[`${option}_old`] = before ?? false;
    reply[`${option}_new`] = after;
    spec.set(option, after);
  }
  state.catalog.changeIndex(collection, index, spec);
  return reply;
}

function validate(context: CommandContext): Reply {
  const collection = findCollection(context);
  const name = `${context.database}.${collectionName(context)}`;
  if (!collection) fail('NamespaceNotFound', `Collection '${name}' does not exist to validate.`);
  const [check] = context.state.catalog.sql.sqlite.prepare('PRAGMA quick_check').all();
  const valid = check?.quick_check === 'ok';
  return {
    ns: name,
    nrecords: collection.count,
    nIndexes: collection.indexes.length,
    valid,
    errors: valid ? [] : [String(check?.quick_check)],
    warnings: [],
  };
}

/** The commands that create, change, list and drop collections and databases. */
export const collectionCommands: Record<string, Command> = {
  create: { run: create },
  drop: { run: drop },
  dropDatabase: { run: dropDatabase },
  renameCollection: { run: renameCollection },
  listCollections: { run: listCollections },
  listDatabases: { run: listDatabases },
  collMod: { run: collMod },
  validate: { run: validate },
};
