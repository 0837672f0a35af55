/** Images are shown before they are compared with their photos; a comparison that is given up costs its match alone. */
import { expect } from 'vitest';
import { type GenerationView, paths } from '#contract';
import { readSample } from '#scripts/match-report/samples.ts';
import { newId } from '#shared/data/db.ts';
import { setProductMatch } from '#shared/data/generations/product-match.ts';
import { limitMs } from '#tests/support/machine.ts';
import { childrenOf, stateOf } from '#tests/support/memory.ts';
import type { ProgramProcess } from '#tests/support/program.ts';
import type { Seller, SellerWindow } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';
import { createComparisons } from '#worker/product-match/comparisons.ts';

const settings = { PRODUCT_MATCH: 'true', WORKER_CONCURRENCY: '1', WORKER_GRACE_MS: String(limitMs(5_000)) };
const test = testWithSeller({ workers: 0, settings })
  .extend('photos', { scope: 'file' }, async () => [(await readSample('tea-tin-1')).png])
  .extend('worker', { scope: 'file' }, ({ stack }) => stack.startWorkerProcess());

const isCompared = ({ match }: GenerationView) => match !== null;
const isShown = ({ state }: GenerationView) => state === 'succeeded';

/** The id of the process that compares images, other than a given one. */
async function matchProcess(worker: ProgramProcess, otherThan?: number): Promise<number> {
  const others = () => childrenOf(worker.pid).filter((pid) => pid !== otherThan);
  await expect.poll(others, { interval: 5 }).toHaveLength(1);
  return others()[0]!;
}

/** The fixtures that {@link makeUncompared} uses. */
interface Fixtures {
  seller: Seller;
  window: SellerWindow;
  photos: Buffer[];
  worker: ProgramProcess;
}

/** Makes two images, which are shown while the process that compares them stands still. @returns the process's id, and the images */
async function makeUncompared({ seller, window, photos, worker }: Fixtures) {
  const make = async () => {
    const shown = await window.until((await seller.submit({ photos })).id, isShown);
    expect(shown).toMatchObject({ match: null, remake: null, imageUsed: true });
    return shown;
  };
  await window.until((await make()).id, isCompared);
  const pid = await matchProcess(worker);
  process.kill(pid, 'SIGSTOP');
  // The worker has one slot.
  return { pid, first: await make(), second: await make() };
}

test('an image is shown, and its slot is free, while its comparison has not answered; its match follows', async ({
  stack,
  seller,
  window,
  photos,
  worker,
}) => {
  const { pid, first, second } = await makeUncompared({ seller, window, photos, worker });
  const favourite = await seller.request<GenerationView>(paths.generation(first.id), {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ favourite: true }),
  });
  expect(favourite.body).toMatchObject({ favourite: true, match: null });

  process.kill(pid, 'SIGCONT');
  const compared = await window.until(first.id, isCompared);
  // The stand-in's picture shows something else.
  expect(compared).toMatchObject({ match: { level: 'low' }, remake: 'offered', favourite: true });
  expect(compared.revision).toBe(favourite.body.revision + 1);
  await window.until(second.id, isCompared);
  expect(await seller.generation(first.id)).toEqual(compared);
  await expect.poll(() => stack.audit()).toEqual([]);
});

test('a process that ends in a comparison costs that match: the worker lives, and the next image gets its own', async ({
  seller,
  window,
  photos,
  worker,
}) => {
  const { pid: idle, first, second } = await makeUncompared({ seller, window, photos, worker });
  // The next process begins with the first image. It dies before it can have loaded its model.
  process.kill(idle, 'SIGKILL');
  process.kill(await matchProcess(worker, idle), 'SIGABRT');
  await window.until(second.id, isCompared);
  expect(await seller.generation(first.id)).toMatchObject({ state: 'succeeded', match: null });
  expect((await seller.request(paths.generationImage(first.id, 'image'))).status).toBe(200);
  expect(await stateOf(worker.pid)).toMatch(/^[RSD]$/);
});

test('an image that was deleted before its comparison has no match', async ({
  stack,
  seller,
  window,
  photos,
  worker,
}) => {
  const { pid, first: deleted, second: kept } = await makeUncompared({ seller, window, photos, worker });
  expect((await seller.request(paths.generation(deleted.id), { method: 'DELETE' })).status).toBe(200);
  const before = await stack.models.generations.findById(deleted.id).lean();
  process.kill(pid, 'SIGCONT');
  // They are compared one after the other.
  await window.until(kept.id, isCompared);
  expect(await stack.models.generations.findById(deleted.id).lean()).toEqual(before);
});

