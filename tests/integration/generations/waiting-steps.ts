/** What sellers change of generations that wait. */
import { type ChangeWaiting, type GenerationView, paths } from '#contract';
import { call } from '#tests/support/account.ts';
import type { Seller } from '#tests/support/seller.ts';
import { testWithSeller } from '#tests/support/test.ts';

/** `test` without a worker, with a new seller for each test. */
export function testWaiting() {
  const test = testWithSeller({ workers: 0 });
  test.beforeEach(async ({ stack }) => {
    await stack.images.reset();
  });
  return test;
}

export const move = (seller: Seller, id: string, before: string | null) =>
  call<GenerationView>(seller, 'POST', paths.moveGeneration(id), { before });

export const change = (seller: Seller, id: string, body: ChangeWaiting) =>
  call<GenerationView>(seller, 'PATCH', paths.generationRequest(id), body);
