/** Shared by the tests of readings: a reading of Stripe with a fault at one step. */
import { expect } from 'vitest';
import { syncBilling } from '#shared/billing/sync.ts';
import type { Db } from '#shared/data/db.ts';
import { type Fault, meetsFault } from '#tests/support/faults.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { profileOf, subscriber } from '#tests/support/subscriber.ts';
import { testWithCrashableDb } from '#tests/support/test.ts';

export const test = testWithCrashableDb({ workers: 0 });
test.afterEach(({ stack }) => stack.stripe.reset());

/** The subjects of the status emails to a seller. */
export async function mailsTo(stack: TestStack, address: string): Promise<string[]> {
  const mails = await stack.models.mails.find({ to: address }).lean();
  return mails.map(({ subject }) => subject).filter((subject) => /payment|ended/i.test(subject));
}

/**
 * Reads a plan that has ended with a fault at one step, and expects one mail about it after the next reading and after
 * another one.
 * @param crashableDb what the reading with the fault uses
 * @returns whether the reading had that step
 */
export async function expectOneMail(stack: TestStack, crashableDb: Db, fault: Fault): Promise<boolean> {
  const seller = await subscriber(stack, 'freelance');
  await stack.stripe.set({ webhooks: { hold: true } });
  const { context } = stack.server;
  await context.billing.stripe.subscriptions.cancel((await profileOf(stack, seller)).subscription_id!);
  const failed = await meetsFault(fault, () => syncBilling({ ...context, db: crashableDb }, seller.id));
  // The next reading follows from a repeated event, a request or upkeep.
  await syncBilling(context, seller.id);
  const mails = await mailsTo(stack, seller.email);
  expect({ ...fault, mails }).toEqual({ ...fault, mails: [expect.any(String)] });
  await syncBilling(context, seller.id);
  expect(await mailsTo(stack, seller.email)).toEqual(mails);
  await stack.stripe.reset();
  await stack.stripe.settled();
  return failed;
}
