/** `npm run audit` of more documents than it reads at once. */
import { expect } from 'vitest';
import { addEntry, changeProfile, test } from './audit-steps.ts';

test('entries without a profile or generation, however many: documents are read in batches', async ({
  stack,
  seller,
}) => {
  const others = await Promise.all(Array.from({ length: 4 }, () => stack.seller()));
  const keys = Array.from({ length: 250 }, (_, index) => `none-${index}`);
  for (const key of keys) await addEntry(stack, { profile: 'nobody', kind: 'settle', key });
  const found = await stack.audit();
  expect(found.filter(({ problem }) => problem === 'a settle without a profile')).toHaveLength(250);
  expect(new Set(found.map(({ id }) => id))).toEqual(new Set(keys));
  expect(found).toHaveLength(500);
  for (const each of [seller, ...others]) await changeProfile(stack, each, { $inc: { settled: 1 } });
  expect(await stack.audit()).toHaveLength(510);
});
