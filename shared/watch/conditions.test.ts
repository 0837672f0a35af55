import { expect, test } from 'vitest';
import type { MinuteRow } from '#shared/data/operator/minutes.ts';
import { sampleMinute } from '#tests/support/sample-rows.ts';
import { conditionsOf, type Facts } from './conditions.ts';

const now = new Date('2026-11-24T00:10:00Z');
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
const limits = {
  address: undefined,
  webhookUrl: undefined,
  oldestWaitingMs: 600_000,
  failurePercent: 10,
  refusalsADay: 20,
  reminderMs: 3_600_000,
};

const minute = (changed: Partial<MinuteRow>) => sampleMinute({ at: now, sampled_at: now, ...changed });

const hour = 3_600;
const backup = (changed: object) => ({
  _id: 'last' as const,
  expected_since: ago(1_000 * hour),
  every_hours: 24,
  ended_at: ago(47 * hour),
  failure: null,
  ...changed,
});

const calm: Facts = {
  minutes: [minute({}), minute({})],
  provider: {
    limiter: { perMinute: 0, inFlight: 0, used: 0, running: 0, waitsUntil: null },
    breaker: 'closed',
    since: null,
    until: null,
    kind: null,
    cause: null,
    refusedCalls: 0,
    modelProblem: null,
  },
  waitingSince: null,
  audit: { _id: 'last', ended_at: ago(60), findings: 0 },
  backup: backup({}),
  reports: [],
  workers: [],
  mails: { count: 0, since: null, failure: null },
  spending: { days: [], cap: null },
  refused: [],
};

const report = (store: 'queue' | 'storage', seconds: number) => ({
  version: '1',
  last_migration: '0001-baseline',
  host: 'shop-1',
  pid: 7,
  started_at: now,
  reported_at: now,
  problems: [{ store, error: 'no space', since: ago(seconds) }],
});

const worker = (pid: number, started: number, reported: number) => ({
  _id: String(pid),
  host: 'shop-1',
  pid,
  started_at: ago(started),
  reported_at: ago(reported),
});
const twoMinutes = [minute({ at: ago(60), sampled_at: ago(60) }), minute({})];

const conditions = (facts: Partial<Facts>) => conditionsOf({ ...calm, ...facts }, limits, now);

test('without trouble there is no alert', () => {
  expect(conditions({})).toEqual({});
});

test.each<[string, Partial<Facts>, object]>([
  [
    'an open breaker',
    { provider: { ...calm.provider, breaker: 'half-open', since: ago(60), cause: '401' } },
    { 'provider-breaker-open': 'Since 2026-11-24T00:09:00.000Z: 401' },
  ],
  ['a long wait', { waitingSince: ago(660) }, { 'oldest-waiting': 'An image has been waiting for 11 min.' }],
  ['a usual wait', { waitingSince: ago(600) }, {}],
  [
    'many failures',
    { minutes: [minute({ images: 20, failures: { TIMED_OUT: 4, CONTENT_REFUSED: 9 } })] },
    { 'failure-rate': '4 of 24 images failed in the last 15 min: TIMED_OUT 4.' },
  ],
  ['few failures', { minutes: [minute({ failures: { TIMED_OUT: 3 } })] }, {}],
  ['failures below the limit', { minutes: [minute({ images: 36, failures: { TIMED_OUT: 4 } })] }, {}],
  [
    'no worker twice',
    { minutes: [minute({ workers: 0 }), minute({ workers: 0 })] },
    { 'no-worker': 'No worker has reported for more than a minute.' },
  ],
  ['no worker for a moment', { minutes: [minute({}), minute({ workers: 0 })] }, {}],
  [
    'a worker that is gone',
    { minutes: twoMinutes, workers: [worker(7, 9_000, 180), worker(8, 9_000, 5)] },
    {
      'worker-gone': 'The worker on shop-1, process 7, has not reported for 3 min and was not shut down.',
    },
  ],
  [
    'two workers that are gone, one of them replaced',
    { minutes: twoMinutes, workers: [worker(6, 9_000, 400), worker(7, 9_000, 300), worker(8, 390, 5)] },
    {
      'worker-gone': 'The worker on shop-1, process 7, has not reported for 5 min and was not shut down.',
    },
  ],
  [
    'a worker that was started again',
    { minutes: twoMinutes, workers: [worker(7, 9_000, 180), worker(8, 170, 5)] },
    {},
  ],
  ['a worker that is late', { minutes: twoMinutes, workers: [worker(7, 9_000, 110)] }, {}],
  [
    'workers that could not report while MongoDB was away',
    {
      minutes: [minute({ at: ago(600), sampled_at: ago(600) }), minute({})],
      workers: [worker(7, 9_000, 590)],
    },
    {},
  ],
  [
    'storage of two processes',
    { reports: [report('storage', 60), report('storage', 90)] },
    { 'storage-away': 'no space (shop-1, process 7 and 1 more)' },
  ],
  [
    'the queue',
    { reports: [report('queue', 61)] },
    { 'store-away': 'The queue: no space (shop-1, process 7)' },
  ],
  ['a store for a moment', { reports: [report('queue', 59)] }, {}],
  [
    'mails that are not accepted',
    { mails: { count: 2, since: ago(600), failure: '421 try later' } },
    { 'mails-failing': '2 mails wait after the mail server did not accept them: 421 try later' },
  ],
  [
    'an audit with findings',
    { audit: { _id: 'last', ended_at: ago(60), findings: 1 } },
    { 'audit-not-clean': 'The audit that ended at 2026-11-24T00:09:00.000Z found 1 problem.' },
  ],
  ['an installation that has backups of another kind', { backup: null }, {}],
  [
    'backups that have stopped',
    { backup: backup({ ended_at: ago(49 * hour) }) },
    {
      'backup-failing':
        'The last complete backup ended at 2026-11-21T23:10:00.000Z; one is expected every 24 h.',
    },
  ],
  [
    'a backup that failed',
    { backup: backup({ failure: 'the disk is full' }) },
    {
      'backup-failing':
        'The last backup failed: the disk is full. The last complete backup ended at 2026-11-22T01:10:00.000Z.',
    },
  ],
  ['a first backup that is awaited', { backup: backup({ ended_at: null, expected_since: ago(hour) }) }, {}],
  [
    'a first backup that does not come',
    { backup: backup({ ended_at: null, expected_since: ago(49 * hour) }) },
    {
      'backup-failing': 'No backup is complete since 2026-11-21T23:10:00.000Z; one is expected every 24 h.',
    },
  ],
])('%s', (_name, facts, expected) => {
  expect(conditions(facts)).toEqual(expected);
});

test('a seller whom moderation refuses more often than the setting allows is an alert', () => {
  const refused = (...counts: number[]) =>
    counts.map((count, index) => ({ _id: `seller-${index + 1}`, count, last: now }));
  expect(conditionsOf({ ...calm, refused: refused(20, 3) }, limits, now)).toEqual({});
  expect(conditionsOf({ ...calm, refused: refused(21, 20) }, limits, now)).toEqual({
    'seller-refused': 'Moderation refused 21 images of seller seller-1 today.',
  });
  expect(conditionsOf({ ...calm, refused: refused(40, 21, 1) }, limits, now)).toEqual({
    'seller-refused': 'Moderation refused 40 images of seller seller-1 today; 2 sellers are over the limit.',
  });
  expect(conditionsOf({ ...calm, refused: refused(40) }, { ...limits, refusalsADay: 0 }, now)).toEqual({});
});
