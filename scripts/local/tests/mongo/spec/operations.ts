import { BSON, type ClientSession, type Collection, type Db, type Document, type MongoClient } from 'mongodb';
import type { Entities } from './entities.ts';
import { Mismatch } from './match.ts';
import { CannotRun } from './requirements.ts';

/** A cursor entity: the rest of a result that a test reads step by step. */
interface Cursor {
  next(): Promise<unknown>;
  tryNext?(): Promise<unknown>;
  close(): Promise<void>;
  toArray(): Promise<unknown[]>;
}

/** The test runner's own operations; it has a client of its own, which no test observes. */
export interface Runner {
  client: MongoClient;
  entities: Entities;
  /** Called with the names of fail points that must be disabled after the test. */
  failPointSet(name: string): void;
}

/** A test that violates the format; it fails, whatever errors it expects from an operation. */
export class Malformed extends Error {}

type Arguments = Document;
type Action<Subject> = (subject: Subject, given: Arguments) => unknown;

const COLLECTION: Record<string, Action<Collection>> = {
  find: (collection, { filter, ...options }) => collection.find(filter, options).toArray(),
  findOne: (collection, { filter, ...options }) => collection.findOne(filter, options),
  createFindCursor: (collection, { filter, ...options }) => {
    required(filter, 'filter');
    return opened(collection.find(filter, options));
  },
  insertOne: (collection, { document, ...options }) => {
    required(document, 'document');
    return collection.insertOne(document, options);
  },
  insertMany: (collection, { documents, ...options }) => collection.insertMany(documents, options),
  updateOne: (collection, { filter, update, ...options }) => collection.updateOne(filter, update, options),
  updateMany: (collection, { filter, update, ...options }) => collection.updateMany(filter, update, options),
  replaceOne: (collection, { filter, replacement, ...options }) =>
    collection.replaceOne(filter, replacement, options),
  deleteOne: (collection, { filter, ...options }) => collection.deleteOne(filter, options),
  deleteMany: (collection, { filter, ...options }) => collection.deleteMany(filter, options),
  findOneAndDelete: (collection, { filter, ...options }) => collection.findOneAndDelete(filter, options),
  findOneAndReplace: (collection, { filter, replacement, ...options }) =>
    collection.findOneAndReplace(filter, replacement, lowered(options)),
  findOneAndUpdate: (collection, { filter, update, ...options }) =>
    collection.findOneAndUpdate(filter, update, lowered(options)),
  bulkWrite: (collection, { requests, ...options }) => collection.bulkWrite(requests, options),
  aggregate: (collection, { pipeline, ...options }) => collection.aggregate(pipeline, options).toArray(),
  count: (collection, { filter, ...options }) => collection.count(filter, options),
  countDocuments: (collection, { filter, ...options }) => collection.countDocuments(filter, options),
  estimatedDocumentCount: (collection, options) => collection.estimatedDocumentCount(options),
  distinct: (collection, { fieldName, filter, ...options }) =>
    collection.distinct(fieldName, filter ?? {}, options),
  createIndex: (collection, { keys, ...options }) => collection.createIndex(keys, options),
  dropIndex: (collection, { name, ...options }) => collection.dropIndex(name, options),
  dropIndexes: (collection, options) => collection.dropIndexes(options),
  listIndexes: (collection, options) => collection.listIndexes(options).toArray(),
  rename: (collection, { to, ...options }) => collection.rename(to, options),
  createSearchIndex: (collection, { model }) => collection.createSearchIndex(model),
  createSearchIndexes: (collection, { models }) => collection.createSearchIndexes(models),
  dropSearchIndex: (collection, { name }) => collection.dropSearchIndex(name),
  updateSearchIndex: (collection, { name, definition }) => collection.updateSearchIndex(name, definition),
  listSearchIndexes: (collection, { name, aggregationOptions }) =>
    collection.listSearchIndexes(name, aggregationOptions).toArray(),
};

