/** Workers with a process that compares images with their photos. */
import { expect } from 'vitest';
import type { GenerationView } from '#contract';
import { readSample } from '#scripts/match-report/samples.ts';
import { limitMs } from '#tests/support/machine.ts';
import { childrenOf } from '#tests/support/memory.ts';
import type { ProgramProcess } from '#tests/support/program.ts';
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
