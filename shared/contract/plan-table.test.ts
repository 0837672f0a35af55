import { expect, test } from 'vitest';
import { planTable } from './plan-table.ts';

test('the cards list the features of the specification, by their names', () => {
  expect(Object.values(planTable).map(({ features }) => features.map(({ name }) => name))).toEqual([
    ['100 AI image generations', 'High-quality output', 'Basic editing tools'],
    ['Unlimited generations', 'Priority processing', 'Advanced editing tools', 'Dedicated support'],
  ]);
});
