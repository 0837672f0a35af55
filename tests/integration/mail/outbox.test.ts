/** The outbox: every mail is sent once, even if the mail server or a worker fails. */
import { expect } from 'vitest';
import { enqueueMail } from '#shared/mail/outbox.ts';
import { eventually } from '#tests/support/harness.ts';
import { limitMs } from '#tests/support/machine.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { newAddress } from '#tests/support/visitor.ts';
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

const isEnded = async (stack: TestStack, to: string) => (await rowTo(stack, to)).ended_at !== null;

test('a new mail is sent at once, and its text is removed from the outbox', async ({ stack }) => {
  await withWorker(stack, async () => {
    const to = await enqueue(stack);
    const mail = await stack.mails.waitForMail({ to });
    expect(mail.text).toContain('Ada');
    expect(mail.html).toContain('Ada');
    await expect.poll(() => isEnded(stack, to), eventually).toBe(true);
    const row = await rowTo(stack, to);
    expect(row).toMatchObject({ text: null, html: null, failure: null, attempts: 1 });
    expect(mail.headers['message-id']?.[0]).toContain(row._id);
    expect(await stack.mails.mails(to)).toHaveLength(1);
  });
});

testThreeWorkers(6);

test('a mail is sent once, however often it is enqueued with the same id', async ({ stack }) => {
  const [to, id] = [newAddress(), crypto.randomUUID()];
  await Promise.all(Array.from({ length: 5 }, () => enqueue(stack, to, { id })));
  await withWorker(stack, async () => {
    await stack.mails.waitForMail({ to });
    await expect.poll(() => isEnded(stack, to), eventually).toBe(true);
  });
  expect(await stack.mails.mails(to)).toHaveLength(1);
});

test('a mail that was enqueued while no worker ran is sent when one starts', async ({ stack }) => {
  const to = await enqueue(stack);
  expect(await stack.mails.mails(to)).toEqual([]);
  await withWorker(stack, async () => void (await stack.mails.waitForMail({ to })));
});

test('after temporary failures a mail is sent again, with growing delays', async ({ stack }) => {
  await withWorker(stack, async () => {
    await stack.mails.behave({ behaviour: 'busy' });
    const to = await enqueue(stack);
    const delays: number[] = [];
    for (const [index, next] of (['drop', 'busy', 'ok'] as const).entries()) {
      await expect
        .poll(() => rowTo(stack, to), eventually)
        .toMatchObject({ attempts: index + 1, failure: expect.any(String) });
      const { due_at: due, ended_at: ended, text } = await rowTo(stack, to);
      expect({ ended, text: typeof text }).toEqual({ ended: null, text: 'string' });
      delays.push(Math.round((due.getTime() - Date.now()) / 1_000));
      await stack.mails.behave({ behaviour: next });
      await stack.models.mails.updateOne({ to }, { failure: null });
      await makeDue(stack, to);
      stack.server.context.relay.publishMail();
    }
    expect(delays.map((seconds) => Math.ceil(seconds / 30) * 30)).toEqual([30, 60, 120]);
    await expect.poll(() => isEnded(stack, to), eventually).toBe(true);
    expect(await stack.mails.mails(to)).toHaveLength(1);
    // KEEP_SENT_MAILS_DAYS
    const row = await rowTo(stack, to);
    expect(row.remove_at!.getTime() - row.ended_at!.getTime()).toBe(86_400_000);
  });
});

test('a mail that could not be sent for a day is given up', async ({ stack }) => {
  await stack.mails.behave({ behaviour: 'busy' });
  const to = await enqueue(stack);
  await stack.models.mails.updateOne({ to }, { created_at: new Date(Date.now() - 86_400_001) });
  await withWorker(stack, async () => {
    await expect.poll(() => isEnded(stack, to), eventually).toBe(true);
  });
  // Its text is kept for a week, so that an operator can send it again.
  const row = await rowTo(stack, to);
  expect(row).toMatchObject({ text: expect.any(String), failure: expect.stringContaining('451') });
  expect(row.remove_at!.getTime() - row.ended_at!.getTime()).toBe(7 * 86_400_000);
});

test('a mail that is refused permanently is given up at once, and delays no other', async ({ stack }) => {
  await stack.mails.behave({ behaviour: 'refuse', count: 1 });
  await withWorker(stack, async () => {
    const refused = await enqueue(stack);
    await expect.poll(() => isEnded(stack, refused), eventually).toBe(true);
    expect(await rowTo(stack, refused)).toMatchObject({
      attempts: 1,
      failure: expect.stringContaining('550'),
    });
    expect(await stack.mails.mails(refused)).toEqual([]);
    await stack.mails.waitForMail({ to: await enqueue(stack) });
  });
});

test('a slow mail does not delay others', async ({ stack }) => {
  await stack.mails.behave({ behaviour: 'hold', count: 1 });
  await withWorker(stack, async () => {
    const slow = await enqueue(stack);
    await untilBeingSent(stack, 1);
    await stack.mails.waitForMail({ to: await enqueue(stack) });
    expect(await stack.mails.mails(slow)).toEqual([]);
    await stack.mails.behave({ behaviour: 'ok' });
    await stack.mails.waitForMail({ to: slow });
  });
});

test('a worker that closes finishes sending its mails first', async ({ stack }) => {
  await stack.mails.behave({ behaviour: 'hold', count: 1 });
  // Its grace period does not end before the test does.
  const worker = await stack.startWorker({ WORKER_GRACE_MS: String(limitMs(60_000)) });
  const to = await enqueue(stack);
  await untilBeingSent(stack, 1);
  const closed = worker.close();
  await stack.mails.behave({ behaviour: 'ok' });
  await closed;
  expect(await isEnded(stack, to)).toBe(true);
  expect(await stack.mails.mails(to)).toHaveLength(1);
});

test('security emails are sent before all others', async ({ stack }) => {
  const { relay } = stack.server.context;
  const welcome = { link: 'http://localhost/x', hours: 48, days: 7, freeImages: 3 };
  const ordinary: string[] = [];
  for (let index = 0; index < 10; index += 1) {
    const to = newAddress();
    ordinary.push(to);
    await enqueueMail(stack.db, relay, 'verifyAddress', to, welcome);
  }
  const urgent = Array.from({ length: 5 }, newAddress);
  for (const to of urgent) {
    const reset = { fullName: 'Ada', link: 'http://localhost/x', minutes: 60 };
    await enqueueMail(stack.db, relay, 'resetPassword', to, reset);
  }
  // The worker takes only as many as it sends at a time.
  await stack.mails.behave({ behaviour: 'hold' });
  const worker = await stack.startWorker();
  await untilBeingSent(stack, urgent.length);
  const first = await stack.models.mails.find({ attempts: 1 }).distinct('to');
  expect(first.toSorted()).toEqual(urgent.toSorted());
  await stack.mails.behave({ behaviour: 'ok' });
  await untilAllEnded(stack);
  for (const to of [...ordinary, ...urgent]) expect(await stack.mails.mails(to)).toHaveLength(1);
  await worker.close();
});
