/** How MongoDB finds what lists, places in line and claims ask for: the same plans, and as much read, at every size. */
import { randomUUID } from 'node:crypto';
import { limits } from '#contract';
import { connectDb } from '#shared/data/connect.ts';
import { claimGeneration } from '#shared/data/generations/attempts.ts';
import { listGenerations } from '#shared/data/generations/find.ts';
import { queuePosition } from '#shared/data/generations/queue-position.ts';
import { generationView } from '#shared/views/generation.ts';
import { plansOf } from '#tests/campaigns/support/rows.ts';
import { type Installation, leaseMs } from './installation.ts';

/** Prints each statement's index or stage with the keys and documents that it examines; equal ones once, with their number. */
export async function printPlans({ stack, filled, worker }: Installation): Promise<void> {
  const address = new URL(stack.config.mongodbUrl);
  address.searchParams.set('monitorCommands', 'true');
  const db = await connectDb(address.href);
  const print = async (what: string, work: () => Promise<unknown>) => {
    const counts = Map.groupBy(await plansOf(db, work), (plan) => plan);
    const plans = [...counts].map(([plan, { length }]) => (length > 1 ? `${length} × ${plan}` : plan));
    console.log(`        ${what.padEnd(27)}${plans.join(', ')}`);
  };
  try {
    await print('place, nothing cached', () => queuePosition(db, filled.last));
    for (const who of ['usual', 'large'] as const) {
      await print(`list of the ${who} seller`, async () => {
        const rows = await listGenerations(db, filled[who].id, { limit: limits.pageSize + 1 });
        await Promise.all(rows.slice(0, limits.pageSize).map((row) => generationView(db, row)));
      });
    }
    const token = randomUUID();
    const job = (await worker.getNextJob(token, { block: false }))!;
    await print('claim', () =>
      claimGeneration(db, job.data.generationId, leaseMs, stack.config.image.previews),
    );
    await job.moveToCompleted('', token, false);
  } finally {
    await db.close();
  }
}
