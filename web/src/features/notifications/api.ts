import {
  type NotificationList,
  notificationListSchema,
  paths,
  type ReadNotifications,
  unreadNotificationsSchema,
} from '#contract';
import { callApi } from '#web/lib/api.ts';

/** One page of the notifications, newest first. @param cursor `nextCursor` of the previous page @throws ApiError */
export function listNotifications(cursor: string | null, signal?: AbortSignal): Promise<NotificationList> {
  const query = cursor === null ? '' : `?${new URLSearchParams({ cursor })}`;
  return callApi('GET', `${paths.notifications}${query}`, notificationListSchema, { signal });
}

/** Marks notifications as read. @throws ApiError */
export function readNotifications(which: ReadNotifications): Promise<{ unread: number }> {
  return callApi('POST', paths.readNotifications, unreadNotificationsSchema, { body: which });
}
