/**
 * `npm test`: what a change needs. `npm run test:full` (`--full`): the exhaustive rest, and what needs more than this
 * checkout (docs/testing.md says what is tested where). Measurements are a command of their own (`npm run test:limits`),
 * because they need the machine for themselves.
 */
import { globSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { parseCLI, startVitest, type TestCase, type Vitest } from 'vitest/node';
import { findChromium } from '#scripts/chromium.ts';
import { readCommandLine, refuse } from '#scripts/command-line.ts';
import { invocationFolder } from '#scripts/npm.ts';
import { readEnvironment } from '#shared/platform/environment.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
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

const { values, words } = readCommandLine('tests', {
  typed: 'npm test --',
  about:
    'Runs the tests that a change needs; npm run test:full the exhaustive rest, npm run test:limits the measurements.',
  words: '[FILE…]',
  options: {
    full: { about: 'runs the exhaustive rest, as npm run test:full does' },
    project: { takes: 'PROJECT', many: true, about: 'only a project of vitest.config.ts; may be repeated' },
    testNamePattern: { takes: 'PATTERN', short: 't', about: 'only tests whose name matches' },
    bail: { takes: 'COUNT', about: 'ends after so many failures' },
    retry: { takes: 'COUNT', about: 'tries a test that fails again so often' },
    maxWorkers: { takes: 'COUNT', about: 'how many files run at a time' },
    'no-file-parallelism': { about: 'runs one file at a time' },
    reporter: { takes: 'REPORTER', about: 'of vitest' },
    update: { about: 'updates snapshots' },
  },
});
const { full: isFull, ...forVitest } = values;
const { options } = parseCLI(['vitest', 'run', ...projectOptions(), ...passedOn()]);
const filter = words.map(filterOf);
const environment = readEnvironment();
const machine = await measureMachine(environment.TEST_MACHINE_FACTOR);
// Vitest's configuration, its workers and the processes that tests start read it.
environment.TEST_MACHINE_FACTOR = String(machine.factor);
const factorLine = `limits × ${machine.factor} (${machine.reason})`;
console.log(`tests: ${factorLine}`);

const vitest = await startVitest('test', filter, { ...options, watch: false }).catch((error: Error) => {
  console.error(`tests: ${error.message}`);
  process.exit(1);
});
const counts = count(vitest);
await vitest.close();
const ran = counts.passed + counts.failed;
if (counts.failed > 0 || ran === 0) process.exitCode = 1;

for (const line of [factorLine, ...repeated(vitest), ...(await leftOut())]) console.log(`tests: ${line}`);
if (ran === 0) console.log('tests: no test ran');
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit();

/** By default the projects of the tier. */
function projectOptions(): string[] {
  if (values.project.length > 0) return [];
  if (!isFull) return firstTier.map((name) => `--project=${name}`);
  return [...firstTier, 'limits'].map((name) => `--project=!${name}`);
}

/** The options that were given, as vitest takes them. */
function passedOn(): string[] {
  return Object.entries(forVitest).flatMap(([name, value]) => {
    if (typeof value === 'boolean') return value ? [`--${name}`] : [];
    return [value ?? []].flat().map((each) => `--${name}=${each}`);
  });
}

/** Vitest's filter: a part of a path, or a path, which may have a line after it. Refuses one without a test file. */
function filterOf(word: string): string {
  const [, path, line] = /^(.*?)(:\d+)?$/.exec(word)!;
  const parts = [path!, relative(rootFolder, resolve(invocationFolder(), path!))];
  const files = globSync('**/*.test.{ts,tsx}', {
    cwd: rootFolder,
    exclude: (each) => each === 'node_modules',
  });
  const part = parts.find((each) => each !== '' && files.some((file) => file.includes(each)));
  return part === undefined
    ? refuse('tests', `no test file has ${path} in its path`)
    : `${part}${line ?? ''}`;
}

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

/** Tests that failed, and passed when `--retry` repeated them, with why: each hides a race, or a limit that is too short. */
function repeated(vitest: Vitest): string[] {
  return vitest.state
    .getTestModules()
    .flatMap((module) =>
      [...module.children.allTests()]
        .filter((test) => test.diagnostic()?.flaky)
        .map(
          (test) =>
            `passed only when repeated: ${module.relativeModuleId} > ${test.fullName}: ${firstFailure(test)}`,
        ),
    );
}

/** Why a test failed the first time, in one line. */
function firstFailure(test: TestCase): string {
  const [error] = test.result().errors ?? [];
  if (!error) return 'it is not known why';
  const text = stripVTControlCharacters(error.message).replace(/\s+/g, ' ').trim();
  const place = error.stacks?.at(-1);
  return `${text.slice(0, 300)}${place ? ` (line ${place.line})` : ''}`;
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
