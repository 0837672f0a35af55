import { Schema } from 'mongoose';
import { type ImageQuality, imageQualities } from '#contract';
import { collection } from '../collection.ts';
import type { Db } from '../db.ts';
import { date, type Row, rowOptions, text } from '../row.ts';
import { writeLater } from '../write-later.ts';

const duration = {
  /** Model, size, quality and hour. */
  _id: text,
  model: text,
  /** `<width>x<height>`. */
  size: text,
  quality: { type: String, enum: imageQualities, required: true },
  /** The beginning of the hour in which the images were finished. */
  hour: date,
  /** How many took how long, by bucket (shared/platform/histogram.ts). */
  counts: { type: Schema.Types.Mixed, required: true },
};

/** How long images of one kind took in one hour. It says nothing about whose they were. */
export interface DurationRow extends Omit<Row<typeof duration>, 'counts'> {
  counts: Record<string, number>;
}

/** For how long they are used, in ms; they are kept for an hour more, because the first of them is not over yet. */
const durationsMs = 24 * 3_600_000;

const durationSchema = new Schema<DurationRow>(duration, rowOptions);
durationSchema.index({ hour: 1 }, { expireAfterSeconds: durationsMs / 1_000 + 3_600 });

export const durations = collection<DurationRow>('durations', durationSchema, 'apart');

/** What kind an image is of. */
export interface ImageKind {
  model: string;
  size: string;
  quality: ImageQuality;
}

/** Counts an image within a second. @param bucket of its duration */
export async function recordDuration(
  db: Db,
  { model, size, quality }: ImageKind,
  bucket: number,
): Promise<void> {
  const now = Date.now();
  const hour = new Date(now - (now % 3_600_000));
  const _id = `${model} ${size} ${quality} ${hour.toISOString().slice(0, 13)}`;
  const update = { $inc: { [`counts.${bucket}`]: 1 }, $setOnInsert: { model, size, quality, hour } };
  await writeLater(db, durations, { updateOne: { filter: { _id: _id as never }, update, upsert: true } });
}

/** @returns what was counted in the last day */
export function listDurations(db: Db): Promise<DurationRow[]> {
  const since = new Date(Date.now() - durationsMs - 3_600_000);
  return durations(db)
    .find({ hour: { $gt: since } })
    .sort({ hour: 1 })
    .lean<DurationRow[]>();
}
