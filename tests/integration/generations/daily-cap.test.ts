/** The cap of a day: it is never passed, images wait for the next day, and a larger cap lets them go on at once. */
import { randomInt } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import { type OperatorCosts, type OperatorNow, operatorPaths } from '#contract';
import { connectDb } from '#shared/data/connect.ts';
import {
  callCostId,
  endCost,
  findCostDay,
  findCostDays,
  recordCostStop,
  releaseCost,
  reserveCost,
} from '#shared/data/costs/provider-costs.ts';
import { loadConfig } from '#shared/platform/config.ts';
import { bucketOf } from '#shared/platform/histogram.ts';
import { readProviderFlow } from '#shared/provider/flow.ts';
import { watchRound } from '#shared/watch/watch.ts';
import { eventually } from '#tests/support/harness.ts';
import { operatorOf } from '#tests/support/operator.ts';
import { createRandom } from '#tests/support/random.ts';
import { isObstacle, openDailyBudget } from '#worker/flow/daily-budget.ts';
import { callOf, costsOf, settledDay, testCosts, today } from './costs-steps.ts';

const test = testCosts();

test('many workers that race for the last dollar never pass the cap, and use it', async ({ stack }) => {
  const seed = randomInt(2 ** 31);
  console.log(`daily-cap.test.ts: seed ${seed}`);
  const random = createRandom(seed);
  const handles = await Promise.all([1, 2, 3].map(() => connectDb(stack.config.mongodbUrl)));
  onTestFinished(async () => void (await Promise.all(handles.map((db) => db.close()))));
  for (let run = 0; run < 12; run += 1) {
    // A day of its own for each run: the first reservation of a day creates it.
    const at = new Date(Date.UTC(2031, 0, 1 + run, 12));
    const cap = random.between(500, 5_000);
    const amounts = Array.from({ length: 40 }, () => random.between(1, 600));
    const lanes = handles.map((db) => ({ db, random: random.fork() }));
    const calls = amounts.map((amount, index) => ({ amount, lane: lanes[index % lanes.length]! }));
    const outcomes = await Promise.all(
      calls.map(async ({ amount, lane: { db, random: own } }) => {
        const call = callOf(at, amount);
        const id = callCostId(call.generation, 1);
        if (!(await reserveCost(db, id, call, cap))) return { amount, kept: 0, refused: true };
        const { total } = (await findCostDay(db, at))!;
        expect(total, `seed ${seed}`).toBeLessThanOrEqual(cap);
        if (own.chance(0.3)) return { amount, kept: amount, refused: false };
        if (own.chance(0.3)) {
          await releaseCost(db, id, call);
          return { amount, kept: 0, refused: false };
        }
        const cost = own.between(0, amount);
        await endCost(db, id, call, { state: 'exact', amount: cost, tokens: null, result: 'image' });
        return { amount, kept: cost, refused: false };
      }),
    );
    const { total } = (await findCostDay(stack.db, at))!;
    expect(total, `seed ${seed}`).toBe(outcomes.reduce((sum, { kept }) => sum + kept, 0));
    expect(total, `seed ${seed}`).toBeLessThanOrEqual(cap);
    // What is left is for who asks next, down to the last micro-dollar.
    const last = callOf(at, cap - total);
    expect(await reserveCost(stack.db, callCostId(last.generation, 1), last, cap)).toBe(true);
    const more = callOf(at, 1);
    expect(await reserveCost(stack.db, callCostId(more.generation, 1), more, cap), `seed ${seed}`).toBe(
      false,
    );
  }
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('a call belongs to the day on which it was reserved, and each day begins with nothing', async ({
  stack,
}) => {
  const [before, after] = [new Date('2031-03-01T23:59:59.999Z'), new Date('2031-03-02T00:00:00.000Z')];
  const late = callOf(before, 900);
  expect(await reserveCost(stack.db, callCostId(late.generation, 1), late, 1_000)).toBe(true);
  const refused = callOf(before, 200);
  expect(await reserveCost(stack.db, callCostId(refused.generation, 1), refused, 1_000)).toBe(false);
  await recordCostStop(stack.db, before);
  const early = callOf(after, 900);
  expect(await reserveCost(stack.db, callCostId(early.generation, 1), early, 1_000)).toBe(true);
  // It ends on the next day.
  await endCost(stack.db, callCostId(late.generation, 1), late, {
    state: 'exact',
    amount: 300,
    tokens: null,
    result: 'image',
  });
  const [first, second] = await findCostDays(stack.db, ['2031-03-01', '2031-03-02']);
  expect(first).toMatchObject({ total: 300, hours: { '23': 300 }, stopped_at: before });
  expect(second).toMatchObject({ total: 900, hours: { '0': 900 } });
  expect(second!.stopped_at).toBeUndefined();
});

test('a worker goes on at midnight', async ({ stack, seller }) => {
  const { id } = await seller.submit();
  // Otherwise the workers of the next test would make it.
  onTestFinished(async () => void (await seller.cancel(id)));
  const row = (await stack.models.generations.findById(id).lean())!;
  const midnight = Date.UTC(2031, 5, 2);
  const began = Date.now();
  const config = loadConfig({ ...stack.settings, PROVIDER_DAILY_CAP: '0.000001' });
  const budget = openDailyBudget({
    ...stack.server.context,
    config,
    // Half a second before midnight.
    clock: () => new Date(midnight - 500 + (Date.now() - began)),
  });
  onTestFinished(() => budget.stop());
  const told: boolean[] = [];
  const resumed = new Promise<void>((resolve) => {
    budget.onStop((stopped) => {
      told.push(stopped);
      if (!stopped) resolve();
    });
  });
  const obstacle = await budget.reserve(row as never, 'a cup');
  if (!isObstacle(obstacle)) throw new Error('it was reserved');
  expect(obstacle).toMatchObject({ waitingFor: 'budget', longestMs: Number.POSITIVE_INFINITY });
  expect(told).toEqual([true]);
  await resumed;
  // A timer may fire in the millisecond before.
  expect(Date.now() - began).toBeGreaterThanOrEqual(500 - 1);
  expect(told).toEqual([true, false]);
});

test('at the cap images wait, are told so, and come when workers start with a larger one', async ({
  stack,
  seller,
  window,
}) => {
  await stack.models.durations.deleteMany();
  await stack.models.durations.create({
    _id: 'measured',
    model: stack.config.image.model,
    size: '1024x1024',
    quality: 'high',
    hour: new Date(Date.now() - 3_600_000),
    counts: { [bucketOf(30_000)]: 9 },
  });
  const operator = await operatorOf(stack);
  // Enough for one image, whose estimate is at most 9 cents, and less than for two.
  const poor = await Promise.all(
    [1, 2].map(() => stack.startWorker({ PROVIDER_DAILY_CAP: '0.10', WORKER_CONCURRENCY: '2' })),
  );
  const first = await seller.submit({ prompt: 'the first one' });
  expect(await window.untilEnded(first.id)).toMatchObject({ state: 'succeeded' });
  const spent = (await settledDay(stack)).total;
  const ids: string[] = [];
  for (let index = 0; index < 6; index += 1) ids.push((await seller.submit({ prompt: `Scene ${index}` })).id);
  await expect.poll(async () => (await today(stack))?.stopped_at, eventually).toBeInstanceOf(Date);
  // Those that were taken, and those that never were, say the same.
  const waits = { stage: 'waiting', waitingFor: 'worker' };
  for (const id of ids) {
    await expect.poll(() => seller.generation(id), eventually).toMatchObject({ progress: waits });
  }
  const midnight = new Date(new Date().setUTCHours(24, 0, 0, 0)).getTime();
  const views = await Promise.all(ids.map((id) => seller.generation(id)));
  for (const { timeLeft } of views) {
    expect(Date.parse(timeLeft!.from)).toBeGreaterThanOrEqual(midnight);
    expect(Date.parse(timeLeft!.to)).toBeLessThan(midnight + 600_000);
  }
  expect((await today(stack))!.total).toBe(spent);
  const states = await stack.models.generations.find({ _id: { $in: ids } }).lean();
  expect(states.every(({ state }) => state === 'queued' || state === 'running')).toBe(true);
  expect(await readProviderFlow(stack.db)).toMatchObject({ breaker: 'closed', until: null, kind: null });

  const now = (await operator.request<OperatorNow>(operatorPaths.now)).body;
  expect(now.budgetStop).toEqual({ until: new Date(midnight).toISOString(), total: spent });
  const costs = (await operator.request<OperatorCosts>(operatorPaths.costs)).body;
  expect(costs.today).toMatchObject({ total: spent, stoppedUntil: new Date(midnight).toISOString() });
  const rich = loadConfig({
    ...stack.settings,
    PROVIDER_DAILY_CAP: '0.10',
    ALERT_ADDRESS: 'ops@shop.example',
  });
  await watchRound({ ...stack.server.context, config: rich });
  expect(await stack.models.alerts.find().lean()).toMatchObject([
    { _id: 'cost-cap-reached', since: expect.any(Date) },
  ]);
  expect(await stack.models.mails.countDocuments({ subject: /as much as they may/ })).toBe(1);

  // One after the other, as a rolling restart does it.
  await poor[0]!.close();
  const worker = await stack.startWorker({ PROVIDER_DAILY_CAP: '5' });
  onTestFinished(() => worker.close());
  await poor[1]!.close();
  const ended = await Promise.all(ids.map((id) => window.untilEnded(id)));
  expect(ended.map(({ state }) => state)).toEqual(ids.map(() => 'succeeded'));
  const day = await settledDay(stack);
  expect(day.stopped_at).toBeUndefined();
  expect((await Promise.all(ids.map((id) => costsOf(stack, id)))).flat()).toHaveLength(6);
  // No call was made in vain, and nothing was charged for waiting.
  expect((await stack.images.state()).calls).toHaveLength(7);
  await expect
    .poll(async () => (await seller.me()).subscription, eventually)
    .toMatchObject({ generationsLeft: 93, generationsHeld: 0 });
});

test('a worker goes on as soon as its own calls have cost less than was reserved', async ({
  stack,
  seller,
  window,
}) => {
  // Two estimates do not fit, but two images do.
  const worker = await stack.startWorker({ PROVIDER_DAILY_CAP: '0.14', WORKER_CONCURRENCY: '2' });
  onTestFinished(() => worker.close());
  await stack.images.set({ default: { kind: 'hold' } });
  const first = await seller.submit();
  await stack.images.waitFor({ waiting: 1 });
  const { total } = (await today(stack))!;
  expect(total * 2).toBeGreaterThan(140_000);
  const second = await seller.submit();
  await expect.poll(async () => (await today(stack))?.stopped_at, eventually).toBeInstanceOf(Date);
  await stack.images.set({ default: { kind: 'ok' } });
  await stack.images.release();
  for (const { id } of [first, second])
    expect(await window.untilEnded(id)).toMatchObject({ state: 'succeeded' });
  const day = await settledDay(stack);
  expect(day.total).toBeLessThanOrEqual(140_000);
  expect(day.stopped_at).toBeUndefined();
});
