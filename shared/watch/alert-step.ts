import type { AlertRow } from '#shared/data/operator/alerts.ts';

/** What becomes of an alert in a round. */
export type AlertStep = 'begin' | 'continue' | 'remind' | 'end' | 'none';

/** For how long the condition must be false before an alert ends, in ms: one that comes and goes is told once. */
const quietMs = 300_000;

/**
 * Decides what becomes of an alert.
 * @param alert undefined if it never began
 * @param holds whether its condition is true now
 * @param reminderMs time between two reminders
 */
export function alertStep(
  alert: Pick<AlertRow, 'since' | 'true_at' | 'notified_at'> | undefined,
  holds: boolean,
  reminderMs: number,
  now: Date,
): AlertStep {
  const passed = (since: Date, ms: number) => now.getTime() - since.getTime() >= ms;
  if (!alert?.since) return holds ? 'begin' : 'none';
  if (!holds) return passed(alert.true_at, quietMs) ? 'end' : 'none';
  return passed(alert.notified_at, reminderMs) ? 'remind' : 'continue';
}
