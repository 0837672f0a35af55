/** The outbox with many mails, and with a worker that is killed. */
import { expect } from 'vitest';
import {
  enqueue,
  makeDue,
  rowTo,
  test,
  testThreeWorkers,
  untilAllEnded,
  untilBeingSent,
  withWorker,
} from './outbox-steps.ts';

testThreeWorkers(30);

test('mails that a killed worker was sending are sent by another one, with the same Message-ID', async ({
  stack,
}) => {
  await stack.mails.behave({ behaviour: 'hold' });
  const addresses = await Promise.all([enqueue(stack), enqueue(stack), enqueue(stack)]);
  const worker = await stack.startWorkerProcess();
  await untilBeingSent(stack, 3);
  await worker.kill();
  await stack.mails.behave({ behaviour: 'ok' });
  // The leases of the killed worker have not expired yet.
  expect(await stack.models.mails.countDocuments({ due_at: { $gt: new Date(Date.now() + 60_000) } })).toBe(3);
  for (const to of addresses) await makeDue(stack, to);
  await withWorker(stack, async () => {
    for (const to of addresses) {
      const mail = await stack.mails.waitForMail({ to });
      expect(mail.headers['message-id']?.[0]).toContain((await rowTo(stack, to))._id);
    }
    await untilAllEnded(stack);
  });
});
