/** Bulk statements that only the benchmarks, attacks and chaos campaigns of scripts/ need. */

import { mongo } from 'mongoose';
import { connectionOf } from '#shared/data/collection.ts';
import { modelsOf } from '#shared/data/collections.ts';
import { type Db, newId } from '#shared/data/db.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { searchFieldsOf } from '#shared/data/generations/search-fields.ts';
import { rowDefaults } from '#tests/support/sample-rows.ts';

/** Rows that are inserted at a time. */
const batchSize = 1_000;

/**
 * Inserts queued generations without holds or jobs.
 * @param generations what differs between them; each gets a new id, and one photo that does not exist
 * @returns their rows, in the same order
 */
export async function insertQueuedGenerations(
  db: Db,
  generations: readonly Pick<GenerationRow, 'profile' | 'prompt' | 'priority' | 'created_at'>[],
): Promise<GenerationRow[]> {
  const model = modelsOf(db).generations;
  const rows = generations.map((generation) => {
    const id = newId();
    return new model({
      ...generation,
      ...rowDefaults(id),
      photos: [{ key: `photo-sets/${id}/photo-0.png`, width: 800, height: 800, bytes: 1, warnings: [] }],
      state: 'queued',
      revision: 1,
      queued_at: generation.created_at,
    }).toObject();
  });
  for (let from = 0; from < rows.length; from += batchSize) {
    await model.collection.insertMany(rows.slice(from, from + batchSize) as never[]);
  }
  return rows;
}

/**
 * Inserts generations that have ended, without files, holds or ledger entries.
 * @param rowOf what differs between them, by their number
 */
export async function insertFinishedGenerations(
  db: Db,
  count: number,
  rowOf: (
    index: number,
  ) => Pick<GenerationRow, 'profile' | 'prompt' | 'product_name' | 'sku' | 'state' | 'created_at'> &
    Partial<Pick<GenerationRow, 'batch'>>,
): Promise<void> {
  const { collection } = modelsOf(db).generations;
  for (let from = 0; from < count; from += batchSize) {
    const rows = Array.from({ length: Math.min(batchSize, count - from) }, (_, offset) => {
      const row = rowOf(from + offset);
      const id = newId();
      const file = { width: 1_024, height: 1_024, bytes: 1 };
      return {
        ...rowDefaults(id),
        ...row,
        ...searchFieldsOf(row),
        revision: 5,
        fence: 1,
        photos: [{ key: `photo-sets/${id}/photo-0.png`, ...file, warnings: [] }],
        image:
          row.state === 'succeeded' ? { key: `generations/${id}/image-1.png`, ...file, sha256: '' } : null,
        failure: row.state === 'failed' ? { code: 'TIMED_OUT', detail: '' } : null,
        progress: null,
        preview_key: null,
        lease_until: null,
        priority: 1,
        provider: null,
        calls: { started: 1, under_way: false, lost: 0, server_errors: 0 },
        queued_at: row.created_at,
        started_at: row.created_at,
        ended_at: row.created_at,
      };
    });
    await collection.insertMany(rows as never[], { ordered: false });
  }
}

/** Inserts a batch of a seller that has ended, with an image for each row. @returns its id */
export async function insertEndedBatch(db: Db, sellerId: string, rows: number): Promise<string> {
  const id = newId();
  const at = new Date();
  const { batches, batchItems } = modelsOf(db);
  const nameOf = (index: number) => `Mug ${index}`;
  const prompt = 'Product on Wooden Table: in the morning';
  await batches.create({
    _id: id,
    profile: sellerId,
    key: id,
    fingerprint: id,
    name: 'Autumn',
    state: 'ended',
    round: 1,
    rows,
    bytes: 1,
    images: rows,
    outcome: { succeeded: rows, failed: 0, cancelled: 0 },
    created_at: at,
    started_at: at,
    ended_at: at,
  });
  const photo = '0'.repeat(64);
  await batchItems.insertMany(
    Array.from({ length: rows }, (_, index) => ({
      _id: newId(),
      batch: id,
      index,
      sku: `SKU-${index}`,
      name: nameOf(index),
      prompt,
      options: rowDefaults(id).options,
      takes: 1,
      photos: [{ name: 'mug.png', sha256: photo }],
      queue: [],
      waiting: 0,
    })),
  );
  await insertFinishedGenerations(db, rows, (index) => ({
    profile: sellerId,
    prompt,
    product_name: nameOf(index),
    sku: `SKU-${index}`,
    state: 'succeeded',
    created_at: at,
    batch: { id, row: index, take: 0, attempt: 1 },
  }));
  return id;
}

