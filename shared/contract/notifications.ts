import { z } from 'zod';
import { limits } from './limits.ts';

/** What a notification is about. */
export const notificationKinds = [
  'image-ready',
  'image-failed',
  'batch-ended',
  'low-balance',
  'payment-succeeded',
  'payment-failed',
  'plan-ended',
] as const;

export const notificationViewSchema = z.object({
  id: z.string(),
  kind: z.enum(notificationKinds),
  title: z.string(),
  /** What else there is to say; may be empty. */
  text: z.string(),
  /** The generation that it is about; of a set the first one. Null if it is about a batch or the plan. */
  generationId: z.string().nullable(),
  /** The set that it is about; null for a generation that is alone. */
  setId: z.string().nullable(),
  /** The batch that it is about; null for all others. */
  batchId: z.string().nullable(),
  createdAt: z.iso.datetime(),
  read: z.boolean(),
});
export type NotificationView = z.infer<typeof notificationViewSchema>;

/** Reply of `GET /api/notifications`. */
export const notificationListSchema = z.object({
  notifications: z.array(notificationViewSchema),
  /** Those that are not read, on all pages; at most `limits.notificationsCounted` are counted. */
  unread: z.number().int(),
  /** Null on the last page. */
  nextCursor: z.string().nullable(),
});
export type NotificationList = z.infer<typeof notificationListSchema>;

/** Body of `POST /api/notifications/read`: some of them by id, or all up to a moment. */
export const readNotificationsSchema = z.union([
  z.strictObject({ ids: z.array(z.string().max(100)).min(1).max(limits.pageSizeMost) }),
  z.strictObject({ until: z.iso.datetime() }),
]);
export type ReadNotifications = z.infer<typeof readNotificationsSchema>;

export const unreadNotificationsSchema = z.object({ unread: z.number().int() });
