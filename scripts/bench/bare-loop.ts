/** The outside calls of one generation and nothing else: the measure that Packshot is held against. */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
// biome-ignore lint/style/noRestrictedImports: measures what MongoDB itself costs, without Packshot.
import { MongoClient } from 'mongodb';
import { limits, settingsSchema } from '#contract';
import { normalise } from '#server/generations/decoder/normalise.ts';
import type { Config } from '#shared/platform/config.ts';
import { openQueue, openQueueWorker } from '#shared/platform/queue.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { samplePrompt } from './seller.ts';
import { concurrency } from './stack.ts';
import { inParallel } from './statistics.ts';

/**
 * Runs the loop: one BullMQ job added and taken, the MongoDB writes of a generation, the provider's HTTP call, the file write.
 * @returns how long it took, in ms
 */
export async function runBareLoop(config: Config, count: number): Promise<number> {
  const client = await new MongoClient(config.mongodbUrl, { writeConcern: { w: 'majority' } }).connect();
  const rows = client.db().collection<{ _id: string }>('bare_rows');
  const balances = client.db().collection<{ _id: string }>('bare_balances');
  const entries = client.db().collection<{ _id: string }>('bare_entries');
  const seller = randomUUID();
  await balances.insertOne({ _id: seller, left: 1_000_000, holds: [] } as { _id: string });
  const folder = join(config.storageFolder, 'bare');
  await mkdir(folder, { recursive: true });
  const sample = join(folder, 'sample.png');
  await normalise({ path: join(rootFolder, 'scripts', 'sample', 'coffee-cup.png'), target: sample });
  const photo = new Blob([await readFile(sample)], { type: 'image/png' });

  const step = (id: string, change: object) =>
    rows.findOneAndUpdate({ _id: id }, change, { returnDocument: 'after' });
  const hold = (id: string) => ({ holds: { generation: id, count: 1, metered: true, at: new Date() } });

  let left = count;
  let finished = () => {};
  const done = new Promise<void>((resolve) => {
    finished = resolve;
  });
  const bare = { ...config, queueName: `${config.queueName}_bare` };
  const queue = openQueue(bare);
  const worker = openQueueWorker(
    bare,
    async (job) => {
      const id = job.data.generationId;
      await step(id, { $set: { state: 'running', started_at: new Date() }, $inc: { fence: 1 } });
      await step(id, { $set: { calls: 1 } });
      const image = await callProvider(config, photo, (index) => step(id, { $set: { preview: index } }));
      await writeFile(join(folder, `${id}.png`), image);
      await step(id, { $set: { state: 'succeeded', ended_at: new Date(), due: true } });
      await balances.findOneAndUpdate(
        { _id: seller, 'holds.generation': id },
        { $pull: { holds: { generation: id } }, $inc: { left: -1 } } as object,
        { returnDocument: 'after' },
      );
      await entries.insertOne({ _id: id, kind: 'settle', at: new Date() } as { _id: string });
      await rows.updateOne({ _id: id }, { $unset: { due: 1 } } as object);
      left -= 1;
      if (left === 0) finished();
      return 'succeeded';
    },
    () => 1_000,
  );
  await Promise.all([queue.waitUntilReady(), worker.waitUntilReady()]);
  const running = worker.run();

  const began = performance.now();
  await inParallel(count, concurrency, async () => {
    const id = randomUUID();
    await rows.insertOne({ _id: id, state: 'receiving', prompt: samplePrompt, created_at: new Date() } as {
      _id: string;
    });
    await balances.findOneAndUpdate({ _id: seller, left: { $gte: 1 } }, { $push: hold(id) } as object);
    await step(id, { $set: { state: 'queued', queued_at: new Date() } });
    await queue.add('generate', { generationId: id }, { jobId: `bare-${id}`, priority: 1 });
  });
  await done;
  const took = performance.now() - began;

  await worker.close();
  await running;
  await queue.close();
  await client.close();
  return took;
}

/** The edit as plain HTTP: sends the photo, reads the stream to its end, hands on each preview. */
async function callProvider(
  config: Config,
  photo: Blob,
  onPreview: (index: number) => Promise<unknown>,
): Promise<Buffer> {
  const form = new FormData();
  const fields = {
    model: config.image.model,
    prompt: samplePrompt,
    n: '1',
    size: `${limits.outputWidth}x${limits.outputHeight}`,
    quality: settingsSchema.parse({}).imageQuality,
    output_format: 'png',
    stream: 'true',
    partial_images: String(config.image.previews),
  };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('image', photo, 'photo.png');
  const reply = await fetch(`${config.image.baseUrl}/images/edits`, {
    method: 'POST',
    headers: { authorization: `Bearer ${config.image.apiKey}` },
    body: form,
  });
  const events = (await reply.text())
    .split('\n\n')
    .flatMap((event) => /^data: (.*)$/m.exec(event)?.[1] ?? [])
    .map((data) => JSON.parse(data) as { type: string; b64_json: string });
  for (const [index, event] of events.entries()) {
    if (event.type === 'image_edit.partial_image') await onPreview(index);
  }
  return Buffer.from(events.find((event) => event.type === 'image_edit.completed')!.b64_json, 'base64');
}
