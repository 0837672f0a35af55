/** What calls to the image provider cost: one row for each call that may be billed, whatever becomes of it. */
import mongoose from 'mongoose';
import { expect, onTestFinished } from 'vitest';
import { type OperatorCosts, type OperatorGenerationView, operatorPaths } from '#contract';
import type { Behaviour } from '#local/openai/control-client.ts';
import { finishDeletion } from '#shared/accounts/deletion.ts';
import { beginDeletion } from '#shared/data/accounts/deletion.ts';
import { callCostId, endCost, endLostCosts, reserveCost } from '#shared/data/costs/provider-costs.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { registry } from '#shared/metrics/metrics.ts';
import type { Log } from '#shared/platform/log.ts';
import { workerContext } from '#tests/support/credits.ts';
import { expectError } from '#tests/support/errors.ts';
import { eventually } from '#tests/support/harness.ts';
import { operatorOf } from '#tests/support/operator.ts';
import { contentRefused } from '#tests/support/provider-calls.ts';
import { warnOfUnknownPrice } from '#worker/check-model.ts';
import { isObstacle, openDailyBudget } from '#worker/flow/daily-budget.ts';
import { removeExpired } from '#worker/upkeep/retention.ts';
import { callOf, costsOf, settledDay, testCosts, today } from './costs-steps.ts';

const test = testCosts();

test('the most that a call can cost is written before it, and what it cost afterwards', async ({
  stack,
  seller,
  window,
}) => {
  const worker = await stack.startWorker();
  onTestFinished(() => worker.close());
  await stack.images.set({ behaviours: [{ kind: 'hold' }] });
  const { id } = await seller.submit();
  await stack.images.waitFor({ waiting: 1 });
  const before = (await today(stack))!;
  const reserved = before.open![callCostId(id, 1)]!;
  expect(Object.keys(before.open!)).toEqual([callCostId(id, 1)]);
  expect(reserved).toMatchObject({ generation: id, amount: before.total });
  await stack.images.release();
  await window.untilEnded(id);
  const day = await settledDay(stack);
  const [cost] = await costsOf(stack, id);
  const { quality } = (await stack.models.generations.findById(id).lean())!;
  expect(cost).toMatchObject({
    seller: seller.id,
    provider: 'openai',
    model: 'gpt-image-2.5-flare',
    size: '1024x1024',
    quality,
    state: 'exact',
    result: 'image',
    day: day._id,
  });
  const { tokens } = cost!;
  // Two previews.
  expect(tokens!.imageOutput).toBe(1_756 + 200);
  expect(cost!.amount).toBe(tokens!.textInput * 5 + tokens!.imageInput * 8 + tokens!.imageOutput * 30);
  expect(cost!.amount).toBeLessThan(reserved.amount!);
  expect([day.total, Object.values(day.hours!).reduce((sum, hour) => sum + hour, 0)]).toEqual([
    cost!.amount,
    cost!.amount,
  ]);
  const metric = await registry.getSingleMetricAsString('packshot_provider_cost_microdollars_total');
  expect(metric).toContain(
    `{provider="openai",model="gpt-image-2.5-flare",size="1024x1024",quality="${quality}",kind="exact"} ${cost!.amount}`,
  );
});

interface Case {
  behaviours: Behaviour[];
  /** Of each call that is written, in order. */
  costs: { state: string; result: string }[];
}

const exact = { state: 'exact', result: 'image' };
const usage = (reported: unknown): Behaviour => ({ kind: 'usage', usage: reported });

