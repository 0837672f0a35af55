/** The figures of a minute, and alerts from their condition to the mailbox and the webhook. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect } from 'vitest';
import { countEndInMinute, minuteOf } from '#shared/data/operator/minutes.ts';
import { recordWorker } from '#shared/data/queue/seen-workers.ts';
import { watchDatabase } from '#shared/watch/database-watch.ts';
import { watchRound } from '#shared/watch/watch.ts';
import { findFreePort } from '#tests/support/free-port.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';

const port = await findFreePort();
const test = testWithStack({
  workers: 0,
  settings: {
    ALERT_ADDRESS: 'ops@shop.example',
    ALERT_WEBHOOK_URL: `http://127.0.0.1:${port}/secret`,
    ALERT_REMINDER_HOURS: '1',
  },
});

let receiver: Server;
/** What the receiver accepted, and how many calls it answers with an error first. */
const received: { event: string; alert: string; id: string; text: string }[] = [];
let refuses = 0;
/** While it is set, the receiver answers a call only when it resolves. */
let slow: Promise<void> | undefined;

beforeAll(async () => {
  receiver = createServer(async (request, reply) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (refuses > 0) {
      refuses -= 1;
      reply.writeHead(500).end();
      return;
    }
    await slow;
    received.push(JSON.parse(body));
    reply.writeHead(204).end();
  });
  receiver.listen(port, '127.0.0.1');
  await once(receiver, 'listening');
  expect((receiver.address() as AddressInfo).port).toBe(port);
});
afterAll(() => receiver.close());

/** As if a worker had sent what is in the outbox. */
const sendMails = (stack: TestStack) =>
  stack.models.mails.updateMany({ ended_at: null }, { $set: { ended_at: new Date() } });

test('the figures of a minute are stored once, by however many processes', async ({ stack }) => {
  const { context } = stack.server;
  const now = new Date();
  const ends = Array.from({ length: 5 }, () =>
    countEndInMinute(stack.db, { at: now, images: 1, failure: null, bucket: 40 }),
  );
  const [, ...rounds] = await Promise.all([
    Promise.all([
      ...ends,
      countEndInMinute(stack.db, { at: now, images: 0, failure: 'TIMED_OUT', bucket: null }),
    ]),
    ...Array.from({ length: 8 }, () => watchRound(context, now)),
  ]);
  expect(rounds.reduce((sum, { sampled }) => sum + sampled, 0)).toBe(1);
  expect(await watchRound(context, new Date(minuteOf(now).getTime() + 59_999))).toMatchObject({ sampled: 0 });
  expect(await stack.models.minutes.find().lean()).toEqual([
    expect.objectContaining({
      at: minuteOf(now),
      waiting: 0,
      running: 0,
      delayed: 0,
      failed_jobs: 0,
      oldest_waiting: 0,
      workers: 0,
      sockets: 0,
      images: 5,
      durations: { 40: 5 },
      failures: { TIMED_OUT: 1 },
    }),
  ]);
});

test('an alert is told when it begins, after an hour, and when it ends, although the webhook fails first', async ({
  stack,
}) => {
  const { context } = stack.server;
  // Another day than the other tests: its minutes are its own.
  const begin = Date.now() + 86_400_000;
  const round = async (minute: number) => {
    await sendMails(stack);
    return watchRound(context, new Date(begin + minute * 60_000));
  };
  const audit = (findings: number) =>
    stack.models.auditResults.updateOne(
      { _id: 'last' },
      { $set: { findings, ended_at: new Date() } },
      { upsert: true },
    );
  await audit(2);
  refuses = 1;
  expect(await round(0)).toMatchObject({ alertsBegun: 1, told: 2, webhookCalls: 0 });
  expect(received).toEqual([]);
  const [failed] = await stack.models.webhookCalls.find().lean();
  expect(failed).toMatchObject({ attempts: 1, ended_at: null, failure: 'answered 500' });
  expect(failed!.due_at.getTime()).toBeGreaterThan(Date.now());
  await stack.models.webhookCalls.updateMany({}, { $set: { due_at: new Date() } });
  // No worker runs in this test, which is told as well, once it has lasted.
  expect(await round(1)).toMatchObject({ alertsBegun: 1, webhookCalls: 2 });
  expect(received.map(({ alert, event }) => `${alert} ${event}`)).toEqual([
    'audit-not-clean began',
    'no-worker began',
  ]);
  await round(59);
  await round(60);
  await round(61);
  await audit(0);
  await round(63);
  await round(66);
  await round(67);
  const about = received.filter(({ alert }) => alert === 'audit-not-clean');
  expect(about.map(({ event }) => event)).toEqual(['began', 'reminder', 'ended']);
  expect(about[0]!.text).toContain('docs/runbook.md#audit-not-clean');

  const mails = await stack.models.mails.find({ kind: 'alert' }).sort({ created_at: 1 }).lean();
  const subjects = mails.filter(({ subject }) => subject.includes('audit')).map(({ subject }) => subject);
  expect(subjects).toEqual([
    '[Packshot] Alert: The audit found something',
    '[Packshot] Still: The audit found something',
    '[Packshot] Over: The audit found something',
  ]);
  expect(mails[0]).toMatchObject({ to: 'ops@shop.example', important: true });
});

test('what must be told survives a crash, and is told once', async ({ stack }) => {
  const { context } = stack.server;
  const now = new Date();
  const id = 'failure-rate.began.x';
  const notice = { id, event: 'began' as const, at: now, since: now, details: '4 of 5 images failed.' };
  const notices = (['mail', 'webhook'] as const).map((channel) => ({ ...notice, channel }));
  const put = () =>
    stack.models.alerts.updateOne(
      { _id: 'failure-rate' },
      { $set: { since: null, true_at: now, notified_at: now, details: '', notices } },
      { upsert: true },
    );
  await put();
  await watchRound(context, now);
  await put();
  await watchRound(context, now);
  expect(received.filter((call) => call.id === id)).toHaveLength(1);
  expect(await stack.models.mails.countDocuments({ _id: `alert.${id}` })).toBe(1);
  expect((await stack.models.alerts.findById('failure-rate').lean())!.notices).toEqual([]);
});

