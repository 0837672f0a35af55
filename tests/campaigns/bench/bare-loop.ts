/** A minimal implementation of a generation, which Packshot's throughput is compared with: its outside calls only. */

import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import pLimit from 'p-limit';
import { normalise } from '#server/decoder/normalise.ts';
import { openQueue, openQueueWorker } from '#shared/platform/queue.ts';
import { type CampaignStack, concurrency } from '#tests/campaigns/support/stack.ts';
import { samplePhotoFile, samplePrompt } from '#tests/support/sample-photo.ts';
import { smallPreview } from '#worker/generate/previews.ts';
import { callProvider } from './bare-provider-call.ts';
import { checkImage, reducePhoto } from './image-work.ts';

/**
 * Runs `count` generations. Each adds and processes one BullMQ job, makes the MongoDB writes of a generation, calls the
 * provider over HTTP and writes the image file.
 * @param withImageWork whether each also normalises its photo, scales its previews down and checks its image, with
 *   Packshot's functions for that
 * @returns the time from the first submit to the last result, in ms
 */
export async function runBareLoop(
  { config, storageFolder }: CampaignStack,
  count: number,
  withImageWork: boolean,
): Promise<number> {
  const client = await new MongoClient(config.mongodbUrl, { writeConcern: { w: 'majority' } }).connect();
  const store = await openBareStore(client);
  const folder = join(storageFolder, 'bare');
  const sample = await preparePhoto(folder, 'sample');
  const queueConfig = { ...config, queueName: `${config.queueName}_bare` };
  const queue = openQueue(queueConfig);
  let remaining = count;
  const done = Promise.withResolvers<void>();
  const worker = openQueueWorker(
    queueConfig,
    async (job) => {
      const id = job.data.generationId;
      await store.start(id);
      const photo = withImageWork ? await preparePhoto(folder, id) : sample;
      const image = await callProvider(config, photo, async (png, index) => {
        if (withImageWork) await smallPreview(png);
        await store.savePreview(id, index);
      });
      if (withImageWork)
        await checkImage(image, await reducePhoto(new Uint8Array(await photo.arrayBuffer())));
      await writeFile(join(folder, `${id}.png`), image);
      await store.succeed(id);
      remaining -= 1;
      if (remaining === 0) done.resolve();
      return 'succeeded';
    },
    () => 1_000,
  );
  await Promise.all([queue.waitUntilReady(), worker.waitUntilReady()]);
  const running = worker.run();

  const began = performance.now();
  await pLimit(concurrency).map(Array(count).keys(), async () => {
    const id = randomUUID();
    await store.submit(id);
    await queue.add('generate', { generationId: id }, { jobId: `bare-${id}`, priority: 1 });
  });
  await done.promise;
  const durationMs = performance.now() - began;

  await worker.close();
  await running;
  await queue.close();
  await client.close();
  return durationMs;
}

/** Normalises the sample photo. @returns it as the provider gets it */
async function preparePhoto(folder: string, name: string): Promise<Blob> {
  await mkdir(folder, { recursive: true });
  const target = join(folder, `${name}.photo`);
  await normalise({ path: samplePhotoFile, target });
  return new Blob([await readFile(target)], { type: 'image/jpeg' });
}

/** The MongoDB writes of a generation, with the driver alone. */
async function openBareStore(client: MongoClient) {
  const rows = client.db().collection<{ _id: string }>('bare_rows');
  const balances = client.db().collection<{ _id: string }>('bare_balances');
  const entries = client.db().collection<{ _id: string }>('bare_entries');
  const seller = randomUUID();
  await balances.insertOne({ _id: seller, left: 1_000_000, holds: [] } as { _id: string });

  const update = (id: string, change: object) =>
    rows.findOneAndUpdate({ _id: id }, change, { returnDocument: 'after' });
  return {
    /** Inserts the row, holds one credit and queues the row. */
    async submit(id: string): Promise<void> {
      const row = { _id: id, state: 'receiving', prompt: samplePrompt, created_at: new Date() };
      await rows.insertOne(row as { _id: string });
      const hold = { holds: { generation: id, count: 1, balance: 'metered', at: new Date() } };
      await balances.findOneAndUpdate({ _id: seller, left: { $gte: 1 } }, { $push: hold } as object);
      await update(id, { $set: { state: 'queued', queued_at: new Date() } });
    },
    /** Marks the row as running and counts the provider call. */
    async start(id: string): Promise<void> {
      await update(id, { $set: { state: 'running', started_at: new Date() }, $inc: { fence: 1 } });
      await update(id, { $set: { calls: 1 } });
    },
    savePreview: (id: string, index: number) => update(id, { $set: { preview: index } }),
    /** Marks the row as succeeded, ends the hold and posts the ledger entry. */
    async succeed(id: string): Promise<void> {
      await update(id, { $set: { state: 'succeeded', ended_at: new Date(), due: true } });
      await balances.findOneAndUpdate(
        { _id: seller, 'holds.generation': id },
        { $pull: { holds: { generation: id } }, $inc: { left: -1 } } as object,
        { returnDocument: 'after' },
      );
      await entries.insertOne({ _id: id, kind: 'settle', at: new Date() } as { _id: string });
      await rows.updateOne({ _id: id }, { $unset: { due: 1 } } as object);
    },
  };
}
