import { expect } from 'vitest';
import type { Harness } from '#tests/support/harness.ts';

/** Expects that a worker has handed a seller's second generation back, and that another worker makes it with one more call. */
export async function expectHandedBack(harness: Harness, id: string): Promise<void> {
  expect(await harness.row(id)).toMatchObject({
    state: 'running',
    progress: { stage: 'waiting' },
    calls: { under_way: false, lost: 0 },
  });
  await harness.startWorker();
  expect((await harness.untilEnded(id)).state).toBe('succeeded');
  expect((await harness.row(id)).calls).toMatchObject({ started: 2, lost: 0 });
  await harness.expectLeft(98);
}
