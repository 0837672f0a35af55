import { type Document, type MongoClient, MongoServerError } from 'mongodb';
import { Entities } from './entities.ts';
import { Mismatch, matchExact, matchRoot } from './match.ts';
import { Malformed, perform, type Runner } from './operations.ts';
import { assertRunnable, CannotRun, type ServerFacts } from './requirements.ts';

/** The result of a test. */
export type Outcome =
  | { kind: 'passed' }
  | { kind: 'failed'; reason: string }
  | { kind: 'skipped'; reason: string };

/** Runs one test of a file in the unified test format, with its own entities. */
export async function runTest(
  file: Document,
  test: Document,
  url: string,
  client: MongoClient,
  facts: ServerFacts,
): Promise<Outcome> {
  const entities = new Entities(url);
  const failPoints = new Set<string>();
  const runner: Runner = { client, entities, failPointSet: (name) => failPoints.add(name) };
  try {
    if (!/^1\./.test(file.schemaVersion)) throw new Malformed(`schema version ${file.schemaVersion}`);
    if (test.skipReason) throw new CannotRun(`the test itself says: ${test.skipReason}`);
    assertRunnable(file.runOnRequirements, facts);
    assertRunnable(test.runOnRequirements, facts);
    await storeInitialData(client, file.initialData ?? []);
    entities.create(file.createEntities ?? []);
    for (const operation of test.operations) await performAndCheck(runner, operation);
    for (const expected of test.expectEvents ?? []) checkEvents(entities, expected);
    await checkStored(client, test.outcome ?? [], entities);
    return { kind: 'passed' };
  } catch (error) {
    if (error instanceof CannotRun) return { kind: 'skipped', reason: error.message };
    return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
  } finally {
    for (const name of failPoints) {
      await client.db('admin').command({ configureFailPoint: name, mode: 'off' });
    }
    await entities.close();
  }
}

async function storeInitialData(client: MongoClient, data: Document[]): Promise<void> {
  for (const { databaseName, collectionName, documents, createOptions } of data) {
    const database = client.db(databaseName);
    await database.collection(collectionName).drop();
    if (createOptions || documents.length === 0)
      await database.createCollection(collectionName, createOptions);
    if (documents.length > 0) await database.collection(collectionName).insertMany(documents);
  }
}

async function performAndCheck(runner: Runner, operation: Document): Promise<void> {
  const { entities } = runner;
  const lookup = (name: string) => entities.get(name);
  let result: unknown;
  try {
    result = await perform(runner, operation);
  } catch (error) {
    if ([CannotRun, Malformed, Mismatch].some((kind) => error instanceof kind)) throw error;
    if (operation.ignoreResultAndError) return;
    if (!operation.expectError) throw error;
    checkError(operation.name, operation.expectError, error as Error, lookup);
    return;
  }
  if (operation.ignoreResultAndError) return;
  if (operation.expectError) throw new Mismatch(`${operation.name} worked, where an error was expected`);
  if (operation.saveResultAsEntity) entities.set(operation.saveResultAsEntity, result);
  if ('expectResult' in operation) {
    // The driver returns undefined for no result; the files say null.
    matchRoot(operation.expectResult, result ?? null, lookup, operation.name);
  }
}

function checkError(
  operation: string,
  expected: Document,
  error: Error & { partialResult?: unknown; result?: unknown; writeErrors?: unknown; cause?: unknown },
  lookup: (name: string) => unknown,
): void {
  const fault = serverFault(error);
  const wrong = (what: string) => {
    throw new Mismatch(`${operation}: the error "${error.message}" ${what}`);
  };
  if (expected.isClientError !== undefined && expected.isClientError === (fault !== undefined)) {
    wrong(expected.isClientError ? 'came from the server' : 'came from the driver');
  }
  if (expected.errorContains && !error.message.toLowerCase().includes(expected.errorContains.toLowerCase())) {
    wrong(`does not contain "${expected.errorContains}"`);
  }
  if (expected.errorCode !== undefined && fault?.code !== expected.errorCode)
    wrong(`has the code ${fault?.code}`);
  if (expected.errorCodeName !== undefined && fault?.codeName !== expected.errorCodeName) {
    wrong(`has the code name ${fault?.codeName}`);
  }
  for (const label of expected.errorLabelsContain ?? []) {
    if (!fault?.hasErrorLabel(label)) wrong(`lacks the label ${label}`);
  }
  for (const label of expected.errorLabelsOmit ?? []) {
    if (fault?.hasErrorLabel(label)) wrong(`has the label ${label}`);
  }
  if (expected.errorResponse) {
    matchRoot(expected.errorResponse, fault?.errorResponse, lookup, `${operation} error`);
  }
  if (expected.writeErrors) {
    for (const [index, wanted] of Object.entries(expected.writeErrors)) {
      const given = (error.writeErrors as Map<number, unknown>).get(Number(index));
      matchRoot(wanted, given, lookup, `${operation} write error ${index}`);
    }
  }
  if (expected.writeConcernErrors) {
    const given = (error as { writeConcernErrors?: unknown }).writeConcernErrors;
    matchRoot(expected.writeConcernErrors, given, lookup, `${operation} write concern errors`);
  }
  if (expected.expectResult) {
    matchRoot(
      expected.expectResult,
      error.partialResult ?? error.result,
      lookup,
      `${operation} partial result`,
    );
  }
}

/** The server's part of an error: the error itself, or the one that ended a client bulk write. */
function serverFault(error: Error & { cause?: unknown }): MongoServerError | undefined {
  if (error.cause instanceof MongoServerError) return error.cause;
  return error instanceof MongoServerError ? error : undefined;
}

function checkEvents(entities: Entities, expected: Document): void {
  const kind = expected.eventType ?? 'command';
  if (kind !== 'command' && kind !== 'cmap') throw new CannotRun(`events of the kind "${kind}"`);
  const observed = entities.events(expected.client, kind);
  const lookup = (name: string) => entities.get(name);
  for (const [at, wanted] of (expected.events as Document[]).entries()) {
    const [name, fields] = Object.entries(wanted)[0] as [string, Document];
    const actual = observed[at];
    if (actual?.name !== name)
      throw new Mismatch(`event ${at}: expected ${name}, got ${actual?.name ?? 'none'}`);
    const event = actual.event as unknown as Document;
    for (const key of ['commandName', 'databaseName']) {
      if (fields[key] !== undefined) matchRoot(fields[key], event[key], lookup, `event ${at} ${key}`);
    }
    for (const key of ['command', 'reply']) {
      if (fields[key] !== undefined) matchRoot(fields[key], event[key], lookup, `event ${at} ${key}`);
    }
  }
  if (!expected.ignoreExtraEvents && observed.length > expected.events.length) {
    const [extra] = observed.slice(expected.events.length);
    throw new Mismatch(
      `event ${expected.events.length}: ${extra!.name} ${extra!.event.commandName}, expected none`,
    );
  }
}

async function checkStored(client: MongoClient, outcome: Document[], entities: Entities): Promise<void> {
  for (const { databaseName, collectionName, documents } of outcome) {
    const collection = client.db(databaseName).collection(collectionName);
    const stored = await collection.find().sort({ _id: 1 }).toArray();
    matchExact(documents, stored, (name) => entities.get(name), `stored ${collectionName}`);
  }
}
