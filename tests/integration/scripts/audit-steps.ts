/** Shared by the tests of the audit. */
import { expect } from 'vitest';
import { newId } from '#shared/data/db.ts';
import { insertImage } from '#tests/support/finished-images.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';

/** A seller with one image, made and settled. */
export const test = testWithSeller().extend('generation', async ({ stack, seller }) => {
  const { _id: id } = await insertImage(stack, seller);
  expect(await problems(stack)).toEqual([]);
  return id;
});

// What a test made wrong is not found again by the next one.
test.afterEach(async ({ stack }) => {
  await Promise.all(
    [stack.models.profiles, stack.models.generations, stack.models.creditEntries].map((model) =>
      model.collection.deleteMany({}),
    ),
  );
});

export const problems = async (stack: TestStack) => (await stack.audit()).map(({ problem }) => problem);

export const changeProfile = (stack: TestStack, seller: Seller, change: object) =>
  stack.models.profiles.collection.updateOne({ _id: seller.id as never }, change);

export const addEntry = (stack: TestStack, entry: object) =>
  stack.models.creditEntries.collection.insertOne({
    _id: newId() as never,
    count: 1,
    period: null,
    at: new Date(),
    ...entry,
  });
