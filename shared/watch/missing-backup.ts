import type { BackupResultRow } from '#shared/data/operator/backup-results.ts';

/** How many intervals without a complete backup are too many. */
const mostIntervals = 2;

/**
 * Judges backups that are made on a schedule.
 * @returns what is wrong: the last one failed, or there is none for longer than two intervals; undefined if nothing is
 */
export function missingBackup(backup: BackupResultRow | null, now: Date): string | undefined {
  if (!backup) return undefined;
  const { ended_at: endedAt, expected_since: since, every_hours: hours, failure } = backup;
  const last = endedAt
    ? `The last complete backup ended at ${endedAt.toISOString()}`
    : `No backup is complete since ${since.toISOString()}`;
  if (failure !== null) return `The last backup failed: ${failure}. ${last}.`;
  const overdue = now.getTime() - (endedAt ?? since).getTime() > mostIntervals * hours * 3_600_000;
  return overdue ? `${last}; one is expected every ${hours} h.` : undefined;
}
