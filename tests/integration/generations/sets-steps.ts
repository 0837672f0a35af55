/** Requests for several takes. */
import type { GenerationView } from '#contract';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';

/** `test` without a worker, with a new seller for each test. */
export function testSets() {
  const test = testWithSeller({ workers: 0 });
  test.beforeEach(async ({ stack }) => {
    await stack.images.reset();
  });
  return test;
}

export const rowsOf = (stack: TestStack, seller: Seller) =>
  stack.models.generations.find({ profile: seller.id }).sort({ 'set.index': 1 }).lean();

export const idsOf = (views: GenerationView[]) => views.map(({ id }) => id);

export const balanceOf = async (seller: Seller) => (await seller.me()).subscription;

/** Puts the later takes of a set back into the state in which a crash after the first one was queued leaves them. */
export const unqueueOthers = ({ models }: TestStack, setId: string) =>
  models.generations.updateMany(
    { 'set.id': setId, 'set.index': { $gt: 0 } },
    { $set: { state: 'receiving', queued_at: null, photos: [], priority: 0, revision: 0 } },
  );
