/** Prometheus scrapes a server and a worker with the configuration and the alerts of `deploy/`, and finds what dashboards show. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { dashboards } from '#scripts/dashboards/dashboards.ts';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { expectBackups, saveBackupResult } from '#shared/data/operator/backup-results.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { findFreePort } from '#tests/support/free-port.ts';
import { promtool, type Sample, startPrometheus } from '#tests/support/prometheus.ts';
import { contentRefused } from '#tests/support/provider-calls.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';

const deploy = join(rootFolder, 'deploy');
const read = (file: string) => readFileSync(join(deploy, file), 'utf8');
const eventually = { interval: 250 };

/** The shipped configuration, with short intervals and the ports of a test. */
function testConfig(ports: { server: number; worker: number }): string {
  return read('prometheus/prometheus.yml')
    .replaceAll('15s', '1s')
    .replace('- rules.yml', `- ${join(deploy, 'prometheus/rules.yml')}`)
    .replace('server:9464', `127.0.0.1:${ports.server}`)
    .replace('worker:9464', `127.0.0.1:${ports.worker}`);
}

const test = testWithStack({
  workers: 0,
  // With a provider that bills, and a cap: else there is nothing to compare.
  settings: { IMAGE_PROVIDER: 'openai', PROVIDER_DAILY_CAP: '50' },
})
  .extend('ports', { scope: 'file' }, async () => ({
    server: await findFreePort(),
    worker: await findFreePort(),
  }))
  .extend('url', { scope: 'file' }, async ({ stack, ports }) => {
    const [server] = await Promise.all([
      stack.startServerProcess({ METRICS_PORT: String(ports.server) }),
      stack.startWorkerProcess({ METRICS_PORT: String(ports.worker) }),
    ]);
    return server.url!;
  })
  .extend('prometheus', { scope: 'file' }, async ({ stack, url, ports }, { onCleanup }) => {
    const prometheus = await startPrometheus(testConfig(ports));
    onCleanup(() => prometheus.close());
    await expect.poll(() => prometheus.query('up == 1'), eventually).toHaveLength(2);
    // Twice: a series that begins with its first event shows no rate of it.
    await useEverything(stack, url);
    const scrapes = (await prometheus.query('count_over_time(up[1h])'))[0]!.value;
    await expect
      .poll(async () => (await prometheus.query('min(count_over_time(up[1h]))'))[0]?.value, eventually)
      .toBeGreaterThan(scrapes + 1);
    await useEverything(stack, url);
    return prometheus;
  });

/** Makes an image and one that fails, opens a socket, asks for a page that is not there, makes a backup, and audits. */
async function useEverything(stack: TestStack, url: string): Promise<void> {
  const seller = await stack.seller({ url });
  const window = await seller.openWindow();
  await window.untilEnded((await seller.submit()).id);
  await stack.images.set({ behaviours: [contentRefused] });
  await window.untilEnded((await seller.submit()).id);
  await seller.request('/api/no-such-route');
  await expectBackups(stack.db, 24);
  await saveBackupResult(stack.db, null);
  await promisify(execFile)(process.execPath, ['scripts/audit/main.ts'], {
    cwd: rootFolder,
    env: childEnvironment(stack.settings),
  });
}

/** What an alert compares, without the comparisons: it has a value also while the alert does not fire. */
const withoutComparisons = (query: string) => query.replaceAll(/ (?:[<>]=?|==) [\d.e+]+/g, '');

/** The names of the metrics in an expression. */
const metricsOf = (expression: string) =>
  expression.replaceAll(/"[^"]*"/g, '').match(/\b(?:packshot|nodejs|process)_\w+|\bup\b(?=\{|\)|$| )/g) ?? [];

const hasNumber = (samples: Sample[]) => samples.some(({ value }) => Number.isFinite(value));

test('promtool accepts the configuration and the alerts, which fire when they should and only then', async () => {
  for (const config of ['prometheus.yml', 'kubernetes.yml']) {
    await promtool(['check', 'config', join(deploy, 'prometheus', config)]);
  }
  await promtool(['check', 'rules', '--lint-fatal', join(deploy, 'prometheus/rules.yml')]);
  await promtool(['test', 'rules', join(deploy, 'prometheus/rules.test.yml')]);
  const tested = read('prometheus/rules.test.yml');
  for (const [, alert] of read('prometheus/rules.yml').matchAll(/- alert: (\w+)/g)) {
    expect(tested, alert).toMatch(new RegExp(`alertname: ${alert}\\n +exp_alerts:\\n`));
    expect(tested, alert).toContain(`alertname: ${alert}, exp_alerts: []`);
  }
});

test("the metrics have names and units by Prometheus' conventions", async ({ url, ports }) => {
  expect(url).toBeDefined();
  for (const port of Object.values(ports)) {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const own = text.split('\n').filter((line) => /^(?:# \w+ )?packshot_/.test(line));
    expect(own.length).toBeGreaterThan(20);
    await promtool(['check', 'metrics'], `${own.join('\n')}\n`);
  }
});

test('every alert compares something that is measured, and names its section of the runbook', async ({
  prometheus,
}) => {
  await expect
    .poll(async () => (await prometheus.rules()).filter(({ health }) => health !== 'ok'), eventually)
    .toEqual([]);
  const rules = await prometheus.rules();
  const runbook = readFileSync(join(rootFolder, 'docs/runbook.md'), 'utf8');
  const sections = [...runbook.matchAll(/^## (.+)$/gm)].map(([, title]) => anchorOf(title!));
  for (const { name, query, annotations } of rules) {
    await expect
      .poll(() => prometheus.query(withoutComparisons(query)), { ...eventually, message: name })
      .not.toEqual([]);
    for (const metric of metricsOf(query)) {
      expect(await prometheus.query(`count(${metric})`), metric).toHaveLength(1);
    }
    const [document, section] = annotations.runbook!.split('#');
    expect(document).toBe('docs/runbook.md');
    expect(sections, name).toContain(section);
  }
});

/** The anchor of a heading, as GitHub makes it. */
const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');

test.for(Object.values(dashboards))(
  'every panel of $title shows numbers',
  async (dashboard, { prometheus }) => {
    const { panels, templating } = dashboard;
    expect(templating.list).toEqual([
      expect.objectContaining({ name: 'datasource', type: 'datasource', query: 'prometheus' }),
    ]);
    for (const { title, datasource, targets } of panels) {
      expect(datasource.uid).toBe(`\${datasource}`);
      for (const { expr } of targets) {
        const expression = expr.replaceAll('$__rate_interval', '1m');
        await expect
          .poll(() => prometheus.query(expression), { ...eventually, message: `${title}: ${expression}` })
          .toSatisfy(hasNumber);
      }
    }
  },
);
