/**
 * `npm test`: the product's test projects that this machine can run. The queue on Redis (`npm run test:redis`), the storage on S3
 * (`npm run test:s3`), measurements (`npm run test:limits`), the metrics (`npm run test:prometheus`), the manifests (`npm run test:kubernetes`), the public pages (`npm run test:site`),
 * the simulated year (`npm run simulate`) and the tests of the local stand-ins (`npm run test:local`) are separate commands. Arguments are passed on to vitest.
 */
import { parseCLI, startVitest, type Vitest } from 'vitest/node';
import { findChromium } from '#scripts/chromium.ts';
import { hasPrometheus } from '#tests/support/prometheus.ts';
import { planStores } from '#tests/support/stores.ts';

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

const given = process.argv.slice(2);
const projects = given.some((each) => each.startsWith('--project'))
  ? []
  : [
      'redis',
      'topologies',
      's3',
      'limits',
      'prometheus',
      'kubernetes',
      'simulation',
      'site',
      'stand-ins*',
    ].flatMap((name) => ['--project', `!${name}`]);
const { filter, options } = parseCLI(['vitest', 'run', ...projects, ...given]);
const vitest = await startVitest('test', filter, { ...options, watch: false });
const counts = count(vitest);
await vitest.close();
const ran = counts.passed + counts.failed;
if (counts.failed > 0 || ran === 0) process.exitCode = 1;

for (const line of await leftOut()) console.log(`tests: ${line}`);
if (ran === 0) console.log('tests: no test ran');
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit();

/** Tests by their end; a file that could not be loaded, and an error that no test caught, count as failures. */
function count(vitest: Vitest): Counts {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  for (const module of vitest.state.getTestModules()) {
    let failed = 0;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') counts.passed += 1;
      else if (state === 'failed') failed += 1;
      else counts.skipped += 1;
    }
    counts.failed += failed === 0 && module.state() === 'failed' ? 1 : failed;
  }
  counts.failed += vitest.state.getUnhandledErrors().length;
  return counts;
}

/** What this machine cannot run, and what it would take. */
async function leftOut(): Promise<string[]> {
  const lines: string[] = [];
  if (given.includes('redis') && (await planStores()).redis === undefined) {
    lines.push(
      'left out the tests on Redis: no redis-server on the PATH, no container engine, no TEST_QUEUE_URL',
    );
  }
  if (given.includes('prometheus') && !(await hasPrometheus())) {
    lines.push(
      'left out the alerts and dashboards: no prometheus and promtool on the PATH (Debian: apt-get install prometheus)',
    );
  }
  if (findChromium() === undefined) {
    lines.push(
      'left out the browser tests: no Chromium in /usr/bin (Debian: apt-get install chromium-headless-shell)',
    );
  }
  return lines;
}
