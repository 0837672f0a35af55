/** Requests that a plan or an idempotency key refuses. */
import type { GenerationSet } from '#contract';
import { expectError } from '#tests/support/errors.ts';
import type { Answer, Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';

/** Expects the error for a used-up plan, whose message has the day of the renewal. */
export async function expectNoCredits(answer: Answer<unknown>, seller: Seller): Promise<void> {
  const renewal = new Date((await seller.me()).subscription.currentPeriodEnd!);
  const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(renewal);
  const message = `You have no images left. Upgrade your plan or wait for its renewal on ${day}.`;
  expectError(answer, 'NO_CREDITS', { message });
}

export const rowsOf = (stack: TestStack, seller: Seller) =>
  stack.models.generations.find({ profile: seller.id }).lean();

export const idsOf = (answers: Answer<GenerationSet>[]) =>
  new Set(answers.flatMap(({ body }) => body.generations.map(({ id }) => id)));
