import { Schema } from 'mongoose';
import {
  type GenerationFailureCode,
  limits,
  type Moderation,
  notificationKinds,
  type PlanId,
  type ReadNotifications,
} from '#contract';
import { collection, insertRow } from './collection.ts';
import { type Db, isDuplicateKey, newId } from './db.ts';
import { date, nullableDate, nullableText, type Row, rowOptions, text } from './row.ts';

/** What a notification says; its text is made from it when it is read (shared/views/notification.ts). */
export type NotificationContent =
  | { kind: 'image-ready'; data: { product_name: string; made: number; asked: number } }
  | {
      kind: 'image-failed';
      data: {
        product_name: string;
        asked: number;
        failure: GenerationFailureCode;
        /** If the image provider's moderation refused the request. */
        moderation?: Moderation;
      };
    }
  | {
      kind: 'batch-ended';
      data: { batch: string; name: string; made: number; failed: number; cancelled: number };
    }
  /** `renews_at`: null if the plan ends. `free`: true if it is about the free images of a seller without a plan. */
  | { kind: 'low-balance'; data: { left: number; renews_at: Date | null; free?: boolean } }
  /** `images`: null if the plan has no monthly number. */
  | { kind: 'payment-succeeded'; data: { plan: PlanId; images: number | null; until: Date } }
  | { kind: 'payment-failed'; data: { grace_until: Date | null } }
  | { kind: 'plan-ended'; data: { plan: PlanId } };

const notification = {
  _id: text,
  /** The seller's id. */
  profile: text,
  /** What happened: one notification is written for it, however often it is tried. */
  key: text,
  kind: { type: String, enum: notificationKinds, required: true },
  data: { type: Schema.Types.Mixed, required: true },
  /** The generation that it is about, and the set if it is one of several. */
  generation: nullableText,
  set: nullableText,
  created_at: date,
  read_at: nullableDate,
};

/** A notification of a seller (docs/decisions/0056-notifications.md). */
export type NotificationRow = Omit<Row<typeof notification>, 'kind' | 'data'> & NotificationContent;

const notificationSchema = new Schema<NotificationRow>(notification, rowOptions);
notificationSchema.index({ profile: 1, key: 1 }, { unique: true });
notificationSchema.index({ profile: 1, created_at: -1, _id: -1 });
notificationSchema.index({ profile: 1, read_at: 1 });
notificationSchema.index({ created_at: 1 }, { name: 'by_age' });

export const notifications = collection<NotificationRow>('notifications', notificationSchema, 'apart');

/** What a new notification consists of. */
export type NewNotification = Pick<NotificationRow, 'profile' | 'key' | 'generation' | 'set'> &
  NotificationContent;

/** Writes a notification once. @returns null when there is one with this key already */
export async function insertNotification(db: Db, parts: NewNotification): Promise<NotificationRow | null> {
  try {
    const row: NotificationRow = { _id: newId(), ...parts, created_at: new Date(), read_at: null };
    await insertRow(notifications(db), row);
    return row;
  } catch (error) {
    if (isDuplicateKey(error)) return null;
    throw error;
  }
}

/** @returns a seller's notification with this key, or null */
export function findNotification(db: Db, sellerId: string, key: string): Promise<NotificationRow | null> {
  return notifications(db).findOne({ profile: sellerId, key }).lean<NotificationRow>();
}

/**
 * A page of a seller's notifications, newest first.
 * @param before the last row of the previous page
 */
export function listNotifications(
  db: Db,
  sellerId: string,
  limit: number,
  before?: { created_at: Date; _id: string },
): Promise<NotificationRow[]> {
  const older = before && {
    created_at: { $lte: before.created_at },
    $or: [{ created_at: { $lt: before.created_at } }, { _id: { $lt: before._id } }],
  };
  return notifications(db)
    .find({ profile: sellerId, ...older })
    .sort({ created_at: -1, _id: -1 })
    .limit(limit)
    .lean<NotificationRow[]>();
}

/** @returns how many notifications a seller has not read; at most `limits.notificationsCounted` are counted */
export function countUnread(db: Db, sellerId: string): Promise<number> {
  const unread = { profile: sellerId, read_at: null };
  return notifications(db).countDocuments(unread, { limit: limits.notificationsCounted });
}

/** Marks some of a seller's notifications as read, by id or all up to a moment. */
export async function markRead(db: Db, sellerId: string, which: ReadNotifications): Promise<void> {
  await notifications(db).updateMany(
    {
      profile: sellerId,
      read_at: null,
      ...('ids' in which ? { _id: { $in: which.ids } } : { created_at: { $lte: new Date(which.until) } }),
    },
    { $set: { read_at: new Date() } },
  );
}

/** Removes the name of the product from a notification: the seller deleted the image. */
export async function removeProductName(db: Db, sellerId: string, key: string): Promise<void> {
  await notifications(db).updateOne({ profile: sellerId, key }, { $set: { 'data.product_name': '' } });
}

/** A seller's notifications, the oldest first. */
export function notificationsOf(db: Db, sellerId: string): AsyncIterable<NotificationRow> {
  return notifications(db)
    .find({ profile: sellerId })
    .sort({ created_at: 1, _id: 1 })
    .lean<NotificationRow[]>()
    .cursor();
}
