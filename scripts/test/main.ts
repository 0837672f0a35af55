/**
 * `npm test`: what a change needs. `npm run test:full` (`--full`): the exhaustive rest, and what needs more than this
 * checkout (docs/testing.md says what is tested where). Measurements are a command of their own (`npm run test:limits`),
 * because they need the machine for themselves. Other arguments are passed on to vitest.
 */
import { parseCLI, startVitest, type Vitest } from 'vitest/node';
import { findChromium } from '#scripts/chromium.ts';
import { readEnvironment } from '#shared/platform/environment.ts';
import { findFirefox, findWebKit } from '#tests/support/engines.ts';
import { measureMachine } from '#tests/support/machine.ts';
import { hasPrometheus } from '#tests/support/prometheus.ts';
import { planStores } from '#tests/support/stores.ts';

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** Projects of `npm test`; `npm run test:full` has all others but `limits`. */
const firstTier = ['unit', 'postgres', 'isolated'];

const isFull = process.argv.includes('--full');
const given = process.argv.slice(2).filter((each) => each !== '--full');
const environment = readEnvironment();
const machine = await measureMachine(environment.TEST_MACHINE_FACTOR);
// Vitest's configuration, its workers and the processes that tests start read it.
environment.TEST_MACHINE_FACTOR = String(machine.factor);
const factorLine = `limits × ${machine.factor} (${machine.reason})`;
console.log(`tests: ${factorLine}`);

const projects = given.some((each) => each.startsWith('--project'))
  ? []
  : isFull
    ? [...firstTier, 'limits'].map((name) => `--project=!${name}`)
    : firstTier.map((name) => `--project=${name}`);
const { filter, options } = parseCLI(['vitest', 'run', ...projects, ...given]);
const vitest = await startVitest('test', filter, { ...options, watch: false }).catch((error: Error) => {
  console.error(`tests: ${error.message}`);
  process.exit(1);
});
const counts = count(vitest);
await vitest.close();
const ran = counts.passed + counts.failed;
if (counts.failed > 0 || ran === 0) process.exitCode = 1;

for (const line of [factorLine, ...(await leftOut())]) console.log(`tests: ${line}`);
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
  const isAsked = (project: string) => isFull || [options.project].flat().includes(project);
  if (isAsked('redis') && (await planStores()).redis === undefined) {
    lines.push(
      'left out the tests on Redis: no redis-server on the PATH, no container engine, no TEST_QUEUE_URL',
    );
  }
  if (isAsked('prometheus') && !(await hasPrometheus())) {
    lines.push(
      'left out the alerts and dashboards: no prometheus and promtool on the PATH (Debian: apt-get install prometheus)',
    );
  }
  if (findChromium() === undefined) {
    lines.push(
      'left out the browser tests: no Chromium in /usr/bin (Debian: apt-get install chromium-headless-shell)',
    );
  }
  if (isAsked('engines') && findFirefox() === undefined) {
    lines.push('left out the tests in Firefox (Debian: apt-get install firefox-esr xvfb)');
  }
  if (isAsked('engines') && findWebKit() === undefined) {
    lines.push('left out the tests in WebKitGTK (Debian: apt-get install webkit2gtk-driver xvfb)');
  }
  return lines;
}