/** A command as the driver sends it. */
interface SentCommand {
  find?: string;
  aggregate?: string;
  findAndModify?: string;
  filter?: object;
  query?: object;
  pipeline?: { $match?: object; $limit?: number }[];
  sort?: object;
  limit?: number;
  hint?: string | object;
}

/** What `explain` answers, as far as it is read here. */
interface Stage {
  stage: string;
  indexName?: string;
  inputStage?: Stage;
}
interface Explained {
  queryPlanner: { winningPlan: Stage };
  executionStats: { totalKeysExamined: number; totalDocsExamined: number };
}

/**
 * How MongoDB reads what `work` asks for. A count is explained as the query of what it counts, a change as the query of what
 * it changes.
 * @param db connected with `monitorCommands=true` in the address
 * @returns for each query its index or stage, and how many keys and documents were examined
 */
export async function plansOf(db: Db, work: () => Promise<unknown>): Promise<string[]> {
  const connection = connectionOf(db);
  const sent: SentCommand[] = [];
  const record = ({ command }: { command: SentCommand }) => {
    if (command.find ?? command.aggregate ?? command.findAndModify) sent.push(command);
  };
  connection.getClient().on('commandStarted', record as never);
  await work();
  connection.getClient().off('commandStarted', record as never);
  const plans: string[] = [];
  for (const { find, aggregate, findAndModify, pipeline = [], sort, limit, hint, ...sentOne } of sent) {
    const counted = pipeline.find(({ $limit }) => $limit !== undefined)?.$limit;
    const query = {
      find: find ?? aggregate ?? findAndModify,
      filter: sentOne.filter ?? sentOne.query ?? pipeline[0]?.$match ?? {},
      ...(sort && { sort }),
      ...((limit ?? counted) !== undefined && { limit: limit ?? counted }),
      ...(hint !== undefined && { hint }),
    };
    const explained = (await connection.db!.command({
      explain: query,
      verbosity: 'executionStats',
    })) as unknown as Explained;
    const { totalKeysExamined: keys, totalDocsExamined: documents } = explained.executionStats;
    plans.push(`${stagesOf(explained.queryPlanner.winningPlan)} ${keys}/${documents}`);
  }
  return plans;
}

/** The stages of a plan that say how documents are found and sorted. */
function stagesOf({ stage, indexName, inputStage }: Stage): string {
  const own =
    stage === 'FETCH' || stage === 'LIMIT' || stage.startsWith('PROJECTION') ? '' : (indexName ?? stage);
  return [own, inputStage ? stagesOf(inputStage) : ''].filter(Boolean).join(' < ');
}

/** @returns every generation */
export function listAllGenerations(db: Db): Promise<GenerationRow[]> {
  return modelsOf(db).generations.find().lean();
}

/** @returns every generation of some sellers, those in `receiving` and deleted ones included */
export function listGenerationsOf(db: Db, sellerIds: readonly string[]): Promise<GenerationRow[]> {
  return modelsOf(db)
    .generations.find({ profile: { $in: [...sellerIds] } })
    .lean();
}

/** @returns how many users and mails there are for addresses that begin with a text */
export async function countByEmailPrefix(db: Db, prefix: string): Promise<{ users: number; mails: number }> {
  const begins = { $gte: prefix, $lt: `${prefix}\uffff` };
  const [users, mails] = await Promise.all([
    modelsOf(db).users.countDocuments({ email: begins }),
    modelsOf(db).mails.countDocuments({ to: begins }),
  ]);
  return { users, mails };
}

/** How many documents each collection has, and how large they are as BSON together, without indexes and compression. */
export async function documentSizes(db: Db): Promise<Map<string, { documents: number; bytes: number }>> {
  const sizes = new Map<string, { documents: number; bytes: number }>();
  for (const collection of await connectionOf(db).db!.collections()) {
    const found = await collection.find().toArray();
    const bytes = found.reduce((sum, each) => sum + mongo.BSON.calculateObjectSize(each), 0);
    sizes.set(collection.collectionName, { documents: found.length, bytes });
  }
  return sizes;
}

/** Has a time pass for all rate limits and locks, as if it were that much later. @param seconds how much */
export async function passTimeOfLimits(db: Db, seconds: number): Promise<void> {
  const earlier = (field: string) => [{ $set: { [field]: { $subtract: [`$${field}`, seconds * 1_000] } } }];
  for (const collection of await connectionOf(db).db!.collections()) {
    // The field that rate-limiter-flexible gives each of its counts.
    await collection.updateMany({ expire: { $type: 'date' } }, earlier('expire'));
  }
  await modelsOf(db).sessions.updateMany({ locked_until: { $ne: null } }, earlier('locked_until'), {
    updatePipeline: true,
  });
}

/** Removes the whole database. */
export async function dropDatabase(db: Db): Promise<void> {
  await connectionOf(db).dropDatabase();
}
