import { Schema } from 'mongoose';
import { removeRow } from '#shared/data/remove-row.ts';
import { collection } from '../collection.ts';
import type { Db } from '../db.ts';
import { date, number, partOptions, type Row, rowOptions, text } from '../row.ts';

/** The stores that a process checks. MongoDB is not among them: a report is in MongoDB. */
const checkedStores = ['queue', 'storage'] as const;
export type CheckedStore = (typeof checkedStores)[number];

const problem = {
  store: { type: String, enum: checkedStores, required: true },
  error: text,
  /** When the process noticed it. */
  since: date,
};

const report = {
  version: text,
  /** The name of the last migration that it knows. */
  last_migration: text,
  host: text,
  pid: number,
  started_at: date,
  reported_at: date,
  /** Stores that fail for this process. */
  problems: [new Schema(problem, partOptions)],
};

/** A store that fails for a process. */
export interface StoreProblem extends Row<typeof problem> {}

/** What servers and workers report about themselves while they run. */
export interface ProcessReport extends Omit<Row<typeof report>, 'problems'> {
  problems: StoreProblem[];
}

export const processReportSchema = new Schema<ProcessReport>(report, partOptions);

const serverReport = {
  /** A new id for each process. */
  _id: text,
  /** Until when it counts, unless it reports again. */
  until: date,
  sockets: number,
  report: { type: processReportSchema, required: true },
};

/** What a running server reports. */
export interface ServerReportRow extends Omit<Row<typeof serverReport>, 'report'> {
  report: ProcessReport;
}

const serverReportSchema = new Schema<ServerReportRow>(serverReport, rowOptions);
serverReportSchema.index({ until: 1 }, { expireAfterSeconds: 0 });

export const serverReports = collection<ServerReportRow>('server_reports', serverReportSchema);

/** Reports a server. @param lifeMs how long the report counts */
export async function reportServer(
  db: Db,
  serverId: string,
  { sockets, report }: Pick<ServerReportRow, 'sockets' | 'report'>,
  lifeMs: number,
): Promise<void> {
  await serverReports(db).updateOne(
    { _id: serverId },
    { $set: { sockets, report, until: new Date(Date.now() + lifeMs) } },
    { upsert: true },
  );
}

/** Withdraws the report of a server that stops. */
export async function withdrawServer(db: Db, serverId: string): Promise<void> {
  await removeRow(serverReports(db), { _id: serverId });
}

/** @returns the servers that run */
export function listServers(db: Db): Promise<ServerReportRow[]> {
  return serverReports(db)
    .find({ until: { $gt: new Date() } })
    .sort({ _id: 1 })
    .lean();
}
