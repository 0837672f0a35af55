import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics } from 'prom-client';
import { type Config, ConfigError } from '#shared/platform/config.ts';
import { hostInUrl } from '#shared/platform/host-in-url.ts';
import type { Log } from '#shared/platform/log.ts';
import { version } from '#shared/platform/version.ts';
import { buildInfo, registry } from './metrics.ts';
import type { StoreHealth } from './store-health.ts';

/** Sets gauges for a scrape. It must not take longer than a scrape may, and must not throw. */
export type Collect = () => Promise<void>;

/** What the listener says about a process that has no other one, for an orchestrator such as Kubernetes. */
export interface Probes {
  /** `/healthz`: whether the process does its work. If it does not, only a restart helps. */
  isAlive(): boolean;
  /** `/readyz`: which stores answer the process. It is ready while all do. */
  storeHealth(): Promise<StoreHealth>;
}

/** The open listener of `/metrics`. */
export interface MetricsListener {
  close(): Promise<void>;
}

/**
 * Serves the metrics of this process at `/metrics`, on a listener of its own, and its health if `probes` is given
 * (docs/decisions/0072-kubernetes.md).
 * @param program `server` or `worker`
 * @param collect sets the gauges that are read at a scrape
 * @throws ConfigError when the port is taken
 */
export async function serveMetrics(
  { host, port }: NonNullable<Config['metrics']>,
  program: string,
  log: Log,
  collect: Collect,
  probes?: Probes,
): Promise<MetricsListener> {
  buildInfo.set({ program, version, node: process.version }, 1);
  // The tests run several servers in one process.
  if (!registry.getSingleMetric('process_cpu_seconds_total')) collectDefaultMetrics({ register: registry });

  const answers: Record<string, (response: ServerResponse) => Promise<void>> = {
    '/metrics': async (response) => {
      await collect();
      const text = await registry.metrics();
      response.writeHead(200, { 'content-type': registry.contentType }).end(text);
    },
    ...(probes && answersOf(probes)),
  };
  const server = createServer((request, response) => {
    const answer = request.method === 'GET' ? answers[request.url ?? ''] : undefined;
    if (!answer) {
      response.writeHead(404).end('Metrics are at /metrics\n');
      return;
    }
    answer(response).catch((error) => {
      log.error({ err: error, url: request.url }, 'the metrics could not be collected');
      response.writeHead(500).end();
    });
  });
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new ConfigError(`METRICS_PORT ${port} is taken: each server and worker of a machine needs its own`);
  }
  const { port: opened } = server.address() as AddressInfo;
  log.info({ url: `http://${hostInUrl(host)}:${opened}/metrics` }, 'metrics are served');
  return {
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The answers of `/healthz` and `/readyz`, with the statuses that probes look at. */
function answersOf({ isAlive, storeHealth }: Probes) {
  const send = (response: ServerResponse, fine: boolean, body: object) =>
    void response
      .writeHead(fine ? 200 : 503, { 'content-type': 'application/json' })
      .end(JSON.stringify({ status: fine ? 'ok' : 'failed', ...body }));
  return {
    '/healthz': async (response: ServerResponse) => send(response, isAlive(), {}),
    '/readyz': async (response: ServerResponse) => {
      const { mongodb, storage, queue } = await storeHealth();
      const check = (up: boolean) => (up ? 'ok' : 'failed');
      send(response, mongodb && storage && queue, {
        database: check(mongodb),
        storage: check(storage),
        queue: check(queue),
      });
    },
  };
}
