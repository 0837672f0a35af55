/** Rows that are written without mongoose are as its schemas say: whole, and with nothing else. */
import type { Model } from 'mongoose';
import { expect } from 'vitest';
import { insertRow, updateRow } from '#shared/data/collection.ts';
import { modelsOf } from '#shared/data/collections.ts';
import { newId } from '#shared/data/db.ts';
import { giveKey } from '#tests/support/api-keys.ts';
import { insertImage } from '#tests/support/finished-images.ts';
import { eventually } from '#tests/support/harness.ts';
import { contentRefused } from '#tests/support/provider-calls.ts';
import { testWithSeller } from '#tests/support/test.ts';

const test = testWithSeller();

test('what is undefined is not written, and never widens a filter', async ({ stack }) => {
  const { looks } = modelsOf(stack.db);
  const model = looks as unknown as Model<{ _id: string; one: number; two?: number | undefined }>;
  const _id = newId();
  await insertRow(model, { _id, one: 1, two: undefined });
  const stored = () => model.collection.findOne({ _id: _id as never });
  expect(await stored()).toEqual({ _id, one: 1 });
  expect(await updateRow(model, { _id, one: 2 }, { $set: { two: 2 } })).toBeNull();
  expect(await updateRow(model, { _id }, { $set: { one: 3, two: undefined } })).toEqual({ _id, one: 3 });
  await expect(updateRow(model, { _id: undefined as never }, { $set: { one: 4 } })).rejects.toThrow('filter');
  expect(await stored()).toEqual({ _id, one: 3 });
  await model.collection.deleteOne({ _id: _id as never });
});

test('rows of an image that was made, and of one that failed, fit their schemas', async ({
  stack,
  seller,
}) => {
  await giveKey(stack, seller);
  await insertImage(stack, seller, { form: { productName: 'Mug', sku: 'MUG-1' } });
  await stack.images.set({ behaviours: [contentRefused, { kind: 'hold' }] });
  await seller.submit();
  const { sellerEvents, notifications, creditEntries, generations } = modelsOf(stack.db);
  const own = { profile: seller.id };
  await expect.poll(() => sellerEvents.countDocuments(own), eventually).toBe(2);
  await seller.submit();
  await stack.images.waitFor({ waiting: 1 });
  await expect.poll(() => generations.countDocuments({ ...own, state: 'running' }), eventually).toBe(1);
  for (const each of [generations, notifications, creditEntries, sellerEvents]) {
    const model = each as unknown as Model<object>;
    const rows = await model.find(own).lean();
    expect(rows.length).toBeGreaterThan(1);
    for (const row of rows) {
      const document = new model(row);
      await document.validate();
      expect(document.toObject()).toEqual(row);
    }
  }
  await stack.images.release();
});