const DATABASE: Record<string, Action<Db>> = {
  aggregate: (database, { pipeline, ...options }) => database.aggregate(pipeline, options).toArray(),
  runCommand: (database, { command, commandName, ...options }) => {
    // The command's name must be the first key, whatever the order in the file.
    return database.command({ [commandName]: command[commandName], ...command }, options);
  },
  runCursorCommand: (database, given) => commandCursor(database, given).toArray(),
  createCommandCursor: (database, given) => opened(commandCursor(database, given)),
  createCollection: (database, { collection, ...options }) => database.createCollection(collection, options),
  dropCollection: (database, { collection, ...options }) => database.dropCollection(collection, options),
  modifyCollection: (database, { collection, ...options }) =>
    database.command({ collMod: collection, ...options }),
  listCollections: (database, { filter, ...options }) => database.listCollections(filter, options).toArray(),
  listCollectionNames: (database, { filter, ...options }) =>
    database.listCollections(filter, { ...options, nameOnly: true }).toArray(),
};

const CLIENT: Record<string, Action<MongoClient>> = {
  clientBulkWrite: async (client, { models, ...options }) => {
    const named = models.map((model: Document) => {
      const [name, fields] = Object.entries(model)[0] as [string, Document];
      return { name, ...fields };
    });
    const result = await client.bulkWrite(named, options);
    return withoutDidUpsert(result as unknown as Document);
  },
  listDatabases: (client, options) => client.db().admin().listDatabases(options),
  listDatabaseNames: (client, options) =>
    client
      .db()
      .admin()
      .listDatabases({ ...options, nameOnly: true }),
  close: (client) => client.close(),
};

const SESSION: Record<string, Action<ClientSession>> = {
  endSession: (session) => session.endSession(),
  startTransaction: (session, options) => session.startTransaction(options),
  commitTransaction: (session) => session.commitTransaction(),
  abortTransaction: (session) => session.abortTransaction(),
};

const CURSOR: Record<string, Action<Cursor>> = {
  iterateUntilDocumentOrError: (cursor) => cursor.next(),
  iterateOnce: (cursor) => (cursor.tryNext ? cursor.tryNext() : cursor.next()),
  close: (cursor) => cursor.close(),
};

const RUNNER: Record<string, Action<Runner>> = {
  failPoint: async (runner, { failPoint }) => {
    await runner.client.db('admin').command(failPoint);
    runner.failPointSet(failPoint.configureFailPoint);
  },
  assertCollectionExists: (runner, given) => assertCollection(runner, given, true),
  assertCollectionNotExists: (runner, given) => assertCollection(runner, given, false),
  assertIndexExists: (runner, given) => assertIndex(runner, given, true),
  assertIndexNotExists: (runner, given) => assertIndex(runner, given, false),
  assertSessionDirty: (_, { session }) => assertDirty(session, true),
  assertSessionNotDirty: (_, { session }) => assertDirty(session, false),
  assertSameLsidOnLastTwoCommands: (runner, given) => assertLastSessions(runner, given, true),
  assertDifferentLsidOnLastTwoCommands: (runner, given) => assertLastSessions(runner, given, false),
  assertNumberConnectionsCheckedOut: ({ entities }, { client, connections }) => {
    required(client, 'client');
    required(connections, 'connections');
    const used = entities.connectionsCheckedOut(client);
    if (used !== connections) throw new Mismatch(`${used} connections are in use, not ${connections}`);
  },
  createEntities: (runner, given) => runner.entities.create(given.entities),
};

/** Runs one operation of a test and returns the driver's result. @throws CannotRun for unsupported operations */
export async function perform(runner: Runner, operation: Document): Promise<unknown> {
  const { entities } = runner;
  const given = withSession(operation.arguments ?? {}, entities);
  if (operation.object === 'testRunner') return action(RUNNER, operation.name)(runner, given);
  const subject = entities.get<object>(operation.object);
  return action(actionsOf(subject), operation.name)(subject, given);
}

