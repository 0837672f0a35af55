import { Schema } from 'mongoose';
import { removeRow } from '#shared/data/remove-row.ts';
import { collection } from '../collection.ts';
import type { Db } from '../db.ts';
import { date, number, type Row, rowOptions, text } from '../row.ts';

const seenWorker = {
  /** As in `worker_slots`. */
  _id: text,
  host: text,
  pid: number,
  started_at: date,
  reported_at: date,
};

/** A worker that has reported and was not shut down: it runs, or it is gone. */
export interface SeenWorkerRow extends Row<typeof seenWorker> {}

export const seenWorkers = collection<SeenWorkerRow>(
  'seen_workers',
  new Schema<SeenWorkerRow>(seenWorker, rowOptions),
);

/** Records that a worker runs. */
export async function recordWorker(db: Db, { _id, ...seen }: SeenWorkerRow): Promise<void> {
  await seenWorkers(db).updateOne({ _id }, { $set: seen }, { upsert: true });
}

/** Forgets a worker that is shut down. */
export async function forgetWorker(db: Db, id: string): Promise<void> {
  await removeRow(seenWorkers(db), { _id: id });
}

/** @returns the workers that run, and those that are gone, in the order of their last report */
export function listSeenWorkers(db: Db): Promise<SeenWorkerRow[]> {
  return seenWorkers(db).find().sort({ reported_at: 1 }).lean();
}

/** Forgets workers that have not reported since a moment. */
export async function forgetWorkersBefore(db: Db, before: Date): Promise<void> {
  await seenWorkers(db).deleteMany({ reported_at: { $lt: before } });
}
