import { Schema } from 'mongoose';
import { removeRow } from '#shared/data/remove-row.ts';
import { collection } from '../collection.ts';
import type { Db } from '../db.ts';
import { date, number, optional, partOptions, type Row, rowOptions, text } from '../row.ts';
import { forgetWorker, recordWorker } from './seen-workers.ts';
import { type ProcessReport, processReportSchema } from './server-reports.ts';

const recentImages = {
  made: number,
  /** For reasons that are not the sellers'. */
  failed: number,
  /** What those that were made took together, in ms. */
  ms: number,
};

/** What came of the images that a worker has made in the last hour. */
export interface RecentImages extends Row<typeof recentImages> {}

const slotsOfWorker = {
  /** A new id for each process. */
  _id: text,
  /** Images that it makes at the same time. */
  slots: number,
  /** Until when it counts, unless it reports again. */
  until: date,
  /** The generations that it makes now. */
  running: [String],
  /** Absent in reports of tests. */
  images: { type: new Schema(recentImages, partOptions), ...optional },
  report: { type: processReportSchema, required: true },
};

/** What a running worker reports, so that servers know how many images are made at the same time. */
export interface WorkerSlotsRow extends Omit<Row<typeof slotsOfWorker>, 'report' | 'images'> {
  images?: RecentImages;
  report: ProcessReport;
}

const workerSlotsSchema = new Schema<WorkerSlotsRow>(slotsOfWorker, rowOptions);
workerSlotsSchema.index({ until: 1 }, { expireAfterSeconds: 0 });

export const workerSlots = collection<WorkerSlotsRow>('worker_slots', workerSlotsSchema, 'beside');

/** Reports a worker. @param lifeMs how long the report counts */
export async function reportWorker(
  db: Db,
  workerId: string,
  reported: { slots: number; running: string[]; images?: RecentImages; report: ProcessReport },
  lifeMs: number,
): Promise<void> {
  await workerSlots(db).updateOne(
    { _id: workerId },
    { $set: { ...reported, until: new Date(Date.now() + lifeMs) } },
    { upsert: true },
  );
  const { host, pid, started_at, reported_at } = reported.report;
  await recordWorker(db, { _id: workerId, host, pid, started_at, reported_at });
}

/** Withdraws the report of a worker that stops. */
export async function withdrawWorker(db: Db, workerId: string): Promise<void> {
  await removeRow(workerSlots(db), { _id: workerId });
  await forgetWorker(db, workerId);
}

/** @returns the workers that run */
export function listWorkers(db: Db): Promise<WorkerSlotsRow[]> {
  return workerSlots(db)
    .find({ until: { $gt: new Date() } })
    .sort({ _id: 1 })
    .lean();
}

/** @returns how many images all running workers make at the same time */
export async function countSlots(db: Db): Promise<number> {
  const rows = await workerSlots(db)
    .find({ until: { $gt: new Date() } })
    .lean();
  return rows.reduce((sum, { slots }) => sum + slots, 0);
}

/** @returns how many workers run */
export function countWorkers(db: Db): Promise<number> {
  return workerSlots(db).countDocuments({ until: { $gt: new Date() } });
}
