/** The figures of a minute, and alerts from their condition to the mailbox and the webhook. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect } from 'vitest';
import { countEndInMinute, minuteOf } from '#shared/data/operator/minutes.ts';
import { watchRound } from '#shared/watch/watch.ts';
import { findFreePort } from '#tests/support/free-port.ts';
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

beforeAll(async () => {
  receiver = createServer(async (request, reply) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (refuses > 0) {
      refuses -= 1;
      reply.writeHead(500).end();
      return;
    }
    received.push(JSON.parse(body));
    reply.writeHead(204).end();
  });
  receiver.listen(port, '127.0.0.1');
  await once(receiver, 'listening');
  expect((receiver.address() as AddressInfo).port).toBe(port);
});
afterAll(() => receiver.close());

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
  const round = (minute: number) => watchRound(context, new Date(begin + minute * 60_000));
  const audit = (findings: number) =>
    stack.models.auditResults.updateOne(
      { _id: 'last' },
      { $set: { findings, ended_at: new Date() } },
      { upsert: true },
    );
  await audit(2);
  refuses = 1;
  expect(await round(0)).toMatchObject({ alertsBegun: 1, told: 1, webhookCalls: 0 });
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
  expect(mails[0]).toMatchObject({ to: 'ops@shop.example', ended_at: null, important: true });
});

test('what must be told survives a crash, and is told once', async ({ stack }) => {
  const { context } = stack.server;
  const now = new Date();
  const id = 'failure-rate.began.x';
  const notice = { id, event: 'began' as const, at: now, since: now, details: '4 of 5 images failed.' };
  const put = () =>
    stack.models.alerts.updateOne(
      { _id: 'failure-rate' },
      { $set: { since: null, true_at: now, notified_at: now, details: '', notices: [notice] } },
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
