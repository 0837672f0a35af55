import { afterAll, describe, expect } from 'vitest';
import { paths } from '#contract';
import { call } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { eventually } from '#tests/support/harness.ts';
import { limitMs } from '#tests/support/machine.ts';
import { testWithSeller } from '#tests/support/test.ts';
import type { RunningWorker } from '#worker/worker.ts';

const test = testWithSeller({ workers: 0 });
test.beforeEach(async ({ stack }) => {
  await stack.images.reset();
});

test('a queued generation is cancelled, and its image is never made', async ({ stack, seller, window }) => {
  const { id } = await seller.submit();
  const cancelled = { state: 'cancelled', position: null };
  expect(await seller.cancel(id)).toMatchObject({ status: 200, body: cancelled });
  expectError(await seller.cancel(id), 'GENERATION_ENDED');
  const worker = await stack.startWorker();
  const next = await seller.submit();
  await window.untilEnded(next.id);
  await worker.close();
  expect((await stack.images.state()).calls).toHaveLength(1);
  expect((await seller.me()).subscription).toMatchObject({ generationsLeft: 99, generationsHeld: 0 });
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

describe('with a worker', () => {
  let worker: RunningWorker;
  test.beforeAll(async ({ stack }) => {
    // Leases are renewed so rarely that only the relay can tell the worker of a cancel.
    worker = await stack.startWorker({ WORKER_LOCK_MS: String(limitMs(600_000)) });
  });
  afterAll(() => worker.close());

  test('a cancel aborts the provider call at once', async ({ stack, seller, window }) => {
    await stack.images.set({ behaviours: [{ kind: 'hold' }] });
    const { id } = await seller.submit();
    await stack.images.waitFor({ waiting: 1 });
    expect((await seller.cancel(id)).status).toBe(200);
    const { calls } = await stack.images.waitFor({ active: 0 });
    expect(calls[0]!.outcome).toBe('client-left');
    expect((await window.untilEnded(id)).state).toBe('cancelled');
    expect((await seller.me()).subscription).toMatchObject({ generationsLeft: 100, generationsHeld: 0 });
    await expect.poll(() => stack.audit(), eventually).toEqual([]);
  });

  test('a generation that has ended cannot be cancelled', async ({ seller, window }) => {
    const { id } = await seller.submit();
    await window.untilEnded(id);
    expectError(await seller.cancel(id), 'GENERATION_ENDED');
    expect((await seller.generation(id)).state).toBe('succeeded');
  });

  test("another seller's generation is not found", async ({ stack, seller }) => {
    const { id } = await (await stack.seller()).submit();
    expectError(await seller.cancel(id), 'NOT_FOUND');
  });

  test('concurrent preview, success and cancel: one outcome, and the balance matches it', async ({
    stack,
    seller,
    window,
  }) => {
    const moments = ['queued', 'running', 'sending', 'drawing', 'previewed'] as const;
    const ends = await Promise.all(
      Array.from({ length: 15 }, async (_, index) => {
        const moment = moments[index % moments.length]!;
        // Two cancels: neither agrees to use the image, both do, or only the first.
        const agreed = [
          [false, false],
          [true, true],
          [true, false],
        ][index % 3]!;
        const { id } = await seller.submit();
        // The moment may be over before its event arrives, so the end is awaited as well.
        if (moment !== 'queued') {
          await window.until(
            id,
            (view) =>
              view.progress?.stage === moment ||
              view.state === moment ||
              (moment === 'previewed' && view.previewUrl !== null) ||
              view.endedAt !== null,
          );
        }
        const answers = await Promise.all(agreed.map((useImage) => seller.cancel(id, useImage)));
        const view = await window.untilEnded(id);
        const cancels = answers.filter((answer) => answer.status === 200);
        expect(cancels).toHaveLength(view.state === 'cancelled' ? 1 : 0);
        for (const [place, { status, body }] of answers.entries()) {
          if (status === 200) {
            // A cancel without agreement is free, and its reply is the final state.
            if (!agreed[place]) expect(body).toMatchObject({ imageUsed: false });
            expect(body).toEqual(view);
            continue;
          }
          expect(status).toBe(409);
          expect(agreed[place] ? ['GENERATION_ENDED'] : ['GENERATION_ENDED', 'PREVIEW_SHOWN']).toContain(
            body.error.code,
          );
        }
        return view.state === 'cancelled' && view.imageUsed ? 'used' : view.state;
      }),
    );
    const counted = ends.filter((end) => end !== 'cancelled').length;
    for (const end of ends) expect(['cancelled', 'used', 'succeeded']).toContain(end);
    await expect
      .poll(async () => (await seller.me()).subscription, eventually)
      .toMatchObject({ generationsLeft: 100 - counted, generationsHeld: 0 });
    await expect.poll(() => stack.audit(), eventually).toEqual([]);
  });

  test('the body of a cancel is validated', async ({ seller, window }) => {
    const { id } = await seller.submit();
    const wrong = await call(seller, 'POST', paths.cancelGeneration(id), { useImage: 'yes' });
    expectError(wrong, 'VALIDATION', { field: 'useImage' });
    await window.untilEnded(id);
  });
});
