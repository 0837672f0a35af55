import { expect, test } from 'vitest';
import { alertStep } from './alert-step.ts';

const start = Date.parse('2026-11-24T00:00:00Z');
const at = (minute: number) => new Date(start + minute * 60_000);
const reminderMs = 60 * 60_000;

test.each([
  ['begins at once', undefined, true, 0, 'begin'],
  ['of another time begins anew', { since: null, told: 0, seen: 0 }, true, 90, 'begin'],
  ['that never was', undefined, false, 0, 'none'],
  ['goes on', { since: 0, told: 0, seen: 58 }, true, 59, 'continue'],
  ['is told again', { since: 0, told: 0, seen: 59 }, true, 60, 'remind'],
  ['is told again once in the time', { since: 0, told: 60, seen: 60 }, true, 61, 'continue'],
  ['stays while its condition is away for a moment', { since: 0, told: 0, seen: 10 }, false, 14, 'none'],
  ['ends', { since: 0, told: 0, seen: 10 }, false, 15, 'end'],
] as const)('an alert %s', (_name, alert, holds, now, step) => {
  const row = alert && {
    since: alert.since === null ? null : at(alert.since),
    notified_at: at(alert.told),
    true_at: at(alert.seen),
  };
  expect(alertStep(row, holds, reminderMs, at(now))).toBe(step);
});