const cases: Record<string, Case> = {
  'no usage': { behaviours: [usage(null)], costs: [{ state: 'estimated', result: 'image' }] },
  'usage of another kind': {
    behaviours: [usage({ prompt: 1 })],
    costs: [{ state: 'estimated', result: 'image' }],
  },
  'usage with cached tokens': {
    behaviours: [
      usage({
        input_tokens: 20,
        output_tokens: 10,
        input_tokens_details: { text_tokens: 20, cached_tokens: 20 },
      }),
    ],
    costs: [exact],
  },
  'a blank image, twice': {
    behaviours: [{ kind: 'blank' }, { kind: 'blank' }],
    costs: [
      { state: 'exact', result: 'invalid_response' },
      { state: 'exact', result: 'invalid_response' },
    ],
  },
  'a stream that was cut, then an image': {
    behaviours: [{ kind: 'cut' }, { kind: 'ok' }],
    costs: [{ state: 'estimated', result: 'server' }, exact],
  },
  'a stream that ended early, then an error in it': {
    behaviours: [{ kind: 'truncate' }, { kind: 'stream-error', shape: 'nested' }],
    costs: [
      { state: 'estimated', result: 'server' },
      { state: 'estimated', result: 'server' },
    ],
  },
  'a rate limit, then an image': {
    behaviours: [
      { kind: 'error', status: 429, code: 'rate_limit_exceeded', type: 'requests' },
      { kind: 'ok' },
    ],
    costs: [exact],
  },
  'refused by moderation before the call': { behaviours: [contentRefused], costs: [] },
  'refused by moderation afterwards': {
    behaviours: [{ ...contentRefused, moderation: { moderation_stage: 'output', categories: [] } }],
    costs: [{ state: 'estimated', result: 'content' }],
  },
  'a photo that cannot be read': {
    behaviours: [{ kind: 'error', status: 400, code: 'invalid_image_file', type: 'invalid_request_error' }],
    costs: [],
  },
};

test.for(Object.entries(cases))('%s', async ([, { behaviours, costs }], { stack, seller, window }) => {
  const worker = await stack.startWorker();
  onTestFinished(() => worker.close());
  await stack.images.set({ behaviours });
  const { id } = await seller.submit();
  await window.untilEnded(id);
  const day = await settledDay(stack);
  await expect
    .poll(async () => (await costsOf(stack, id)).map(({ state, result }) => ({ state, result })), eventually)
    .toEqual(costs);
  const rows = await costsOf(stack, id);
  expect(day.total).toBe(rows.reduce((sum, { amount }) => sum + amount!, 0));
  for (const { state, amount, tokens } of rows) {
    expect(amount).toBeGreaterThan(0);
    expect(tokens !== undefined).toBe(state === 'exact');
  }
});

test('a call that the seller stops counts at most', async ({ stack, seller, window }) => {
  const worker = await stack.startWorker();
  onTestFinished(() => worker.close());
  await stack.images.set({ behaviours: [{ kind: 'hold' }] });
  const { id } = await seller.submit();
  await stack.images.waitFor({ waiting: 1 });
  expect((await seller.cancel(id)).status).toBe(200);
  await window.untilEnded(id);
  await settledDay(stack);
  expect(await costsOf(stack, id)).toMatchObject([{ state: 'estimated', result: 'aborted' }]);
});

