/** Server and worker start with the environment of an overlay, answer its probes, and give KEDA its figure. */
import { describe, expect } from 'vitest';
import type { GivenSettings } from '#shared/platform/settings.ts';
import { findFreePort } from '#tests/support/free-port.ts';
import { type ProgramProcess, startProgram } from '#tests/support/program.ts';
import { hasPrometheus, startPrometheus } from '#tests/support/prometheus.ts';
import { testWithStack } from '#tests/support/test.ts';
import { environmentOf, filledIn, isRendered, openOverlay, podsOf } from './overlay.ts';

const eventually = { interval: 250 };
const prometheusIsHere = await hasPrometheus();

const test = testWithStack({ workers: 0 })
  .extend('ports', { scope: 'file' }, async () => ({
    server: { http: await findFreePort(), metrics: await findFreePort() },
    worker: { http: 0, metrics: await findFreePort() },
  }))
  /**
   * Starts a program. Its stores and outside services are local ones, which production refuses; settings.test.ts
   * checks that production accepts the others. Otherwise the environment is that of the overlay.
   */
  .extend('start', { scope: 'file' }, async ({ stack, ports }, { onCleanup }) => {
    const local: (keyof GivenSettings)[] = ['MONGODB_URL', 'QUEUE_URL', 'QUEUE_NAME', 'STORAGE_URL'];
    local.push('OPENAI_BASE_URL', 'STRIPE_API_URL', 'STRIPE_SECRET_KEY', 'SMTP_URL');
    const replaced = Object.fromEntries(local.map((name) => [name, stack.settings[name]!]));
    const production = openOverlay('production');
    const programs: ProgramProcess[] = [];
    onCleanup(async () => void (await Promise.all(programs.map((each) => each.terminate()))));
    return async (name: 'server' | 'worker') => {
      const pods = podsOf(production).find((each) => each.name === name)!;
      const program = await startProgram(name, {
        ...filledIn(environmentOf(production, pods)),
        ...replaced,
        TRY_OUT: 'true',
        HOST: '127.0.0.1',
        METRICS_HOST: '127.0.0.1',
        PORT: String(ports[name].http),
        METRICS_PORT: String(ports[name].metrics),
      });
      programs.push(program);
      return pods.spec.containers[0];
    };
  });

describe.runIf(isRendered)('with the environment of the overlay', () => {
  test('server and worker start and answer the probes, and KEDA is told of the jobs', async ({
    stack,
    ports,
    start,
    onTestFinished,
  }) => {
    const seller = await stack.seller();
    const { id } = await seller.submit();
    const answersProbes = async (name: 'server' | 'worker') => {
      const container = await start(name);
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
        const { path, port } = container[probe].httpGet;
        expect(container.ports).toContainEqual({ name: port, containerPort: expect.any(Number) });
        const opened = ports[name][port as 'http' | 'metrics'];
        await expect
          .poll(async () => (await fetch(`http://127.0.0.1:${opened}${path}`)).status, eventually)
          .toBe(200);
      }
    };
    await answersProbes('server');
    if (prometheusIsHere) {
      const prometheus = await startPrometheus(
        `scrape_configs: [{ job_name: packshot-server, scrape_interval: 1s, static_configs: [{ targets: ["127.0.0.1:${ports.server.metrics}"] }] }]`,
      );
      onTestFinished(() => prometheus.close());
      const { query } = openOverlay('production').get('ScaledObject', 'worker').spec.triggers[0].metadata;
      const jobs = () => prometheus.query(query);
      await expect.poll(jobs, eventually).toEqual([{ metric: {}, value: 1 }]);
      // Each state that the query names is one that the servers count.
      const counted = (await prometheus.query('packshot_queue_jobs')).map(({ metric }) => metric.state);
      const [, named] = /state=~"([^"]+)"/.exec(query)!;
      expect(counted).toEqual(expect.arrayContaining(named!.split('|')));
    }
    await answersProbes('worker');
    const window = await seller.openWindow();
    onTestFinished(() => window.close());
    expect((await window.untilEnded(id)).state).toBe('succeeded');
  });
});