test('a match is recorded once, and only for an image that is there', async ({
  stack,
  seller,
  window,
  photos,
  worker,
}) => {
  const { id } = await seller.submit({ photos });
  await window.until(id, isCompared);
  expect(worker.pid).toBeGreaterThan(0);
  const high = { level: 'high', area: null } as const;
  const { generations } = stack.models;
  const before = await generations.findById(id).lean();
  const refusedAfter = async (change: object) => {
    await generations.updateOne({ _id: id }, change);
    return setProductMatch(stack.db, id, high);
  };
  expect(await setProductMatch(stack.db, id, high)).toBeNull();
  expect(
    await refusedAfter({ $unset: { match: 1 }, $set: { deletion: { stage: 'undoable', at: new Date() } } }),
  ).toBeNull();
  expect(await refusedAfter({ $unset: { deletion: 1 }, $set: { state: 'cancelled' } })).toBeNull();
  expect(await setProductMatch(stack.db, newId(), high)).toBeNull();
  const recorded = await refusedAfter({ $set: { state: 'succeeded' } });
  expect(recorded).toMatchObject({ match: high, revision: before!.revision + 1 });
});

test('when too many images wait, the oldest one is not compared; one that fails holds up no other', async ({
  stack,
  seller,
  window,
  photos,
  worker,
}) => {
  const { id } = await seller.submit({ photos });
  await window.until(id, isCompared);
  expect(worker.pid).toBeGreaterThan(0);
  const { match: _, ...made } = (await stack.models.generations.findById(id).lean())!;
  const rows = ['runs', 'oldest', 'fails', 'newest', 'closed'].map((name) => ({
    ...made,
    _id: `${id} ${name}`,
    idempotency_key: name,
  }));
  await stack.models.generations.insertMany(rows);
  const held = Promise.withResolvers<void>();
  const asked: string[] = [];
  const matcher = {
    async match() {
      const name = rows[[0, 2, 3, 4][asked.length]!]!.idempotency_key;
      asked.push(name);
      if (name === 'runs') await held.promise;
      if (name === 'fails') throw new Error('as asked');
      return { level: 'high', area: null } as const;
    },
    prepare: async () => {},
    pid: () => undefined,
    close: async () => {},
  };
  const comparisons = createComparisons(stack.server.context, matcher, 2);
  for (const row of rows.slice(0, 4)) comparisons.add(row);
  held.resolve();
  await expect.poll(() => namesWithMatch(stack, rows)).toEqual(['newest', 'runs']);
  expect(asked).toEqual(['runs', 'fails', 'newest']);
  await comparisons.close();
  comparisons.add(rows[4]!);
  expect(asked).toHaveLength(3);
  await stack.models.generations.deleteMany({ _id: { $in: rows.map(({ _id }) => _id) } });
});

/** The keys of those rows that have a match, sorted. */
async function namesWithMatch({ models }: TestStack, rows: readonly { _id: string }[]): Promise<string[]> {
  const found = await models.generations
    .find({ _id: { $in: rows.map(({ _id }) => _id) }, match: { $exists: true } })
    .lean();
  return found.map(({ idempotency_key: name }) => name).sort();
}

test('the process ends with its worker: one that closes drops what is not compared, one that is killed drops all', async ({
  stack,
  seller,
  window,
  photos,
  worker,
}) => {
  await window.until((await seller.submit({ photos })).id, isCompared);
  const stopped = await matchProcess(worker);
  process.kill(stopped, 'SIGSTOP');
  const { id } = await seller.submit({ photos });
  await window.until(id, isShown);
  expect(await worker.terminate()).toBe(0);
  expect(await stateOf(stopped)).toBe('gone');
  expect(await seller.generation(id)).toMatchObject({ state: 'succeeded', match: null });

  const another = await stack.startWorkerProcess();
  await seller.submit({ photos });
  const comparing = await matchProcess(another);
  await another.kill();
  await expect.poll(() => stateOf(comparing)).toMatch(/^(gone|Z)$/);
});
