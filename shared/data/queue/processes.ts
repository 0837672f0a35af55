import type { Db } from '../db.ts';
import { listServers, type ProcessReport } from './server-reports.ts';
import { listWorkers } from './worker-slots.ts';

/** A server or worker that runs. */
export interface RunningProcess {
  id: string;
  /** What a person finds it by. */
  name: string;
  /** The name of the last migration that it knows. */
  lastMigration: string | undefined;
  /** Until when it counts, unless it reports again. */
  until: Date;
}

/** @returns the servers and workers that run, and those that were killed less than a minute ago */
export async function listProcesses(db: Db): Promise<RunningProcess[]> {
  const [servers, workers] = await Promise.all([listServers(db), listWorkers(db)]);
  return [...servers.map(running('server')), ...workers.map(running('worker'))];
}

const running =
  (kind: string) =>
  ({ _id, until, report }: { _id: string; until: Date; report: ProcessReport }): RunningProcess => ({
    id: _id,
    name: `the ${kind} with process ${report.pid} on ${report.host} (${report.version})`,
    lastMigration: report.last_migration,
    until,
  });

/** @returns those that do not know a migration */
export async function listOlderProcesses(db: Db, migration: string): Promise<RunningProcess[]> {
  const all = await listProcesses(db);
  return all.filter(({ lastMigration = '' }) => lastMigration < migration);
}
