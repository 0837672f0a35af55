/** MongoDB that is away for the time of an election, and one that is too old. */
import { expect } from 'vitest';
import { startMongoServer } from '#local/mongo/server.ts';
import { startServer } from '#server/server.ts';
import { connectDb, ping } from '#shared/data/connect.ts';
import { loadConfig } from '#shared/platform/config.ts';
import { eventually, testWithHarness } from '#tests/support/harness.ts';
import { limitMs } from '#tests/support/machine.ts';

/** Longer than the five seconds that statements once waited; an election takes about 12. */
const outage = '6000';

const test = testWithHarness().extend('url', async ({ stack, mongo }, { onCleanup }) => {
  const config = loadConfig({ ...stack.settings, MONGODB_URL: mongo.url, PORT: '0' });
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
  await harness.startWorker({ ...harness.proxied, WORKER_LOCK_MS: String(limitMs(30_000)) });
  const made = await seller.submit();
  await stack.images.waitFor({ waiting: 1 });
  const witnessUrl = new URL(mongo.url);
  witnessUrl.searchParams.set('serverSelectionTimeoutMS', outage);
  const witness = await connectDb(witnessUrl.href);
  onTestFinished(() => witness.close());

  mongo.refuse();
  // The health check says so at once, and does not wait.
  await expect.poll(() => databaseAt(url), eventually).toBe('failed');
  const sent = seller.submit();
  await stack.images.release();
  // What the URL asks for counts: this client gives up first.
  await expect(ping(witness)).rejects.toThrow(`timed out after ${outage} ms`);
  mongo.restore();

  for (const { id } of [made, await sent]) {
    expect(await harness.untilEnded(id), id).toMatchObject({ state: 'succeeded' });
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
