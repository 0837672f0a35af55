/** A third plan needs only an entry in the contract's table: a seller can sign up for it, pay and generate. */
import { expect, vi } from 'vitest';
import { type GenerationView, type PlanId, plans } from '#contract';
import { turnOf } from '#shared/platform/priorities.ts';
import { eventually } from '#tests/support/harness.ts';
import { testWithStack } from '#tests/support/test.ts';

vi.mock('#shared/contract/plan-table.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('#shared/contract/plan-table.ts')>();
  const agency = {
    name: 'Agency',
    monthlyPriceCents: 9_900,
    monthlyGenerations: 3,
    goesFirst: true,
    features: [{ name: '3 AI image generations', detail: 'A month', guide: '/documentation' }],
  };
  return { ...original, planTable: { ...original.planTable, agency } };
});
const agency = 'agency' as PlanId;

const test = testWithStack({});

test('a third plan needs one entry in the contract', async ({ stack }) => {
  expect(plans[agency].monthlyGenerations).toBe(3);
  const seller = await stack.seller({ plan: agency });
  const me = async () => (await seller.me()).subscription;
  expect(await me()).toMatchObject({
    plan: agency,
    status: 'active',
    unlimited: false,
    generationsLeft: 3,
    totalGenerations: 3,
  });

  const made: GenerationView[] = [];
  for (let image = 1; image <= 3; image += 1) made.push(await seller.submit());
  await expect(seller.submit()).rejects.toThrow(/NO_CREDITS/);
  for (const { id } of made) {
    await expect.poll(async () => (await seller.generation(id)).state, eventually).toBe('succeeded');
    const row = await stack.models.generations.findById(id).lean();
    expect(turnOf(row!.priority)?.band).toBe('first');
  }
  expect(await me()).toMatchObject({ generationsLeft: 0, generationsHeld: 0 });
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});
