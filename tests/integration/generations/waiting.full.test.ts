/** Random sequences of changes to generations that wait. */
import { randomInt } from 'node:crypto';
import { expect } from 'vitest';
import { newId } from '#shared/data/db.ts';
import { claimGeneration } from '#shared/data/generations/attempts.ts';
import { atOnce, workerContext } from '#tests/support/credits.ts';
import { eventually } from '#tests/support/harness.ts';
import { runUpkeep } from '#worker/upkeep.ts';
import { change, move, testWaiting } from './waiting-steps.ts';

const seed = randomInt(2 ** 31);
console.log(`waiting.full.test.ts: seed ${seed}`);

const test = testWaiting();

test('any interleaving of moves, changes, claims and cancels leaves exact balances', async ({
  stack,
  seller,
}) => {
  let state = seed;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const ids = (await Promise.all(Array.from({ length: 6 }, () => seller.submit()))).map(({ id }) => id);
  const pick = () => ids[random(ids.length)]!;
  for (let round = 0; round < 8; round += 1) {
    await Promise.all(
      Array.from({ length: 4 }, async (): Promise<unknown> => {
        const id = pick();
        switch (random(5)) {
          case 0:
            return claimGeneration(stack.db, id, 60_000);
          case 1:
            return seller.cancel(id);
          case 2:
            return change(seller, id, { prompt: newId() });
          default:
            return move(seller, id, random(2) === 0 ? null : pick());
        }
      }),
    );
  }
  await runUpkeep(workerContext(stack), { ...atOnce, requestMs: 1e9 });
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});
