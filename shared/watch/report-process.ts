import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Db } from '#shared/data/db.ts';
import { migrations } from '#shared/data/migrations/index.ts';
import { assertNotNewer, NewerDatabaseError } from '#shared/data/migrations/migrate.ts';
import type { ProcessReport } from '#shared/data/queue/server-reports.ts';
import { inTime } from '#shared/platform/in-time.ts';
import { runPeriodically } from '#shared/platform/periodic-task.ts';
import { release } from '#shared/platform/version.ts';
import type { WatchContext } from './context.ts';
import type { DatabaseWatch } from './database-watch.ts';
import { createStoreChecks } from './store-checks.ts';

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

/** Options that tests set. */
interface ReportingOptions {
  /** Time between two reports, in ms. */
  everyMs?: number;
  /** Ends the process. */
  end?: (error: NewerDatabaseError) => void;
}

/** Reports of a process that runs. */
export interface ProcessReports {
  /** Has reported once, and a newer version has not migrated the database. @throws a NewerDatabaseError */
  ready: Promise<void>;
  /** Withdraws the report. */
  stop(): Promise<void>;
}

/**
 * Reports regularly that this process runs, and which stores fail for it. Ends the process when a newer version has migrated
 * the database, which this one would damage: it was not seen then, such as one that was stopped for minutes.
 * @param database is told whether MongoDB took the reports
 */
export function reportRegularly(
  context: WatchContext,
  { bytes, write, withdraw }: Reporting,
  database: DatabaseWatch,
  { everyMs = 10_000, end = endProcess }: ReportingOptions = {},
): ProcessReports {
  const id = randomUUID();
  const started_at = new Date();
  const checks = createStoreChecks(context, bytes);
  async function report(): Promise<void> {
    const problems = await checks.check();
    const reported = {
      version: release,
      last_migration: migrations.at(-1)!.name,
      host: hostname(),
      pid: process.pid,
      started_at,
      reported_at: new Date(),
      problems,
    };
    const written = write(context.db, id, reported, lifeMs).then(() => assertNotNewer(context.db));
    // A database that hangs instead of refusing connections would keep the report waiting for ever.
    await inTime(written, answerMs).then(
      () => database.record(undefined),
      (error) => {
        if (error instanceof NewerDatabaseError) throw error;
        context.log.warn({ err: error }, 'this process could not be reported');
        database.record(error);
      },
    );
  }
  const first = report();
  const task = runPeriodically(everyMs, report, (error) => {
    if (error instanceof NewerDatabaseError) end(error);
    else context.log.warn({ err: error }, 'this process could not be reported');
  });
  return {
    ready: first,
    async stop() {
      await Promise.all([first.catch(() => {}), task.stop()]);
      await withdraw(context.db, id).catch((error) =>
        context.log.warn({ err: error }, 'the report of this process was not withdrawn'),
      );
    },
  };
}

/** As an uncaught error, which closes the process (`shared/platform/process.ts`). */
function endProcess(error: NewerDatabaseError): void {
  setImmediate(() => {
    throw error;
  });
}
