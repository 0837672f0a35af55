import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RunningWorker } from '../../../worker/worker.ts';
import { eventually } from '../../support/crew.ts';
import type { Seller, SellerWindow } from '../../support/seller.ts';
import { startTestStack, type TestStack } from '../../support/stack.ts';

let stack: TestStack;
let seller: Seller;
let window: SellerWindow;

beforeAll(async () => {
  stack = await startTestStack({ workers: 0 });
});
beforeEach(async () => {
  await stack.images.reset();
  seller = await stack.seller();
  window = await seller.openWindow();
});
afterEach(() => window.close());
afterAll(() => stack.close());

const cancel = (id: string) => seller.request(`/api/generations/${id}/cancel`, { method: 'POST' });

test('a queued one: it is never made', async () => {
  const { id } = await seller.submit();
  expect(await cancel(id)).toMatchObject({ status: 200, body: { state: 'cancelled', position: null } });
  const again = await cancel(id);
  expect(again).toMatchObject({ status: 409, body: { error: { code: 'GENERATION_ENDED' } } });
  const worker = await stack.startWorker();
  const next = await seller.submit();
  await window.untilEnded(next.id);
  await worker.close();
  expect((await stack.images.state()).calls).toHaveLength(1);
  expect((await seller.me()).subscription).toMatchObject({ generationsLeft: 99, generationsHeld: 0 });
  expect(await stack.audit()).toEqual([]);
});

describe('while a worker has it', () => {
  let worker: RunningWorker;
  beforeAll(async () => {
    worker = await stack.startWorker();
  });
  afterAll(() => worker.close());

  test('the call is stopped at once', async () => {
    await stack.images.set({ behaviours: [{ kind: 'hold' }] });
    const { id } = await seller.submit();
    await stack.images.waitFor({ waiting: 1 });
    const began = performance.now();
    expect((await cancel(id)).status).toBe(200);
    const { calls } = await stack.images.waitFor({ active: 0 });
    expect(calls[0]!.outcome).toBe('client-left');
    // Told by the relay: a renewal of the lease would have noticed it too, only later.
    expect(performance.now() - began).toBeLessThan(2_000);
    expect((await window.untilEnded(id)).state).toBe('cancelled');
    expect((await seller.me()).subscription).toMatchObject({ generationsLeft: 100, generationsHeld: 0 });
    expect(await stack.audit()).toEqual([]);
  });

  test('an ended one is refused', async () => {
    const { id } = await seller.submit();
    await window.untilEnded(id);
    expect(await cancel(id)).toMatchObject({
      status: 409,
      body: { error: { code: 'GENERATION_ENDED' } },
    });
    expect((await seller.generation(id)).state).toBe('succeeded');
  });

  test("another seller's is not found", async () => {
    const { id } = await (await stack.seller()).submit();
    expect(await cancel(id)).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
  });

  test('cancel and success in a race: one of them, and the money follows it', async () => {
    const moments = ['queued', 'running', 'sending', 'drawing', 'previewed'] as const;
    const states = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const moment = moments[index % moments.length]!;
        const { id } = await seller.submit();
        // Whichever comes first: the moment may be over before it was heard of.
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
        const answers = await Promise.all([cancel(id), cancel(id)]);
        const view = await window.untilEnded(id);
        const cancels = answers.filter((answer) => answer.status === 200).length;
        expect(answers.every((answer) => [200, 409].includes(answer.status))).toBe(true);
        expect(cancels).toBe(view.state === 'cancelled' ? 1 : 0);
        return view.state;
      }),
    );
    const succeeded = states.filter((state) => state === 'succeeded').length;
    expect(new Set(states)).toEqual(new Set(['cancelled', ...(succeeded > 0 ? ['succeeded'] : [])]));
    await expect
      .poll(async () => (await seller.me()).subscription, eventually)
      .toMatchObject({ generationsLeft: 100 - succeeded, generationsHeld: 0 });
    await expect.poll(() => stack.audit(), eventually).toEqual([]);
  });
});
