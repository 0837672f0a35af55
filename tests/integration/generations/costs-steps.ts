/** Workers whose provider bills their calls, and what was written about them. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import {
  type CallCostRow,
  type CostDayRow,
  findCostDay,
  type ReservedCall,
} from '#shared/data/costs/provider-costs.ts';
import { eventually } from '#tests/support/harness.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';

/** `test` with a provider that bills its calls, and without the costs of the test before. */
export function testCosts() {
  const test = testWithSeller({ workers: 0, settings: { IMAGE_PROVIDER: 'openai' } });
  test.beforeEach(async ({ stack }) => {
    await stack.images.reset();
    await stack.models.providerCosts.deleteMany();
    await stack.models.providerPauses.deleteMany();
    await stack.models.providerFlows.deleteMany();
    await stack.server.context.queue.removeGlobalRateLimit();
  });
  return test;
}

/** The costs of the calls of a generation, in their order. */
export async function costsOf(stack: TestStack, generation: string): Promise<CallCostRow[]> {
  const rows = (await stack.models.providerCosts.find({ generation }).lean()) as CallCostRow[];
  return rows.toSorted((one, other) => one.at.getTime() - other.at.getTime());
}

export const today = (stack: TestStack): Promise<CostDayRow | null> => findCostDay(stack.db, new Date());

/** Waits until no call is under way. @returns the day */
export async function settledDay(stack: TestStack): Promise<CostDayRow> {
  await expect.poll(async () => Object.keys((await today(stack))?.open ?? {}), eventually).toEqual([]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
  return (await today(stack))!;
}

/** A call to reserve. */
export const callOf = (at: Date, amount: number | null, generation = randomUUID()): ReservedCall => ({
  generation,
  seller: 'seller',
  provider: 'openai',
  model: 'gpt-image-2.5-flare',
  size: '1024x1024',
  quality: 'high',
  at,
  amount,
});
