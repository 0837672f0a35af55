/** `/metrics` while a store does not answer. Not in `npm test`: the readings of a scrape are up to four seconds old. */
import { expect } from 'vitest';
import { findFreePort } from '#tests/support/free-port.ts';
import { eventually } from '#tests/support/harness.ts';
import { limitMs } from '#tests/support/machine.ts';
import { startTcpProxy } from '#tests/support/tcp-proxy.ts';
import { impatient, testWithStack } from '#tests/support/test.ts';

const test = testWithStack()
  .extend('mongo', { scope: 'file' }, async ({ stack }, { onCleanup }) => {
    const mongo = await startTcpProxy(impatient(stack.config.mongodbUrl));
    onCleanup(() => mongo.close());
    return mongo;
  })
  .extend('port', { scope: 'file' }, async ({ stack, mongo }) => {
    const port = await findFreePort();
    await stack.startServer({ MONGODB_URL: mongo.url, METRICS_PORT: String(port) });
    return port;
  });

const scrape = async (port: number, signal: AbortSignal | null = null) =>
  (await fetch(`http://127.0.0.1:${port}/metrics`, { signal })).text();

test('while MongoDB hangs, a scrape says so in time and leaves out what it does not know', async ({
  mongo,
  port,
}) => {
  await expect.poll(() => scrape(port), eventually).toMatch(/^packshot_workers 1$/m);
  mongo.cut();
  try {
    await expect.poll(() => scrape(port), eventually).toMatch(/^packshot_store_up\{store="mongodb"\} 0$/m);
    const text = await scrape(port, AbortSignal.timeout(limitMs(8_000)));
    expect(text).toMatch(/^packshot_store_up\{store="queue"\} 1$/m);
    expect(text).toMatch(/^packshot_queue_jobs\{state="active"\} 0$/m);
    for (const absent of ['workers', 'mails_waiting', 'generations_oldest_waiting_seconds{']) {
      expect(text).not.toMatch(new RegExp(`^packshot_${absent}`, 'm'));
    }
  } finally {
    mongo.restore();
  }
  await expect.poll(() => scrape(port), eventually).toMatch(/^packshot_workers 1$/m);
});
