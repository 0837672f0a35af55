/** MongoDB that is away for the time of an election, and one that is too old. */
import { expect } from 'vitest';
import { startMongoServer } from '#local/mongo/server.ts';
import { startServer } from '#server/server.ts';
import { connectDb, ping } from '#shared/data/connect.ts';
import { loadConfig } from '#shared/platform/config.ts';
import { eventually, testWithHarness } from '#tests/support/harness.ts';
import { limitMs } from '#tests/support/machine.ts';

/** A URL of MongoDB whose clients wait so long for a server that takes their statements. */
function waiting(mongodbUrl: string, ms: number): string {
  const url = new URL(mongodbUrl);
  url.searchParams.set('serverSelectionTimeoutMS', String(ms));
  return url.href;
}

/** Longer than the five seconds that statements once waited; an election takes about 12. */
const outage = 6_000;
/** What statements wait unless the URL says otherwise, here as many times longer as this machine is slower. */
const usual = limitMs(30_000);

const test = testWithHarness().extend('url', async ({ stack, mongo }, { onCleanup }) => {
  const config = loadConfig({ ...stack.settings, MONGODB_URL: waiting(mongo.url, usual), PORT: '0' });
  const server = await startServer(config, { site: null });
  onCleanup(() => server.close());
  return server.url;
});

const databaseAt = async (url: string) =>
  ((await (await fetch(`${url}/readyz`)).json()) as { database: string }).database;

test('while a primary is elected, submissions wait, and an image that has come is kept', async ({
  harness,
  stack,
  mongo,
  url,
  onTestFinished,
}) => {
  const seller = await stack.seller({ url });
  await stack.images.set({ behaviours: [{ kind: 'hold' }] });
  await harness.startWorker({ MONGODB_URL: waiting(mongo.url, usual), WORKER_LOCK_MS: String(usual) });
  const made = await seller.submit();
  await stack.images.waitFor({ waiting: 1 });
  const witness = await connectDb(waiting(mongo.url, outage));
  onTestFinished(() => witness.close());

  mongo.refuse();
  // The health check says so at once, and does not wait.
  await expect.poll(() => databaseAt(url), eventually).toBe('failed');
  let answered = false;
  const sent = seller.submit().finally(() => {
    answered = true;
  });
  await stack.images.release();
  // Its statements wait as long as its URL says, and then fail.
  const refusal = () => ping(witness).catch(({ name }: Error) => name);
  await expect.poll(refusal, eventually).toBe('MongoServerSelectionError');
  expect(answered).toBe(false);
  mongo.restore();

  for (const { id } of [made, await sent]) {
    await expect.poll(async () => (await seller.generation(id)).state, eventually).toBe('succeeded');
  }
  expect((await stack.images.state()).calls).toHaveLength(2);
});

test('a MongoDB that is too old is refused with its version', async ({ onTestFinished }) => {
  const server = await startMongoServer({ port: 0, version: '5.0.31' });
  onTestFinished(() => server.close());
  await expect(connectDb(`${server.url}/packshot`)).rejects.toThrow(
    'MONGODB_URL: its version is too old (MongoDB 5.0.31 is older than 6.0)',
  );
});
