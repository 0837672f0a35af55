/** No test depends on the speed of the machine: its limits are multiples of the factor of the run. */
import { expect, test } from 'vitest';
import { readInCheckout, trackedFiles } from '#tests/support/checkout.ts';
import { type Finding, faults, findTestLimits } from './test-limits.ts';

/** Sources of which each must be found. */
const forbidden: readonly [fault: Finding['fault'], source: string][] = [
  ['literal', "test('it', { timeout: 60_000 }, () => {});"],
  ['literal', "test('it', { timeout: 2 * 60_000 }, () => {});"],
  ['literal', "test('it', async () => {}, 60_000);"],
  ['literal', "test.for(['a'])('%s', async () => {}, 60_000);"],
  ['literal', "test.each(['a'])('%s', { timeout: 60_000 }, () => {});"],
  ['literal', 'beforeAll(async () => {}, 30_000);'],
  ['literal', 'test.afterEach(async () => {}, 30_000);'],
  ['literal', 'vi.setConfig({ hookTimeout: 60_000 });'],
  ['literal', 'export const soon = { timeout: 8_000, interval: 50 };'],
  ['literal', 'const longMs = 8_000; await expect.poll(read, { timeout: longMs }).toBe(1);'],
  ['literal', 'await vi.waitFor(check, { timeout: 5_000 });'],
  ['literal', 'await vi.waitFor(check, 5_000);'],
  ['literal', "await start({ WORKER_LOCK_MS: '1500' });"],
  ['literal', 'await start({ WORKER_LOCK_MS: String(1_500) });'],
  ['literal', "await start({ SESSION_SECONDS: '2' });"],
  ['literal', 'await startChild({ readyMs: 300 });'],
  ['literal', 'const send = (timeoutMs = 1_000) => timeoutMs;'],
  ['literal', 'await fetch(url, { signal: AbortSignal.timeout(1_000) });'],
  ['literal', 'new MongoClient(url, { serverSelectionTimeoutMS: 500 });'],
  ['fast', 'expect(performance.now() - began).toBeLessThan(2_000);'],
  ['fast', 'expect((Date.now() - began) / 400).toBeLessThanOrEqual(2);'],
  ['fast', 'const took = performance.now() - began; expect(took).toBeLessThan(limitMs(2_000));'],
  ['fast', 'const end = Date.now(); expect(end - began).toBeLessThan(2_000);'],
  ['sleep', 'await new Promise((resolve) => setTimeout(resolve, 50));'],
  ['sleep', 'await new Promise<void>((done) => { setTimeout(done, limitMs(50)); });'],
  ['sleep', "import { setTimeout as wait } from 'node:timers/promises'; await wait(1_200);"],
  ['waitFor', 'await vi.waitFor(() => expect(seen).toBe(1));'],
  ['waitFor', 'await vi.waitUntil(check, { interval: 5 });'],
];

const allowed: readonly string[] = [
  "test('it', { timeout: limitMs(60_000) }, () => {});",
  "test('it', () => {}, limitMs(60_000));",
  "test.each([1, 2])('%i', () => {});",
  'await vi.waitFor(check, { timeout: limitMs(5_000), interval: 50 });',
  'await expect.poll(read, { interval: 50 }).toBe(1);',
  'await start({ WORKER_LOCK_MS: String(limitMs(1_500)), UPKEEP_INTERVAL_MS: "100", TEST_MODE: "1" });',
  'await runUpkeep({ requestMs: 0, timeoutMs: 0 });',
  'expect(config).toMatchObject({ timeoutMs: 600_000 });',
  'expect(performance.now() - began).toBeGreaterThan(350);',
  'expect(second - began).toBeLessThan(first);',
  'expect(Date.parse(session.until) - Date.now()).toBeLessThanOrEqual(60_000);',
  'expect(count).toBeLessThan(5_000);',
  "import { setTimeout as wait } from 'node:timers/promises'; await wait(pick(20));",
];

test('what depends on the speed of the machine is found', () => {
  const found = forbidden.map(([, source]) => findTestLimits('a.test.ts', source).map(({ fault }) => fault));
  expect(found).toEqual(forbidden.map(([fault]) => [fault]));
});

test('nothing else is', () => {
  expect(allowed.flatMap((source) => findTestLimits('a.test.ts', source))).toEqual([]);
  const measured = 'expect(performance.now() - began).toBeLessThan(limitMs(40));';
  expect(findTestLimits('tests/limits/a.test.ts', measured)).toEqual([]);
});

test('no test depends on the speed of the machine', () => {
  const files = trackedFiles().filter((file) =>
    /\.test\.tsx?$|(^|\/)tests\/(?!campaigns|containers).*\.ts$|vitest\.config\.ts$/.test(file),
  );
  const found = files.flatMap((file) =>
    findTestLimits(file, readInCheckout(file)).map(
      ({ line, fault, text }) => `${file}:${line}: ${text} is ${faults[fault]}`,
    ),
  );
  expect(files.length).toBeGreaterThan(300);
  expect(found).toEqual([]);
});
