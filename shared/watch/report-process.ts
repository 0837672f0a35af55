import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Db } from '#shared/data/db.ts';
import type { ProcessReport } from '#shared/data/queue/server-reports.ts';
import { inTime } from '#shared/platform/in-time.ts';
import { runPeriodically } from '#shared/platform/periodic-task.ts';
import { release } from '#shared/platform/version.ts';
import type { WatchContext } from './context.ts';
import type { DatabaseWatch } from './database-watch.ts';
import { createStoreChecks } from './store-checks.ts';

/** Time between two reports of a process, in ms. */
const everyMs = 10_000;
/** How long MongoDB may take for a report, in ms. */
const answerMs = 10_000;
/** How long a report counts, in ms: several may fail before the process no longer counts. */
const lifeMs = 60_000;

/** How a process reports. */
interface Reporting {
  /** Free space that the process needs in its storage, in bytes. */
  bytes: number;
  write(db: Db, id: string, report: ProcessReport, lifeMs: number): Promise<void>;
  withdraw(db: Db, id: string): Promise<void>;
}

/** Reports of a process that runs. */
export interface ProcessReports {
  /** Withdraws the report. */
  stop(): Promise<void>;
}

/**
 * Reports regularly that this process runs, and which stores fail for it.
 * @param database is told whether MongoDB took the reports
 */
export function reportRegularly(
  context: WatchContext,
  { bytes, write, withdraw }: Reporting,
  database: DatabaseWatch,
): ProcessReports {
  const id = randomUUID();
  const started_at = new Date();
  const checks = createStoreChecks(context, bytes);
  async function report(): Promise<void> {
    const problems = await checks.check();
    const reported = { version: release, host: hostname(), pid: process.pid, started_at, problems };
    const written = write(context.db, id, { ...reported, reported_at: new Date() }, lifeMs);
    // A database that hangs instead of refusing connections would keep the report waiting for ever.
    await inTime(written, answerMs).then(
      () => database.record(undefined),
      (error) => {
        context.log.warn({ err: error }, 'this process could not be reported');
        database.record(error);
      },
    );
  }
  const warn = (error: unknown) => context.log.warn({ err: error }, 'this process could not be reported');
  const first = report().catch(warn);
  const task = runPeriodically(everyMs, report, warn);
  return {
    async stop() {
      await Promise.all([first, task.stop()]);
      await withdraw(context.db, id).catch((error) =>
        context.log.warn({ err: error }, 'the report of this process was not withdrawn'),
      );
    },
  };
}
