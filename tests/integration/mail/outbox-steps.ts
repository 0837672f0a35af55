/** Shared by the tests of the outbox. */
import { expect } from 'vitest';
import type { MailRow } from '#shared/data/mails.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';
import { eventually } from '#tests/support/harness.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { newAddress } from '#tests/support/visitor.ts';

export const test = testWithStack({ workers: 0 });

test.beforeEach(async ({ stack }) => {
  await stack.mails.behave({ behaviour: 'ok' });
  await stack.models.mails.deleteMany({});
});

export async function enqueue(
  stack: TestStack,
  to = newAddress(),
  options: { id?: string } = {},
): Promise<string> {
  await enqueueMail(stack.db, stack.server.context.relay, 'accountDeleted', to, { fullName: 'Ada' }, options);
  return to;
}

export const rowTo = async (stack: TestStack, to: string): Promise<MailRow> =>
  (await stack.models.mails.findOne({ to }).lean())!;

/** Waits until a worker has claimed so many mails. */
export const untilBeingSent = (stack: TestStack, mails: number) =>
  expect.poll(() => stack.models.mails.countDocuments({ attempts: 1 }), eventually).toBe(mails);

export const untilAllEnded = (stack: TestStack) =>
  expect.poll(() => stack.models.mails.countDocuments({ ended_at: null }), eventually).toBe(0);

/** Makes a mail due, as if the delay before its next attempt, or its lease, were over. */
export async function makeDue(stack: TestStack, to: string): Promise<void> {
  await stack.models.mails.updateOne({ to }, { due_at: new Date() });
}

/** Runs some work with one worker in this process that reads the outbox only when it is notified of a mail. */
export async function withWorker(stack: TestStack, work: () => Promise<void>): Promise<void> {
  const worker = await stack.startWorker();
  try {
    await work();
  } finally {
    await worker.close();
  }
}

/** Defines the test of three workers that send so many mails. */
export function testThreeWorkers(mails: number): void {
  test(`three workers send each of ${mails} mails once`, async ({ stack }) => {
    const workers = await Promise.all(Array.from({ length: 3 }, () => stack.startWorker()));
    const addresses = await Promise.all(Array.from({ length: mails }, () => enqueue(stack)));
    await untilAllEnded(stack);
    for (const to of addresses) expect(await stack.mails.mails(to)).toHaveLength(1);
    await Promise.all(workers.map((worker) => worker.close()));
  });
}
