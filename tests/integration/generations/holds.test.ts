import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { submitForm } from '#server/generations/submit-form.ts';
import { reserveImages } from '#shared/credits/reserve.ts';
import { newId } from '#shared/data/db.ts';
import {
  type Attempt,
  claimGeneration,
  endRunning,
  handBackGeneration,
  renewAttempt,
  updateRunning,
} from '#shared/data/generations/attempts.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import type { Rows } from '#shared/generations/request.ts';
import { settleGeneration } from '#shared/generations/settle.ts';
import {
  atOnce,
  decidedImage,
  decidedImageKey,
  decision,
  poorSeller,
  workerContext,
} from '#tests/support/credits.ts';
import { eventually } from '#tests/support/harness.ts';
import { applyState, paidState } from '#tests/support/paid.ts';
import { uploadedPhoto } from '#tests/support/photos.ts';
import { sampleRequest } from '#tests/support/samples.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { runUpkeep } from '#worker/upkeep/upkeep.ts';

const test = testWithStack({ workers: 0 });
test.beforeAll(async ({ stack }) => {
  await stack.server.context.storage.put(decidedImageKey, decidedImage);
});

/** Submits a request for so many images. */
async function submitSample(stack: TestStack, sellerId: string, images = 1): Promise<Rows> {
  const { accepted } = await submitForm(stack.server.context, {
    sellerId,
    idempotencyKey: randomUUID(),
    fields: sampleRequest('On a table', images),
    files: [await uploadedPhoto(stack.storageFolder)],
  });
  return accepted.map(({ row }) => row) as Rows;
}

test('of 200 concurrent holds with 5 images left, exactly 5 are placed', async ({ stack }) => {
  const sellerId = await poorSeller(stack.db, 'freelance', 5);
  const seen = (await findProfile(stack.db, sellerId))!;
  const outcomes = await Promise.allSettled(
    Array.from({ length: 200 }, () => reserveImages(stack.db, seen, [{ _id: newId(), count: 1 }], 1_000)),
  );
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(refused).toHaveLength(195);
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'NO_CREDITS' });
  const held = await stack.models.profiles.findById(sellerId).lean();
  expect(held).toMatchObject({ generations_left: 5, settled: 0 });
  expect(held!.holds).toHaveLength(5);
  await runUpkeep(workerContext(stack), atOnce);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('a paid invoice grants its images once, also when it is applied concurrently', async ({ stack }) => {
  const sellerId = await poorSeller(stack.db, 'freelance', 30);
  const state = paidState('freelance', [newId()]);
  await Promise.all(Array.from({ length: 20 }, () => applyState(stack.db, sellerId, state)));
  const stored = await stack.models.profiles.findById(sellerId).lean();
  expect(stored).toMatchObject({ generations_left: 100, granted: 130, forfeited: 30 });
  expect(stored!.grants.map(({ posted }) => posted)).toEqual([true, true]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('a request that was never accepted and is released after a renewal leaves a forfeit that no generation has', async ({
  stack,
}) => {
  const sellerId = await poorSeller(stack.db, 'freelance', 30);
  await applyState(stack.db, sellerId, paidState('freelance', [newId()]));
  const seen = (await findProfile(stack.db, sellerId))!;
  await reserveImages(stack.db, seen, [{ _id: newId(), count: 3 }], 1_000);
  await applyState(stack.db, sellerId, paidState('freelance', [newId()]));
  expect(await findProfile(stack.db, sellerId)).toMatchObject({ generations_left: 103, forfeited: 127 });
  await runUpkeep(workerContext(stack), atOnce);
  expect(await findProfile(stack.db, sellerId)).toMatchObject({
    generations_left: 100,
    forfeited: 130,
    holds: [],
  });
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('an attempt that handed its generation back, or was replaced, can no longer write', async ({
  stack,
}) => {
  const sellerId = await poorSeller(stack.db, 'freelance', 1);
  const [{ _id: id }] = await submitSample(stack, sellerId);
  const claim = async (): Promise<Attempt> => {
    const claimed = await claimGeneration(stack.db, id, 60_000);
    if (claimed.outcome !== 'claimed') throw new Error(`not claimed: ${claimed.outcome}`);
    return { generationId: id, fence: claimed.row.fence };
  };
  const handedBack = { until: new Date(), waitingFor: 'retry' } as const;
  const first = await claim();
  expect(await claimGeneration(stack.db, id, 60_000)).toMatchObject({ outcome: 'leased' });
  expect(await handBackGeneration(stack.db, first, handedBack)).toMatchObject({ state: 'running' });
  const second = await claim();
  for (const write of [
    () => renewAttempt(stack.db, first, 60_000),
    () => updateRunning(stack.db, first, { preview_key: 'stale-preview.webp' }),
    () => handBackGeneration(stack.db, first, { ...handedBack, call: 'server-error' }),
    () => endRunning(stack.db, first, decision('failed')),
  ]) {
    const before = await stack.models.generations.findById(id).lean();
    expect(await write()).toBeFalsy();
    expect(await stack.models.generations.findById(id).lean()).toEqual(before);
  }
  const row = await endRunning(stack.db, second, decision('succeeded'));
  await settleGeneration(stack.server.context, row!);
  // Settling again changes nothing, and no attempt can change the outcome.
  const settled = await stack.models.profiles.findById(sellerId).lean();
  await settleGeneration(stack.server.context, row!);
  expect(await stack.models.profiles.findById(sellerId).lean()).toEqual(settled);
  expect(await endRunning(stack.db, second, decision('failed'))).toBeNull();
  expect(await stack.models.profiles.findById(sellerId).lean()).toMatchObject({
    generations_left: 0,
    settled: 1,
  });
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('a generation that has not ended cannot be settled', async ({ stack }) => {
  const sellerId = await poorSeller(stack.db, 'freelance', 1);
  const [row] = await submitSample(stack, sellerId);
  await expect(settleGeneration(stack.server.context, row)).rejects.toThrow(/has not ended/);
});