test('a worker that is killed leaves its estimate, which upkeep ends', async ({ stack, seller, window }) => {
  await stack.images.set({ behaviours: [{ kind: 'hold' }] });
  const first = await stack.startWorkerProcess();
  const { id } = await seller.submit();
  await stack.images.waitFor({ waiting: 1 });
  const { total } = (await today(stack))!;
  expect(total).toBeGreaterThan(0);
  await first.kill();
  const worker = await stack.startWorker();
  onTestFinished(() => worker.close());
  await window.untilEnded(id);
  await expect.poll(async () => (await costsOf(stack, id)).length, eventually).toBe(1);
  // It counts although its worker is gone, and is not ended while it could be alive.
  const [made] = await costsOf(stack, id);
  await expect.poll(async () => (await today(stack))!.total, eventually).toBe(total + made!.amount!);
  expect(await endLostCosts(stack.db, new Date(Date.now() - 600_000))).toEqual([]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
  expect(await endLostCosts(stack.db, new Date())).toMatchObject([
    { _id: callCostId(id, 1), generation: id, state: 'estimated', result: 'lost', amount: total },
  ]);
  expect(await endLostCosts(stack.db, new Date())).toEqual([]);
  expect((await settledDay(stack)).total).toBe(total + made!.amount!);
});

test('an end is written once, also after a crash between its two parts', async ({ stack }) => {
  const at = new Date();
  const call = callOf(at, 1_000);
  const id = callCostId(call.generation, 1);
  const end = { state: 'exact', amount: 400, tokens: null, result: 'image' } as const;
  expect(await reserveCost(stack.db, id, call, null)).toBe(true);
  await endCost(stack.db, id, call, end);
  await endCost(stack.db, id, call, { ...end, amount: 999 });
  expect((await settledDay(stack)).total).toBe(400);

  const crashed = callOf(at, 1_000);
  const crashedId = callCostId(crashed.generation, 1);
  await reserveCost(stack.db, crashedId, crashed, null);
  const open = (await today(stack))!.open!;
  await endCost(stack.db, crashedId, crashed, end);
  // As if only the row of the call had been written.
  await stack.models.providerCosts.collection.updateOne(
    { total: { $exists: true } },
    { $set: { open }, $inc: { total: 600, [`hours.${at.getUTCHours()}`]: 600 } },
  );
  expect(await stack.audit()).not.toEqual([]);
  expect(await endLostCosts(stack.db, new Date(Date.now() + 1))).toEqual([]);
  expect((await settledDay(stack)).total).toBe(800);
});

test('the audit finds a day that is not the sum of its calls', async ({ stack }) => {
  const call = callOf(new Date(), 1_000);
  await reserveCost(stack.db, callCostId(call.generation, 1), call, null);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
  await stack.models.providerCosts.collection.updateOne({ total: { $exists: true } }, { $inc: { total: 1 } });
  expect(await stack.audit()).toEqual([
    {
      id: call.at.toISOString().slice(0, 10),
      problem: 'its calls cost 1000 micro-dollars, but its sum is 1001',
    },
  ]);
});

test('without a price the cost is unknown, and never nothing', async ({ stack, seller }) => {
  const operator = await operatorOf(stack);
  const { id } = await seller.submit();
  const row = (await stack.models.generations.findById(id).lean()) as GenerationRow;
  const image = { ...stack.config.image, model: 'gpt-image-9' };
  const budget = openDailyBudget({ ...stack.server.context, config: { image } });
  onTestFinished(() => budget.stop());
  for (const fence of [1, 2]) {
    const cost = await budget.reserve({ ...row, fence }, 'a cup');
    if (isObstacle(cost)) throw new Error('it was refused');
    await cost.end('image', fence === 1 ? { input_tokens: 1, output_tokens: 2 } : null);
  }
  const day = await settledDay(stack);
  expect(day.total).toBe(0);
  const rows = await costsOf(stack, id);
  expect(rows.map(({ state, amount, tokens }) => [state, amount, tokens?.imageOutput])).toEqual([
    ['unknown', undefined, 2],
    ['unknown', undefined, undefined],
  ]);
  const costs = async () => (await operator.request<OperatorCosts>(`${operatorPaths.costs}?days=1`)).body;
  await expect
    .poll(async () => (await costs()).lines, eventually)
    .toMatchObject([{ model: 'gpt-image-9', calls: 2, images: 2, amount: 0, estimated: 0, unknown: 2 }]);
  const metric = await registry.getSingleMetricAsString('packshot_provider_unpriced_calls_total');
  expect(metric).toContain('model="gpt-image-9"');
  await seller.cancel(id);

  const lines: unknown[] = [];
  const log = { warn: (...line: unknown[]) => void lines.push(line) } as unknown as Log;
  warnOfUnknownPrice(stack.config, log);
  expect(lines).toEqual([]);
  warnOfUnknownPrice({ image }, log);
  expect(lines).toEqual([[{ model: 'gpt-image-9' }, expect.stringContaining('Set IMAGE_PRICES')]]);
});

test('operators read costs by day, kind, seller and image', async ({ stack, seller, window }) => {
  const worker = await stack.startWorker();
  onTestFinished(() => worker.close());
  const operator = await operatorOf(stack);
  await stack.images.set({ behaviours: [{ kind: 'cut' }, { kind: 'ok' }, { kind: 'hold' }] });
  const { id } = await seller.submit();
  await window.untilEnded(id);
  await expect.poll(async () => (await costsOf(stack, id)).length, eventually).toBe(2);
  const rows = await costsOf(stack, id);
  await seller.submit();
  await stack.images.waitFor({ waiting: 1 });
  const read = async () => (await operator.request<OperatorCosts>(operatorPaths.costs)).body;
  await expect.poll(async () => (await read()).lines[0]?.calls, eventually).toBe(2);
  const { today: now, lines, sellers, ...others } = await read();
  const cost = rows.reduce((sum, { amount }) => sum + amount!, 0);
  expect(others).toMatchObject({
    billed: true,
    model: 'gpt-image-2.5-flare',
    price: { from: '2026-09-08', textInput: 5_000_000, imageInput: 8_000_000, imageOutput: 30_000_000 },
  });
  expect(now).toMatchObject({ callsUnderWay: 1, total: cost + now.underWay, cap: null, stoppedUntil: null });
  expect(lines).toMatchObject([
    { calls: 2, images: 1, amount: cost, estimated: rows[0]!.amount, unknown: 0 },
  ]);
  expect(sellers).toEqual([{ id: seller.id, email: seller.email, calls: 2, amount: cost }]);

  const { life } = (await operator.request<OperatorGenerationView>(operatorPaths.generation(id))).body;
  const titles = life.map(({ title }) => title);
  expect(titles.filter((title) => title.startsWith('The call cost'))).toEqual([
    expect.stringMatching(/^The call cost at most \$0\.\d{4}$/),
    expect.stringMatching(/^The call cost \$0\.\d{4}$/),
  ]);
  expectError(await operator.request(`${operatorPaths.costs}?days=2`), 'VALIDATION', { field: 'days' });
  expectError(await seller.request(operatorPaths.costs), 'OPERATORS_ONLY');
  await stack.images.release();
  await settledDay(stack);
});

test('costs outlive an account without naming the seller, and end with their time', async ({ stack }) => {
  const seller = await stack.seller();
  const window = await seller.openWindow();
  const worker = await stack.startWorker();
  onTestFinished(() => worker.close());
  const { id } = await seller.submit();
  await window.untilEnded(id);
  window.close();
  await settledDay(stack);
  // Of a worker that died.
  const lost = { ...callOf(new Date(), 500), seller: seller.id };
  await reserveCost(stack.db, callCostId(lost.generation, 1), lost, null);
  await beginDeletion(stack.db, seller.id);
  await finishDeletion(stack.server.context, seller.id, new Date(Date.now() + 1));
  const [cost] = await costsOf(stack, id);
  expect(cost).toMatchObject({ state: 'exact', result: 'image' });
  await endLostCosts(stack.db, new Date(Date.now() + 1));
  expect(await costsOf(stack, lost.generation)).toMatchObject([{ result: 'lost', amount: 500 }]);
  expect(JSON.stringify(await stack.models.providerCosts.find().lean())).not.toContain(seller.id);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);

  const context = workerContext(stack);
  const old = callOf(new Date(Date.now() - 401 * 86_400_000), 100);
  await reserveCost(stack.db, callCostId(old.generation, 1), old, null);
  await endCost(stack.db, callCostId(old.generation, 1), old, {
    state: 'exact',
    amount: 100,
    tokens: null,
    result: 'image',
  });
  expect(await removeExpired(context)).toMatchObject({ costs: 2 });
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
  expect(await stack.models.providerCosts.countDocuments()).toBe(3);
});

