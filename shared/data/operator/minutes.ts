import { Schema } from 'mongoose';
import type { GenerationFailureCode } from '#contract';
import { collection } from '../collection.ts';
import { type Db, isDuplicateKey } from '../db.ts';
import { date, nullableDate, nullableNumber, number, type Row, rowOptions, text } from '../row.ts';
import { writeLater } from '../write-later.ts';

const minute = {
  /** The beginning of the minute in ISO 8601. */
  _id: text,
  at: date,
  /** When its figures were read; null while only ends were counted. */
  sampled_at: nullableDate,
  /** Jobs by state; null if the queue did not answer. */
  waiting: nullableNumber,
  running: nullableNumber,
  delayed: nullableNumber,
  failed_jobs: nullableNumber,
  /** Age in seconds of the image that has waited longest, of those that are not part of a batch; 0 if none waits. */
  oldest_waiting: nullableNumber,
  sockets: nullableNumber,
  workers: nullableNumber,
  /** Images that were made. */
  images: { ...number, default: 0 },
  /** Generations that failed, by cause. */
  failures: { type: Schema.Types.Mixed, default: undefined },
  /** How many images took how long from accepted to made, without those of batches, by bucket (time-left.ts). */
  durations: { type: Schema.Types.Mixed, default: undefined },
};

/** Figures of one minute of the installation, for the operators' charts. They say nothing about sellers. */
export interface MinuteRow extends Omit<Row<typeof minute>, 'failures' | 'durations'> {
  failures?: Partial<Record<GenerationFailureCode, number>>;
  durations?: Record<string, number>;
}

/** For how long minutes are kept, in seconds: a week, and a day more. */
const keptSeconds = 8 * 86_400;

const minuteSchema = new Schema<MinuteRow>(minute, rowOptions);
minuteSchema.index({ at: 1 }, { expireAfterSeconds: keptSeconds });

export const minutes = collection<MinuteRow>('minutes', minuteSchema, 'apart');

/** The figures that are read once a minute. */
export type MinuteSample = Pick<
  MinuteRow,
  'waiting' | 'running' | 'delayed' | 'failed_jobs' | 'oldest_waiting' | 'sockets' | 'workers'
>;

/** The sample of a minute whose figures were not read. */
const noSample: Record<keyof MinuteSample, null> = {
  waiting: null,
  running: null,
  delayed: null,
  failed_jobs: null,
  oldest_waiting: null,
  sockets: null,
  workers: null,
};

/** The beginning of the minute of a moment. */
export const minuteOf = (moment: Date) => new Date(moment.getTime() - (moment.getTime() % 60_000));

/** Whether the figures of a minute were read. */
export async function isSampled(db: Db, at: Date): Promise<boolean> {
  return (await minutes(db).exists({ _id: at.toISOString(), sampled_at: { $ne: null } })) !== null;
}

/**
 * Stores the figures of a minute, once: however many processes try, one succeeds.
 * @param at the beginning of the minute
 * @returns whether this call stored them
 */
export async function storeSample(db: Db, at: Date, sample: MinuteSample): Promise<boolean> {
  const store = (upsert: boolean) =>
    minutes(db).updateOne(
      { _id: at.toISOString(), sampled_at: null },
      { $set: { ...sample, sampled_at: new Date() }, $setOnInsert: { at, images: 0 } },
      { upsert },
    );
  try {
    const { modifiedCount, upsertedCount } = await store(true);
    return modifiedCount + upsertedCount === 1;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  // It was inserted meanwhile: sampled by another process, or only because a generation ended.
  return (await store(false)).modifiedCount === 1;
}

/** The end of a generation as it is counted. */
export interface CountedEnd {
  at: Date;
  images: number;
  failure: GenerationFailureCode | null;
  /** Bucket of its time from accepted to made; null if it is not counted. */
  bucket: number | null;
}

/** Counts the end of a generation in its minute, within a second. */
export async function countEndInMinute(db: Db, { at, images, failure, bucket }: CountedEnd): Promise<void> {
  const begin = minuteOf(at);
  const update = {
    $inc: {
      images,
      ...(failure !== null && { [`failures.${failure}`]: 1 }),
      ...(bucket !== null && { [`durations.${bucket}`]: 1 }),
    },
    $setOnInsert: { at: begin, sampled_at: null, ...noSample },
  };
  const filter = { _id: begin.toISOString() as never };
  await writeLater(db, minutes, { updateOne: { filter, update, upsert: true } });
}

/** @returns the minutes that began at a moment or later, in order */
export function listMinutes(db: Db, since: Date): Promise<MinuteRow[]> {
  return minutes(db)
    .find({ at: { $gte: since } })
    .sort({ at: 1 })
    .lean();
}
