import { expect, test } from 'vitest';
import type { ErrorCode } from '#contract';
import { AppError } from '#shared/platform/errors.ts';
import { limitMs } from '#tests/support/machine.ts';
import { createSlots, type Slot, uploadSlots } from './slots.ts';

const bounds = { ...uploadSlots, perOwner: 2, total: 3, waitingPerOwner: 2, waitingTotal: 3 };
const connected = new AbortController().signal;

/** The outcome of a request for a slot; empty while it waits. */
function watch(taking: Promise<Slot>) {
  const seen: { slot?: Slot; code?: ErrorCode } = {};
  taking.then(
    (slot) => {
      seen.slot = slot;
    },
    (error) => {
      seen.code = (error as AppError).code;
    },
  );
  return seen;
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a seller has two slots; further uploads wait in order, and those of other sellers do not wait for them', async () => {
  const slots = createSlots(bounds, 'TOO_MANY_UPLOADS');
  const [first, second] = [await slots.take('ada', connected), await slots.take('ada', connected)];
  expect([first.waited, second.waited]).toEqual([false, false]);
  expect([slots.areOwnTaken('ada'), slots.areOwnTaken('bob')]).toEqual([true, false]);
  const [third, fourth] = [watch(slots.take('ada', connected)), watch(slots.take('ada', connected))];
  const other = await slots.take('bob', connected);
  expect(other.waited).toBe(false);
  await settled();
  expect([third, fourth]).toEqual([{}, {}]);
  first.release();
  first.release();
  await settled();
  expect(third.slot?.waited).toBe(true);
  expect(fourth).toEqual({});
  third.slot?.release();
  await settled();
  expect(fourth.slot?.waited).toBe(true);
});

test('when all slots of the server are taken, the next free one goes to the first upload whose seller may have it', async () => {
  const slots = createSlots(bounds, 'TOO_MANY_UPLOADS');
  const [ada] = [await slots.take('ada', connected), await slots.take('ada', connected)];
  const bob = await slots.take('bob', connected);
  const [adaWaits, cyWaits] = [watch(slots.take('ada', connected)), watch(slots.take('cy', connected))];
  bob.release();
  await settled();
  expect(adaWaits).toEqual({});
  expect(cyWaits.slot).toBeDefined();
  ada.release();
  await settled();
  expect(adaWaits.slot).toBeDefined();
});

test('an upload stops waiting when too many wait, after a time, and when its client disconnects', async () => {
  const slots = createSlots({ ...bounds, waitMs: limitMs(20) }, 'TOO_MANY_UPLOADS');
  const code = (taking: Promise<Slot>) =>
    taking.then(
      () => undefined,
      (error: AppError) => [error.code, error.retryAfterSeconds],
    );
  const taken = [await slots.take('ada', connected), await slots.take('ada', connected)];
  const disconnecting = new AbortController();
  const [gone, late] = [code(slots.take('ada', disconnecting.signal)), code(slots.take('ada', connected))];
  expect(await code(slots.take('ada', connected))).toEqual(['TOO_MANY_UPLOADS', 10]);
  disconnecting.abort();
  expect(await gone).toEqual(['UPLOAD_ABORTED', undefined]);
  expect(await late).toEqual(['TOO_MANY_UPLOADS', 10]);
  expect(await code(slots.take('ada', disconnecting.signal))).toEqual(['UPLOAD_ABORTED', undefined]);
  taken.push(await slots.take('bob', connected));
  expect(await code(slots.take('cy', connected))).toEqual(['UNAVAILABLE', 10]);
  for (const slot of taken) slot.release();
  expect(await slots.take('ada', connected)).toMatchObject({ waited: false });
  expect(await code(slots.take('cy', connected))).toBeUndefined();
});

test('a refusal is an AppError', async () => {
  const slots = createSlots({ ...bounds, total: 0, waitingTotal: 0 }, 'TOO_MANY_UPLOADS');
  await expect(slots.take('ada', connected)).rejects.toBeInstanceOf(AppError);
});
