import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { test as base, beforeEach, expect } from 'vitest';
import { requestDuration } from '#shared/metrics/metrics.ts';
import { requestMetrics } from './request-metrics.ts';

beforeEach(() => requestDuration.reset());

/** Gives a server that measures its requests. */
// biome-ignore lint/correctness/noEmptyPattern: vitest reads which fixtures it uses from this pattern.
const test = base.extend('app', async ({}, { onCleanup }): Promise<FastifyInstance> => {
  const app = Fastify();
  app.addHttpMethod('PROPFIND');
  await app.register(requestMetrics);
  onCleanup(() => app.close());
  return app;
});

/** The labels that were counted, with how often. */
async function counted() {
  const { values } = await requestDuration.get();
  return values
    .filter(({ metricName }) => metricName?.endsWith('_count'))
    .map(({ labels: { method, route, status }, value }) => `${method} ${route} ${status}: ${value}`);
}

test('labels are patterns: no ids, no file names, no unknown methods', async ({ app }) => {
  for (const path of ['/api/things/:id', '/assets/index-1a2b.js', '/assets/index-3c4d.js', '/blog/a', '/']) {
    app.get(path, async () => 'done');
  }
  app.route({ method: 'PROPFIND', url: '/api/odd', handler: async () => 'done' });
  app.get('/api/broken', async () => {
    throw new Error('broken');
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  for (const path of ['/api/things/1', '/api/things/2', '/assets/index-1a2b.js', '/assets/index-3c4d.js']) {
    await (await fetch(url + path)).text();
  }
  for (const path of ['/blog/a', '/', '/api/broken', '/api/none', '/wp-login.php']) {
    await (await fetch(url + path)).text();
  }
  await (await fetch(`${url}/api/odd`, { method: 'PROPFIND' })).text();
  await expect
    .poll(counted)
    .toEqual([
      'GET /api/things/:id 2xx: 2',
      'GET files 2xx: 2',
      'GET pages 2xx: 2',
      'GET /api/broken 5xx: 1',
      'GET none 4xx: 2',
      'other /api/odd 2xx: 1',
    ]);
});

test('a request whose client has gone got no status', async ({ app }) => {
  const arrived = Promise.withResolvers<void>();
  app.get('/api/slow', async (_request, reply) => {
    arrived.resolve();
    await new Promise((resolve) => reply.raw.once('close', resolve));
    return 'too late';
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const sent = request({ port, host: '127.0.0.1', path: '/api/slow' }).on('error', () => {});
  sent.end();
  await arrived.promise;
  sent.destroy();
  await expect.poll(counted).toEqual(['GET /api/slow aborted: 1']);
});
