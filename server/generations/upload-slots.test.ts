import { expect, test } from 'vitest';
import type { ErrorCode } from '#contract';
import { AppError } from '#shared/platform/errors.ts';
import { createUploadSlots, type UploadSlot } from './upload-slots.ts';

const bounds = { ofSeller: 2, ofAll: 3, inLineOfSeller: 2, inLine: 3, waitMs: 10_000 };
const staying = new AbortController().signal;

/** What became of a request for a place, once it can be said. */
function watch(taking: Promise<UploadSlot>) {
  const seen: { slot?: UploadSlot; code?: ErrorCode } = {};
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

test('a seller has two places, more wait in order, and those of others do not wait for them', async () => {
  const slots = createUploadSlots(bounds);
  const [first, second] = [await slots.take('ada', staying), await slots.take('ada', staying)];
  expect([first.waited, second.waited]).toEqual([false, false]);
  const [third, fourth] = [watch(slots.take('ada', staying)), watch(slots.take('ada', staying))];
  const other = await slots.take('bob', staying);
  expect(other.waited).toBe(false);
  await settled();
  expect([third, fourth]).toEqual([{}, {}]);
  first.leave();
  first.leave();
  await settled();
  expect(third.slot?.waited).toBe(true);
  expect(fourth).toEqual({});
  third.slot?.leave();
  await settled();
  expect(fourth.slot?.waited).toBe(true);
});

test('where the places of all are taken, the next goes to whoever may have one', async () => {
  const slots = createUploadSlots(bounds);
  const [ada] = [await slots.take('ada', staying), await slots.take('ada', staying)];
  const bob = await slots.take('bob', staying);
  const [adaWaits, cyWaits] = [watch(slots.take('ada', staying)), watch(slots.take('cy', staying))];
  bob.leave();
  await settled();
  expect(adaWaits).toEqual({});
  expect(cyWaits.slot).toBeDefined();
  ada.leave();
  await settled();
  expect(adaWaits.slot).toBeDefined();
});

test('a full line, a long wait and a client that goes are refused, and leave the line', async () => {
  const slots = createUploadSlots({ ...bounds, waitMs: 20 });
  const code = (taking: Promise<UploadSlot>) =>
    taking.then(
      () => undefined,
      (error: AppError) => [error.code, error.retryAfterSeconds],
    );
  const places = [await slots.take('ada', staying), await slots.take('ada', staying)];
  const going = new AbortController();
  const [gone, late] = [code(slots.take('ada', going.signal)), code(slots.take('ada', staying))];
  expect(await code(slots.take('ada', staying))).toEqual(['TOO_MANY_UPLOADS', 10]);
  going.abort();
  expect(await gone).toEqual(['UPLOAD_ABORTED', undefined]);
  expect(await late).toEqual(['TOO_MANY_UPLOADS', 10]);
  expect(await code(slots.take('ada', going.signal))).toEqual(['UPLOAD_ABORTED', undefined]);
  places.push(await slots.take('bob', staying));
  expect(await code(slots.take('cy', staying))).toEqual(['UNAVAILABLE', 10]);
  for (const place of places) place.leave();
  expect(await slots.take('ada', staying)).toMatchObject({ waited: false });
  expect(await code(slots.take('cy', staying))).toBeUndefined();
});

test('refusals are refusals', async () => {
  const slots = createUploadSlots({ ...bounds, ofAll: 0, inLine: 0 });
  await expect(slots.take('ada', staying)).rejects.toBeInstanceOf(AppError);
});
