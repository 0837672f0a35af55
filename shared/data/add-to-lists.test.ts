import { expect, test } from 'vitest';
import { eachOf } from './add-to-lists.ts';

test.each([
  [{ grants: [1, 2], refunds: [] }, { grants: { $each: [1, 2] } }],
  [
    { grants: [1], refunds: [2] },
    { grants: { $each: [1] }, refunds: { $each: [2] } },
  ],
  [{ grants: [], refunds: [] }, undefined],
  [{}, undefined],
])('%j', (added, expected) => {
  expect(eachOf(added)).toEqual(expected);
});