test('a generation takes two statements more', async ({ stack, seller, window }) => {
  const commands: string[] = [];
  const connect = mongoose.createConnection.bind(mongoose);
  mongoose.createConnection = ((url: string, options: mongoose.ConnectOptions) => {
    const connection = connect(url, { ...options, monitorCommands: true });
    void connection.asPromise().then(() =>
      connection.getClient().on('commandStarted', ({ commandName, command }) => {
        if (command[commandName] === 'provider_costs') commands.push(commandName);
      }),
    );
    return connection;
  }) as typeof mongoose.createConnection;
  const worker = await stack.startWorker().finally(() => {
    mongoose.createConnection = connect;
  });
  onTestFinished(() => worker.close());
  await window.untilEnded((await seller.submit()).id);
  await settledDay(stack);
  commands.length = 0;
  await window.untilEnded((await seller.submit()).id);
  await settledDay(stack);
  expect(commands).toEqual(['update', 'update']);
});

test('images of a provider that bills nothing have no costs', async ({ stack, seller, window }) => {
  const worker = await stack.startWorker({ IMAGE_PROVIDER: 'local', PROVIDER_DAILY_CAP: '0.000001' });
  onTestFinished(() => worker.close());
  const { id } = await seller.submit();
  expect(await window.untilEnded(id)).toMatchObject({ state: 'succeeded' });
  expect(await stack.models.providerCosts.countDocuments()).toBe(0);
});