/** A day of its own for the minutes of a test. */
const day = (days: number) => {
  const begin = Date.now() + days * 86_400_000;
  return (minute: number) => new Date(begin + minute * 60_000);
};
const eventsOf = (kind: string, before: number) =>
  received
    .slice(before)
    .filter(({ alert }) => alert === kind)
    .map(({ event }) => event);

test('the end of an alert waits for its beginning, which the webhook did not accept, and for its mail', async ({
  stack,
}) => {
  const { context } = stack.server;
  const at = day(2);
  const { alerts, auditResults, mails, webhookCalls } = stack.models;
  const before = received.length;
  const audit = (findings: number) =>
    auditResults.updateOne({ _id: 'last' }, { $set: { findings, ended_at: new Date() } }, { upsert: true });
  const subjects = async () => {
    const rows = await mails
      .find({ kind: 'alert', created_at: { $gt: began } })
      .sort({ created_at: 1 })
      .lean();
    return rows.map(({ subject }) => subject).filter((subject) => subject.includes('audit'));
  };
  await sendMails(stack);
  const began = new Date();
  await audit(2);
  refuses = 1;
  await watchRound(context, at(0));
  await audit(0);
  await watchRound(context, at(5));
  await watchRound(context, at(6));
  expect((await alerts.findById('audit-not-clean').lean())!.since).toBeNull();
  // The webhook works again, but its next try is not due yet, and no mail was sent.
  await watchRound(context, at(7));
  expect(eventsOf('audit-not-clean', before)).toEqual([]);
  expect(await subjects()).toEqual(['[Packshot] Alert: The audit found something']);

  await webhookCalls.updateMany({ ended_at: null }, { $set: { due_at: new Date() } });
  await sendMails(stack);
  await watchRound(context, at(8));
  await watchRound(context, at(9));
  expect(eventsOf('audit-not-clean', before)).toEqual(['began', 'ended']);
  expect(await subjects()).toEqual([
    '[Packshot] Alert: The audit found something',
    '[Packshot] Over: The audit found something',
  ]);
});

test('what happens while the webhook is slow is told after what it is slow with, by other processes as well', async ({
  stack,
}) => {
  const { context } = stack.server;
  const { alerts } = stack.models;
  const now = new Date();
  const before = received.length;
  const noticesOf = (event: 'began' | 'ended') => ({
    id: `oldest-waiting.${event}.slow`,
    channel: 'webhook' as const,
    event,
    at: now,
    since: now,
    details: 'It waits.',
  });
  const add = (event: 'began' | 'ended') =>
    alerts.updateOne(
      { _id: 'oldest-waiting' },
      {
        $set: { since: null, true_at: now, notified_at: now, details: '' },
        $push: { notices: noticesOf(event) },
      },
      { upsert: true },
    );
  let answer = () => {};
  slow = new Promise((resolve) => {
    answer = resolve;
  });
  await add('began');
  const first = watchRound(context, now);
  await expect.poll(() => stack.models.webhookCalls.countDocuments({ _id: noticesOf('began').id })).toBe(1);
  await add('ended');
  await watchRound(context, now);
  await watchRound(context, now);
  expect(eventsOf('oldest-waiting', before)).toEqual([]);
  answer();
  slow = undefined;
  await first;
  await watchRound(context, now);
  expect(eventsOf('oldest-waiting', before)).toEqual(['began', 'ended']);
});

test('that MongoDB is away is told in order, and again when the webhook failed first', async ({ stack }) => {
  const before = received.length;
  const watch = watchDatabase(stack.server.context, 0);
  const gone = new Error('no primary');
  refuses = 1;
  watch.record(gone);
  await expect.poll(() => refuses).toBe(0);
  // Reports go on every ten seconds.
  await expect
    .poll(() => {
      watch.record(gone);
      return eventsOf('store-away', before);
    })
    .toEqual(['began']);
  let answer = () => {};
  slow = new Promise((resolve) => {
    answer = resolve;
  });
  watch.record(undefined);
  watch.record(gone);
  answer();
  slow = undefined;
  await expect
    .poll(() => {
      watch.record(gone);
      return eventsOf('store-away', before);
    })
    .toEqual(['began', 'ended', 'began']);
});

test('a worker that is gone without being shut down is told, until another one is started', async ({
  stack,
}) => {
  const { context } = stack.server;
  const at = day(4);
  const before = received.length;
  const worker = (_id: string, started: Date, reported: Date) =>
    recordWorker(stack.db, { _id, host: 'shop-1', pid: 7, started_at: started, reported_at: reported });
  await worker('first', at(-60), at(0));
  await watchRound(context, at(1));
  await watchRound(context, at(2));
  await watchRound(context, at(3));
  await watchRound(context, at(4));
  expect(eventsOf('worker-gone', before)).toEqual(['began']);
  expect(received.at(-1)!.text).toContain('The worker on shop-1, process 7, has not reported for 2 min');
  await worker('second', at(4), at(12));
  for (const minute of [9, 10, 11, 12]) await watchRound(context, at(minute));
  expect(eventsOf('worker-gone', before)).toEqual(['began', 'ended']);

  const running = await stack.startWorker();
  const reported = () => stack.models.seenWorkers.countDocuments({ pid: process.pid });
  await expect.poll(reported).toBe(1);
  await running.close();
  expect(await reported()).toBe(0);
});
