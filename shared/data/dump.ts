import mongoose from 'mongoose';
import { connectionOf } from './collection.ts';
import type { Db } from './db.ts';
import { restoringRow } from './migrations/migrate.ts';
import { listProcesses } from './queue/processes.ts';

/*
 * Everything that the database has, for `npm run backup` and `npm run restore`, in the form of mongodump: BSON documents one
 * after the other, and the indexes as extended JSON.
 */

const { deserialize, EJSON } = mongoose.mongo.BSON;

/** A collection as it is dumped. */
export interface CollectionDump {
  name: string;
  /** What mongodump writes into `NAME.metadata.json`. */
  metadata: string;
  /** Each document as BSON. */
  documents: AsyncIterable<Uint8Array>;
}

/** The database cannot be dumped or loaded now. The message is one sentence for the operator. */
export class DumpRefused extends Error {
  override name = 'DumpRefused';
}

/** Documents that are loaded with one command. */
const loadedAtOnce = 500;

/**
 * Dumps all collections as they are at one moment: in a replica set with a snapshot, beside running servers and workers; a
 * standalone server has no snapshots, so nothing may run there.
 * @throws DumpRefused
 */
export async function* dumpDatabase(db: Db): AsyncGenerator<CollectionDump> {
  const connection = connectionOf(db);
  const database = connection.db!;
  const { setName, msg } = await database.command({ hello: 1 });
  const hasSnapshots = setName !== undefined || msg === 'isdbgrid';
  const session = hasSnapshots ? await connection.startSession({ snapshot: true }) : undefined;
  if (!session) await refuseIfRunning(db);
  try {
    for (const name of await collectionNames(db)) {
      const collection = database.collection(name);
      const documents = collection.find({}, { raw: true, ...(session && { session }) });
      yield {
        name,
        metadata: EJSON.stringify(
          { options: {}, indexes: await collection.indexes(), collectionName: name, type: 'collection' },
          // The only form that mongorestore reads.
          { relaxed: false },
        ),
        documents: documents as unknown as AsyncIterable<Uint8Array>,
      };
    }
    if (!session) await refuseIfRunning(db);
  } finally {
    await session?.endSession();
  }
}

async function refuseIfRunning(db: Db): Promise<void> {
  const running = await listProcesses(db);
  if (running.length === 0) return;
  throw new DumpRefused(
    `a standalone MongoDB has no snapshots: stop every server and worker, or make it a replica set. Running, or killed less than a minute ago: ${running.map(({ name }) => name).join(', ')}`,
  );
}

const collectionNames = async (db: Db) =>
  (await connectionOf(db).db!.listCollections({ type: 'collection' }, { nameOnly: true }).toArray())
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('system.'))
    .sort();

/**
 * Begins to load a dump into an empty database, or into one in which that was interrupted. Servers and workers refuse it
 * until {@link endLoad}.
 * @throws DumpRefused when it has something else
 */
export async function beginLoad(db: Db): Promise<void> {
  const database = connectionOf(db).db!;
  const migrations = database.collection<{ _id: string }>('migrations');
  const names = await collectionNames(db);
  if (names.length > 0 && !(await migrations.findOne({ _id: restoringRow }))) {
    throw new DumpRefused(`the database has ${names.length} collections: restore into an empty one`);
  }
  await migrations.updateOne({ _id: restoringRow }, { $set: { begun_at: new Date() } }, { upsert: true });
  await migrations.deleteMany({ _id: { $ne: restoringRow } });
  for (const name of names) if (name !== 'migrations') await database.collection(name).drop();
}

/** Loads a collection, after {@link beginLoad}. @returns how many documents it has */
export async function loadCollection(db: Db, { name, metadata, documents }: CollectionDump): Promise<number> {
  const collection = connectionOf(db).db!.collection(name);
  let count = 0;
  let waiting: mongoose.mongo.Document[] = [];
  const load = async () => {
    if (waiting.length > 0) await collection.insertMany(waiting);
    count += waiting.length;
    waiting = [];
  };
  // `beginLoad` has dropped all but this one. A collection without documents is one as well.
  if (name !== 'migrations') await connectionOf(db).db!.createCollection(name);
  for await (const document of documents) {
    // Numbers keep their BSON types.
    waiting.push(deserialize(document, { promoteValues: false, bsonRegExp: true }));
    if (waiting.length === loadedAtOnce) await load();
  }
  await load();
  const { indexes } = EJSON.parse(metadata) as {
    indexes: (mongoose.mongo.IndexDescription & { ns?: string })[];
  };
  const own = indexes.filter(({ name: index }) => index !== '_id_').map(({ ns: _, ...index }) => index);
  if (own.length > 0) await collection.createIndexes(own);
  return count;
}

/** Lets servers and workers start on what was loaded. */
export async function endLoad(db: Db): Promise<void> {
  const migrations = connectionOf(db).db!.collection<{ _id: string }>('migrations');
  const { deletedCount } = await migrations.deleteOne({ _id: restoringRow });
  if (deletedCount === 0) throw new Error('another process has ended the restore');
}
