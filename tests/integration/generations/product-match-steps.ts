/** Workers with a process that compares images with their photos. */
import { expect } from 'vitest';
import type { GenerationView } from '#contract';
import { readSample } from '#tests/campaigns/match-report/samples.ts';
import { limitMs } from '#tests/support/machine.ts';
import { childrenOf } from '#tests/support/memory.ts';
import type { ProgramProcess } from '#tests/support/program.ts';
import type { Seller, SellerWindow } from '#tests/support/seller.ts';
import { testWithSeller } from '#tests/support/test.ts';

const settings = { PRODUCT_MATCH: 'true', WORKER_CONCURRENCY: '1', WORKER_GRACE_MS: String(limitMs(5_000)) };

/** `test` with a worker of one slot, which compares images, and photos of a product. */
export function testProductMatch() {
  return testWithSeller({ workers: 0, settings })
    .extend('photos', { scope: 'file' }, async () => [(await readSample('tea-tin-1')).png])
    .extend('worker', { scope: 'file' }, ({ stack }) => stack.startWorkerProcess());
}

export const isCompared = ({ match }: GenerationView) => match !== null;

export const isShown = ({ state }: GenerationView) => state === 'succeeded';

/** The id of the process that compares images, other than a given one. */
export async function matchProcess(worker: ProgramProcess, otherThan?: number): Promise<number> {
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
export async function makeUncompared({ seller, window, photos, worker }: Fixtures) {
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
