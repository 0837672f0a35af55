import { Schema, type UpdateQuery } from 'mongoose';
import { type AlertEvent, type AlertKind, alertEvents, alertKinds } from '#contract';
import { eachOf } from '../add-to-lists.ts';
import { collection } from '../collection.ts';
import { type Db, isDuplicateKey } from '../db.ts';
import { date, nullableDate, partOptions, type Row, rowOptions, text } from '../row.ts';

/** How what happened to an alert is told. */
export const alertChannels = ['mail', 'webhook'] as const;
export type AlertChannel = (typeof alertChannels)[number];

const notice = {
  /** Idempotency key of its mail or its call of the webhook. */
  id: text,
  channel: { type: String, enum: alertChannels, required: true },
  event: { type: String, enum: alertEvents, required: true },
  at: date,
  /** When the alert began. */
  since: date,
  details: text,
};

/** What must still be told about an alert, by one channel. */
export interface AlertNotice extends Row<typeof notice> {}

const alert = {
  _id: { type: String, enum: alertKinds, required: true },
  /** When it began; null while there is none. */
  since: nullableDate,
  /** When its condition was last true. */
  true_at: date,
  details: text,
  /** When its beginning or the last reminder was told. */
  notified_at: date,
  ended_at: nullableDate,
  /** In the order in which it happened. Removed once they are in the outbox of their channel. */
  notices: [new Schema(notice, partOptions)],
};

/** An alert: one document for each kind that ever began. */
export interface AlertRow extends Omit<Row<typeof alert>, 'notices'> {
  notices: AlertNotice[];
}

const alertSchema = new Schema<AlertRow>(alert, rowOptions);

export const alerts = collection<AlertRow>('alerts', alertSchema);

/** @returns every alert that ever began */
export function listAlerts(db: Db): Promise<AlertRow[]> {
  return alerts(db).find().sort({ _id: 1 }).lean();
}

/** The beginning of the ids of all notices of a kind. */
export const noticePrefix = (kind: AlertKind) => `${kind}.`;

/** What is added to an alert so that an event is told by each channel. */
function telling(kind: AlertKind, event: AlertEvent, since: Date, at: Date, details: string) {
  const id = `${noticePrefix(kind)}${event}.${at.toISOString()}`;
  return eachOf({ notices: alertChannels.map((channel) => ({ id, channel, event, at, since, details })) });
}

/** Begins an alert, and records that this must be told. @returns false when it had begun */
export async function beginAlert(db: Db, kind: AlertKind, now: Date, details: string): Promise<boolean> {
  try {
    const { modifiedCount, upsertedCount } = await alerts(db).updateOne(
      { _id: kind, since: null },
      {
        $set: { since: now, true_at: now, notified_at: now, ended_at: null, details },
        $push: telling(kind, 'began', now, now, details),
      },
      { upsert: true },
    );
    return modifiedCount + upsertedCount === 1;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/**
 * Records that the condition of an alert is still true.
 * @param seen as it was read
 * @param remind whether this must be told
 */
export async function continueAlert(
  db: Db,
  seen: AlertRow & { since: Date },
  now: Date,
  { details, remind }: { details: string; remind: boolean },
): Promise<void> {
  await change(db, seen, {
    $set: { true_at: now, details, ...(remind && { notified_at: now }) },
    ...(remind && { $push: telling(seen._id, 'reminder', seen.since, now, details) }),
  });
}

/** Ends an alert, and records that this must be told. @param seen as it was read @returns false when it has changed since */
export async function endAlert(db: Db, seen: AlertRow & { since: Date }, now: Date): Promise<boolean> {
  return change(db, seen, {
    $set: { since: null, ended_at: now },
    $push: telling(seen._id, 'ended', seen.since, now, seen.details),
  });
}

/** Records that a notice is in the outbox of its channel. */
export async function removeNotice(
  db: Db,
  kind: AlertKind,
  { id, channel }: Pick<AlertNotice, 'id' | 'channel'>,
): Promise<void> {
  await alerts(db).updateOne({ _id: kind }, { $pull: { notices: { id, channel } } });
}

async function change(db: Db, seen: AlertRow, update: UpdateQuery<AlertRow>): Promise<boolean> {
  const { _id, since, true_at, notified_at } = seen;
  const { modifiedCount } = await alerts(db).updateOne({ _id, since, true_at, notified_at }, update);
  return modifiedCount === 1;
}
