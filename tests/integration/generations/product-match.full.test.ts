/** What ends a comparison, and which match is recorded. */
import { expect } from 'vitest';
import { paths } from '#contract';
import { newId } from '#shared/data/db.ts';
import { setProductMatch } from '#shared/data/generations/end.ts';
import { expectError } from '#tests/support/errors.ts';
import { eventually } from '#tests/support/harness.ts';
import { stateOf } from '#tests/support/memory.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { createComparisons } from '#worker/product-match/comparisons.ts';
import {
  isCompared,
  isShown,
  makeUncompared,
  matchProcess,
  testProductMatch,
} from './product-match-steps.ts';

const test = testProductMatch();

/** The keys of those rows that have a match, sorted. */
async function namesWithMatch({ models }: TestStack, rows: readonly { _id: string }[]): Promise<string[]> {
  const found = await models.generations
    .find({ _id: { $in: rows.map(({ _id }) => _id) }, match: { $exists: true } })
    .lean();
  return found.map(({ idempotency_key: name }) => name).sort();
}

test('an image that was deleted for ever before its comparison has no match; one in the trash has', async ({
  stack,
  seller,
  window,
  photos,
  worker,
}) => {
  const { pid, first: deleted, second: trashed } = await makeUncompared({ seller, window, photos, worker });
  for (const { id } of [deleted, trashed]) {
    expect((await seller.request(paths.generation(id), { method: 'DELETE' })).status).toBe(200);
  }
  expect((await seller.request(paths.trashed(deleted.id), { method: 'DELETE' })).status).toBe(204);
  process.kill(pid, 'SIGCONT');
  // They are compared one after the other.
  const { generations } = stack.models;
  await expect
    .poll(async () => (await generations.findById(trashed.id).lean())?.match, eventually)
    .toBeDefined();
  expect(await generations.findById(deleted.id).lean()).not.toHaveProperty('match');
  expectError(await seller.request(paths.generation(trashed.id)), 'NOT_FOUND');
  await seller.request(paths.restoreGeneration(trashed.id), { method: 'POST' });
  expect((await seller.generation(trashed.id)).match).not.toBeNull();
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
  const high = { level: 'high', area: null, crops: null } as const;
  const { generations } = stack.models;
  const before = await generations.findById(id).lean();
  const refusedAfter = async (change: object) => {
    await generations.updateOne({ _id: id }, change);
    return setProductMatch(stack.db, id, high);
  };
  expect(await setProductMatch(stack.db, id, high)).toBeNull();
  expect(
    await refusedAfter({ $unset: { match: 1 }, $set: { deletion: { stage: 'final', at: new Date() } } }),
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
      return { level: 'high', area: null, crops: null } as const;
    },
    atOnce: 1,
    ready: async () => {},
    cutOut: async () => new Uint8Array(),
    pids: () => [],
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
