/** A server that closes behind a proxy, which goes on sending requests on connections that it keeps. */
import { expect } from 'vitest';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack({ workers: 0 });

test('a server that closes behind a proxy answers what was sent before the proxy knew, and has its connections closed', async ({
  stack,
}) => {
  const server = await stack.startServer({ TRUSTED_PROXIES: '1' });
  const ask = () => fetch(`${server.url}/healthz`);
  const before = await ask();
  expect([before.status, before.headers.get('connection')]).toEqual([200, 'keep-alive']);
  await before.text();
  const closed = server.close();
  // On the connection that is kept, and on a new one.
  for (const reply of await Promise.all([ask(), ask()])) {
    expect([reply.status, reply.headers.get('connection')]).toEqual([200, 'close']);
  }
  await closed;
  await expect(ask()).rejects.toThrow();
});