function actionsOf(subject: object): Record<string, Action<never>> {
  if ('collectionName' in subject) return COLLECTION;
  if ('startSession' in subject) return CLIENT;
  if ('databaseName' in subject) return DATABASE;
  return 'endSession' in subject ? SESSION : CURSOR;
}

function action<Subject>(actions: Record<string, Action<Subject>>, name: string): Action<unknown> {
  const found = actions[name];
  if (!found) throw new CannotRun(`the operation "${name}"`);
  return found as Action<unknown>;
}

function withSession(given: Arguments, entities: Entities): Arguments {
  return typeof given.session === 'string' ? { ...given, session: entities.get(given.session) } : given;
}

/** The format says "After" where the driver says "after". */
function lowered({ returnDocument, ...options }: Arguments): Arguments {
  if (returnDocument === undefined) return options;
  if (!['Before', 'After'].includes(returnDocument)) throw new Malformed(`returnDocument: ${returnDocument}`);
  return { ...options, returnDocument: returnDocument.toLowerCase() };
}

function required(argument: unknown, name: string): void {
  if (argument === undefined) throw new Malformed(`the argument "${name}" is missing`);
}

/** The driver reports with each update whether it inserted; the format does not know that field. */
function withoutDidUpsert(result: Document): Document {
  if (!result.updateResults) return result;
  const updates = [...result.updateResults].map(([index, { didUpsert: _, ...update }]) => [index, update]);
  return { ...result, updateResults: Object.fromEntries(updates) };
}

function commandCursor(database: Db, given: Arguments) {
  const { command, commandName, batchSize, maxTimeMS, comment, ...options } = given;
  const cursor = database.runCursorCommand({ [commandName]: command[commandName], ...command }, options);
  if (batchSize !== undefined) cursor.setBatchSize(batchSize);
  if (maxTimeMS !== undefined) cursor.setMaxTimeMS(maxTimeMS);
  if (comment !== undefined) cursor.setComment(comment);
  return cursor;
}

/** Creating a cursor must send its command, but the driver waits for the first read; this reads ahead. */
async function opened(cursor: Cursor & { hasNext?(): Promise<boolean> }): Promise<Cursor> {
  await cursor.hasNext?.();
  return cursor;
}

async function assertCollection(runner: Runner, given: Arguments, wanted: boolean): Promise<void> {
  const { databaseName, collectionName } = given;
  const found = await runner.client.db(databaseName).listCollections({ name: collectionName }).toArray();
  if (found.length > 0 !== wanted) throw new Mismatch(`collection ${collectionName} exists: ${!wanted}`);
}

async function assertIndex(runner: Runner, given: Arguments, wanted: boolean): Promise<void> {
  const { databaseName, collectionName, indexName } = given;
  const collection = runner.client.db(databaseName).collection(collectionName);
  // The driver throws an error for a collection that does not exist.
  const indexes = await collection.indexes().catch(() => []);
  if (indexes.some((index) => index.name === indexName) !== wanted) {
    throw new Mismatch(`index ${indexName} exists: ${!wanted}`);
  }
}

/** A session whose server session the driver will not reuse, because a connection was lost. */
function assertDirty(session: ClientSession, wanted: boolean): void {
  if (session.serverSession.isDirty !== wanted) throw new Mismatch(`the session is dirty: ${!wanted}`);
}

function assertLastSessions({ entities }: Runner, { client }: Arguments, same: boolean): void {
  const started = entities.events(client).filter(({ name }) => name === 'commandStartedEvent');
  const [before, last] = started
    .slice(-2)
    .map(({ event }) => ('command' in event ? event.command.lsid : undefined));
  if (!before || !last) throw new Mismatch('the last two commands had no sessions');
  if ((BSON.EJSON.stringify(before) === BSON.EJSON.stringify(last)) !== same) {
    throw new Mismatch(`the last two commands had the same session: ${!same}`);
  }
}
