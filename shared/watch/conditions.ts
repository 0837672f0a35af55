import type { AlertKind, GenerationFailureCode } from '#contract';
import type { RefusedSeller } from '#shared/data/generations/refusals.ts';
import type { AuditResultRow } from '#shared/data/operator/audit-results.ts';
import type { BackupResultRow } from '#shared/data/operator/backup-results.ts';
import type { MinuteRow } from '#shared/data/operator/minutes.ts';
import type { SeenWorkerRow } from '#shared/data/queue/seen-workers.ts';
import type { ProcessReport, StoreProblem } from '#shared/data/queue/server-reports.ts';
import type { Config } from '#shared/platform/config.ts';
import type { ProviderFlow } from '#shared/provider/flow.ts';
import { missingWorkers } from './gone-workers.ts';
import { missingBackup } from './missing-backup.ts';
import { failuresOf } from './series.ts';
import { type Spending, spendingConditions } from './spending.ts';

/** What the conditions of alerts are judged by. */
export interface Facts {
  /** The last quarter of an hour, in order. */
  minutes: readonly MinuteRow[];
  provider: ProviderFlow;
  /** When the image that has waited longest was accepted, of those that are not part of a batch. */
  waitingSince: Date | null;
  audit: AuditResultRow | null;
  backup: BackupResultRow | null;
  reports: readonly ProcessReport[];
  /** Those that run or are gone, in the order of their last report. */
  workers: readonly SeenWorkerRow[];
  /** How many mails were tried and not accepted, the oldest of them and why it was not. */
  mails: { count: number; since: Date | null; failure: string | null };
  spending: Spending;
  /** The sellers whose images moderation refused most often today. */
  refused: readonly RefusedSeller[];
}

/** The conditions that are true, with what exactly. */
export type Conditions = Partial<Record<AlertKind, string>>;

/** How far back facts go, in ms. */
export const factsMs = 15 * 60_000;

/** How long something must last before it is an alert, in ms: shorter pauses and restarts are usual. */
const lasting = { storeProblem: 60_000, mails: 600_000 };

/** Fewer failures than this in a quarter of an hour are no rate. */
const fewestFailures = 4;

/** Failures that are not ours: the seller's photos, texts, cancels or plan. */
export const sellersOwn: ReadonlySet<string> = new Set<GenerationFailureCode>([
  'CONTENT_REFUSED',
  'UNPAID_CALLS',
  'NOT_COVERED',
  'PHOTOS_UNREADABLE',
]);

/** Judges which alerts there should be. */
export function conditionsOf(facts: Facts, limits: Config['alerts'], now: Date): Conditions {
  const { minutes, provider, waitingSince, audit, backup, reports, workers, mails, spending, refused } =
    facts;
  const age = (since: Date) => now.getTime() - since.getTime();
  const holds: Conditions = { ...spendingConditions(spending, now) };

  if (provider.breaker !== 'closed') {
    const since = provider.since?.toISOString() ?? 'a moment ago';
    holds['provider-breaker-open'] = `Since ${since}: ${provider.cause ?? provider.kind ?? 'refused'}`;
  }
  if (waitingSince && age(waitingSince) > limits.oldestWaitingMs) {
    holds['oldest-waiting'] = `An image has been waiting for ${Math.round(age(waitingSince) / 60_000)} min.`;
  }
  const rate = failureRate(minutes, limits.failurePercent);
  if (rate !== undefined) holds['failure-rate'] = rate;
  const sampled = minutes.filter(({ sampled_at: at }) => at !== null);
  // Twice in a row: a worker that restarts is missing for some seconds.
  if (sampled.length > 1 && sampled.slice(-2).every(({ workers }) => workers === 0)) {
    holds['no-worker'] = 'No worker has reported for more than a minute.';
  }
  // After an outage of MongoDB, which nobody could report to, a minute is missing.
  const [before, last] = sampled.slice(-2);
  const missing = missingWorkers(workers, now);
  if (last && last.at.getTime() - before!.at.getTime() <= 60_000 && missing.length > 0) {
    holds['worker-gone'] = goneText(missing, now);
  }
  const lasted = reports.flatMap(({ host, pid, problems }) =>
    problems
      .filter(({ since }) => age(since) >= lasting.storeProblem)
      .map((problem) => ({ ...problem, host: `${host}, process ${pid}` })),
  );
  const storage = problemsOf(lasted, 'storage');
  if (storage !== undefined) holds['storage-away'] = storage;
  const queue = problemsOf(lasted, 'queue');
  if (queue !== undefined) holds['store-away'] = `The queue: ${queue}`;
  if (mails.since && age(mails.since) >= lasting.mails) {
    holds['mails-failing'] =
      `${mails.count === 1 ? '1 mail waits' : `${mails.count} mails wait`} after the mail server did not accept them: ${mails.failure}`;
  }
  const often = refused.filter(({ count }) => limits.refusalsADay > 0 && count > limits.refusalsADay);
  if (often.length > 0) {
    const { _id: id, count } = often[0]!;
    const others = often.length > 1 ? `; ${often.length} sellers are over the limit` : '';
    holds['seller-refused'] = `Moderation refused ${count} images of seller ${id} today${others}.`;
  }
  if (audit && audit.findings > 0) {
    holds['audit-not-clean'] =
      `The audit that ended at ${audit.ended_at.toISOString()} found ${audit.findings} ${audit.findings === 1 ? 'problem' : 'problems'}.`;
  }
  const backups = missingBackup(backup, now);
  if (backups !== undefined) holds['backup-failing'] = backups;
  return holds;
}

function goneText(missing: readonly SeenWorkerRow[], now: Date): string {
  const { host, pid, reported_at: at } = missing.at(-1)!;
  const minutes = Math.round((now.getTime() - at.getTime()) / 60_000);
  const others = missing.length > 1 ? `; ${missing.length} workers are gone` : '';
  return `The worker on ${host}, process ${pid}, has not reported for ${minutes} min and was not shut down${others}.`;
}

function failureRate(minutes: readonly MinuteRow[], percent: number): string | undefined {
  const causes = Object.entries(failuresOf(minutes)).filter(([cause]) => !sellersOwn.has(cause));
  const failed = causes.reduce((sum, [, count]) => sum + count, 0);
  const made = minutes.reduce((sum, { images }) => sum + images, 0);
  if (failed < fewestFailures || (failed / (failed + made)) * 100 <= percent) return undefined;
  const named = causes.map(([cause, count]) => `${cause} ${count}`).join(', ');
  return `${failed} of ${failed + made} images failed in the last 15 min: ${named}.`;
}

function problemsOf(
  problems: readonly (StoreProblem & { host: string })[],
  store: StoreProblem['store'],
): string | undefined {
  const own = problems.filter((problem) => problem.store === store);
  if (own.length === 0) return undefined;
  const { host, error } = own[0]!;
  return `${error} (${host}${own.length > 1 ? ` and ${own.length - 1} more` : ''})`;
}
