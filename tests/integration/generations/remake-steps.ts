/** Poor images, and faults at any step of making one again. */

import { expect } from 'vitest';
import { type GenerationSet, paths } from '#contract';
import { remake } from '#server/generations/again.ts';
import type { Db } from '#shared/data/db.ts';
import { atOnce, workerContext } from '#tests/support/credits.ts';
import { type Fault, FaultError, withFault } from '#tests/support/faults.ts';
import { finishImage, insertImage } from '#tests/support/finished-images.ts';
import { eventually } from '#tests/support/harness.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { runUpkeep } from '#worker/upkeep/upkeep.ts';

/** Gives a seller an image that hardly matches the product. @param form fields of its request @returns its id */
export async function poorImage(stack: TestStack, seller: Seller, form: Record<string, string> = {}) {
  const { _id: id } = await insertImage(stack, seller, { form });
  await stack.models.generations.updateOne({ _id: id }, { match: { level: 'low', area: null } });
  return id;
}

/** Asks to make images again, each with a fault at its next step, and runs upkeep after each. No worker may run. */
export async function expectRemadeOnce(
  { stack, crashableDb, seller }: { stack: TestStack; crashableDb: Db; seller: Seller },
  kind: Fault['kind'],
): Promise<void> {
  const { context } = stack.server;
  const upkeep = workerContext(stack);
  let accepted = 0;
  for (let at = 0; accepted < 3; at += 1) {
    expect(at, 'a request has fewer steps').toBeLessThan(25);
    const id = await poorImage(stack, seller);
    accepted = await withFault({ kind, at }, () =>
      remake({ ...context, db: crashableDb }, { sellerId: seller.id, id, network: '' }),
    ).then(
      () => accepted + 1,
      (error) => {
        if (!(error instanceof FaultError)) throw error;
        return 0;
      },
    );
    await runUpkeep(upkeep, atOnce);
    const children = await stack.models.generations.find({ remake_of: id }).lean();
    expect(children.length, `step ${at}`).toBeLessThanOrEqual(1);
    if (accepted > 0) expect(children, `step ${at}`).toHaveLength(1);
    const {
      accepted: [repeated],
    } = await remake(context, { sellerId: seller.id, id, network: '' });
    if (children[0]) expect(repeated!.row._id, `step ${at}`).toBe(children[0]._id);
    await finishImage(stack, repeated!.row._id);
    await stack.models.profiles.updateOne({ _id: seller.id }, { 'remakes.used': 1 });
  }
  await runUpkeep(upkeep, atOnce);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
  const images = await stack.models.generations.countDocuments({
    profile: seller.id,
    remake_of: { $exists: false },
  });
  expect((await seller.me()).subscription).toMatchObject({
    generationsLeft: 100 - images,
    generationsHeld: 0,
  });
}

/** `test` with a worker, and a new seller for each test. */
export function testRemake() {
  const test = testWithStack().extend('seller', ({ stack }) => stack.seller());
  test.beforeEach(({ stack }) => stack.images.reset());

  return test;
}

export const askRemake = (seller: Seller, id: string) =>
  seller.request<GenerationSet>(paths.remake(id), { method: 'POST' });

/** Expects so many images left, none held, and an audit without findings. */
export async function expectBalance(
  stack: TestStack,
  seller: Seller,
  generationsLeft: number,
): Promise<void> {
  await expect
    .poll(async () => (await seller.me()).subscription, eventually)
    .toMatchObject({ generationsLeft, generationsHeld: 0 });
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
}
