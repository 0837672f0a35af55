/** How the installation is, as operators read it over HTTP and get it over the socket. */
import { expect } from 'vitest';
import { type OperatorNow, type OperatorSeries, operatorPaths } from '#contract';
import { countEndInMinute } from '#shared/data/operator/minutes.ts';
import { revokeOperator } from '#shared/data/operator/operators.ts';
import { beginProviderPause } from '#shared/data/queue/provider-pauses.ts';
import { recordWorker } from '#shared/data/queue/seen-workers.ts';
import { reportWorker } from '#shared/data/queue/worker-slots.ts';
import { watchRound } from '#shared/watch/watch.ts';
import { call } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { operatorOf } from '#tests/support/operator.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack({ workers: 2 });

test('figures, processes, stores and alerts', async ({ stack }) => {
  const operator = await operatorOf(stack);
  const window = await operator.openWindow();
  const { id } = await operator.submit();
  await window.untilEnded(id);
  await stack.models.auditResults.create({ _id: 'last', ended_at: new Date(), findings: 3 });
  await watchRound(stack.server.context);
  const now = async () => (await operator.request<OperatorNow>(operatorPaths.now)).body;
  await expect.poll(async () => (await now()).images).toBe(1);
  const read = await now();
  expect(read).toMatchObject({
    queue: { paused: false, waiting: 0, failed: 0 },
    oldestWaiting: 0,
    failures: [],
    provider: { breaker: 'closed', since: null },
    latency: { p50: expect.any(Number), p95: expect.any(Number) },
    alerts: [{ kind: 'audit-not-clean', runbook: 'docs/runbook.md#audit-not-clean' }],
  });
  expect(read.stores.map(({ store, works }) => `${store} ${works}`)).toEqual([
    'mongodb true',
    'queue true',
    'storage true',
    'mail true',
  ]);
  expect(read.workers).toHaveLength(2);
  expect(read.servers).toHaveLength(1);
  const { version, pid, concurrency, running, crashes } = read.workers[0]!;
  expect(crashes).toBe(0);
  expect([pid, concurrency, running]).toEqual([process.pid, stack.config.worker.concurrency, []]);
  expect(version).toMatch(/^\d+\.\d+\.\d+/);

  // Images a minute are of minutes that are over.
  await countEndInMinute(stack.db, {
    at: new Date(Date.now() - 60_000),
    images: 1,
    failure: null,
    bucket: null,
  });
  const series = (range: string) =>
    operator.request<OperatorSeries>(`${operatorPaths.series}?range=${range}`);
  const points = [(await series('1h')).body, (await series('24h')).body, (await series('7d')).body];
  expect(points.map(({ times }) => times.length)).toEqual([60, 288, 336]);
  for (const { workers, imagesPerMinute, latencyP50 } of points) {
    const known = (points: (number | null)[]) => points.filter((point) => point !== null);
    expect(known(workers)).toEqual([2]);
    expect(Math.max(...imagesPerMinute.map(Number))).toBeGreaterThan(0);
    expect(known(latencyP50)).toEqual([expect.any(Number)]);
  }
  expectError(await series('2h'), 'VALIDATION', { field: 'range' });
  window.close();
});

test('only sockets of operators get it, and none any more once the role is revoked', async ({ stack }) => {
  const sellers = await Promise.all([operatorOf(stack), operatorOf(stack), stack.seller()]);
  const windows = await Promise.all(sellers.map((seller) => seller.openWindow()));
  const received = windows.map(() => 0);
  windows.forEach(({ socket }, index) => {
    socket.on('operatorNow', ({ servers }) => {
      received[index]! += servers.length;
    });
  });
  /** Asks for it until the first operator has got it again. */
  const again = async () => {
    const before = received[0]!;
    await expect
      .poll(() => {
        stack.server.context.relay.publishOperators();
        return received[0]! > before && received[1]! > 0;
      })
      .toBe(true);
  };
  await again();
  await revokeOperator(stack.db, sellers[1]!.id);
  // One may have been on its way.
  await again();
  await again();
  const before = received[1];
  await again();
  expect(received[1]).toBe(before);
  expect(received[2]).toBe(0);
  for (const window of windows) window.close();
});

test('an operator ends a pause of the provider', async ({ stack }) => {
  const operator = await operatorOf(stack);
  await beginProviderPause(stack.db, null, {
    kind: 'account',
    until: new Date(Date.now() + 600_000),
    step: 1,
    careful: 20,
    cause: 'invalid key',
    openedAt: new Date(),
  });
  const { body } = await operator.request<OperatorNow>(operatorPaths.now);
  expect(body.provider).toMatchObject({ breaker: 'open', kind: 'account', cause: 'invalid key' });
  const tried = await call<OperatorNow>(operator, 'POST', operatorPaths.tryProvider, { reason: 'a new key' });
  expect(tried.body.provider).toMatchObject({ breaker: 'half-open', until: null });
  expect(await stack.models.operatorActions.findOne({ action: 'try-provider' }).lean()).toMatchObject({
    outcome: 'done',
    reason: 'a new key',
    operator: operator.id,
  });
});

test('a worker says what came of its images, and how often one on its machine ended by itself', async ({
  stack,
}) => {
  const operator = await operatorOf(stack);
  const [worker] = await stack.models.workerSlots.find().lean();
  const { host, pid, started_at } = worker!.report;
  const before = (minutes: number) => new Date(started_at.getTime() - minutes * 60_000);
  for (const minutes of [5, 10, 2_000]) {
    const at = before(minutes);
    await recordWorker(stack.db, { _id: `gone-${minutes}`, host, pid, started_at: at, reported_at: at });
  }
  const report = { ...worker!.report, reported_at: new Date() };
  const images = { made: 3, failed: 2, ms: 100_000 };
  await reportWorker(stack.db, 'sick', { slots: 4, running: [], images, report }, 60_000);
  const { body } = await operator.request<OperatorNow>(operatorPaths.now);
  expect(body.workers.find(({ id }) => id === 'sick')).toMatchObject({
    made: 3,
    failed: 2,
    secondsPerImage: 33.3,
    crashes: 2,
  });
});
