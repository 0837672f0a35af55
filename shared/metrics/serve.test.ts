import { expect, test } from 'vitest';
import { ConfigError } from '#shared/platform/config.ts';
import { createLog } from '#shared/platform/log.ts';
import { findFreePort } from '#tests/support/free-port.ts';
import { serveMetrics } from './serve.ts';

const log = createLog({ logLevel: 'silent' }, 'test');

test('without probes only /metrics is answered, and a collection that fails is an error of the scrape alone', async () => {
  const port = await findFreePort();
  let fails = false;
  const listener = await serveMetrics({ host: '127.0.0.1', port }, 'server', log, async () => {
    if (fails) throw new Error('a bug');
  });
  const ask = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method });
  try {
    for (const [path, method, status] of [
      ['/metrics', 'GET', 200],
      ['/', 'GET', 404],
      ['/healthz', 'GET', 404],
      ['/metrics', 'POST', 404],
    ] as const) {
      expect((await ask(path, method)).status).toBe(status);
    }
    fails = true;
    expect((await ask('/metrics')).status).toBe(500);
    fails = false;
    expect((await ask('/metrics')).status).toBe(200);
    const taken = serveMetrics({ host: '127.0.0.1', port }, 'worker', log, async () => {});
    await expect(taken).rejects.toThrow(
      new ConfigError(`METRICS_PORT ${port} is taken: each server and worker of a machine needs its own`),
    );
  } finally {
    await listener.close();
  }
});
