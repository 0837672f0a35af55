/** That a generation is settled is recorded with others, and when that fails it is settled again. */
import { expect } from 'vitest';
import { modelsOf } from '#shared/data/collections.ts';
import { atOnce, workerContext } from '#tests/support/credits.ts';
import { eventually } from '#tests/support/harness.ts';
import { testWithSeller } from '#tests/support/test.ts';
import { runUpkeep } from '#worker/upkeep/upkeep.ts';

const test = testWithSeller({ workers: 0 });

test('a settlement that could not be recorded is logged, and upkeep settles it again without charging twice', async ({
  stack,
  seller,
  window,
}) => {
  const worker = await stack.startWorker();
  const { collection } = modelsOf(worker.context.db).generations;
  const away = new Error('MongoDB is away');
  collection.bulkWrite = async () => {
    throw away;
  };
  const logged: unknown[] = [];
  worker.context.log.warn = ((details: unknown) => logged.push(details)) as typeof worker.context.log.warn;
  const { id } = await seller.submit();
  expect(await window.untilEnded(id)).toMatchObject({ state: 'succeeded' });
  await worker.close();
  expect(logged).toContainEqual({ err: away, generation: id });
  const row = () => stack.models.generations.findById(id).lean();
  expect(await row()).toMatchObject({ settlement_due: true });
  await runUpkeep(workerContext(stack), atOnce);
  await expect.poll(row, eventually).not.toHaveProperty('settlement_due');
  expect(await stack.models.creditEntries.countDocuments({ key: id })).toBe(1);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});
