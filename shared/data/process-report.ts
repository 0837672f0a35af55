import { Schema } from 'mongoose';
import { date, number, partOptions, type Row, text } from './row.ts';

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
