import { paths, type ReadNotifications, unreadNotificationsSchema } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Marks notifications as read. @throws ApiError */
export function readNotifications(which: ReadNotifications): Promise<{ unread: number }> {
  return callApi('POST', paths.readNotifications, unreadNotificationsSchema, { body: which });
}
