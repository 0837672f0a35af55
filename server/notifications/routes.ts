import {
  limits,
  notificationListSchema,
  pageQuerySchema,
  paths,
  readNotificationsSchema,
  unreadNotificationsSchema,
} from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { decodeCursor, encodeCursor } from '#server/http/cursor.ts';
import { errorReplies } from '#server/http/replies.ts';
import { countUnread, listNotifications, markRead } from '#shared/data/notifications.ts';
import { presentNotification } from '#shared/views/notification.ts';

/** A seller's notifications: list, mark as read (docs/decisions/0056-notifications.md). */
export async function notificationRoutes(app: App, { context }: { context: ServerContext }) {
  const { db } = context;

  app.get(
    paths.notifications,
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'listNotifications',
        tags: ['notifications'],
        summary: "The seller's notifications, newest first",
        description: `Each is kept for ${limits.notificationDays} days.`,
        querystring: pageQuerySchema,
        response: { 200: notificationListSchema, ...errorReplies(400, 401) },
      },
    },
    async (request) => {
      const { sellerId } = request.caller;
      const { limit, cursor } = request.query;
      const before = cursor === undefined ? undefined : decodeCursor(cursor);
      const [rows, unread] = await Promise.all([
        listNotifications(db, sellerId, limit + 1, before),
        countUnread(db, sellerId),
      ]);
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return {
        notifications: page.map(presentNotification),
        unread,
        nextCursor: rows.length > limit && last ? encodeCursor(last) : null,
      };
    },
  );

  app.post(
    paths.readNotifications,
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'readNotifications',
        tags: ['notifications'],
        summary: 'Mark notifications as read',
        description: 'With `ids` these, with `until` all that were written until then.',
        body: readNotificationsSchema,
        response: { 200: unreadNotificationsSchema, ...errorReplies(400, 401) },
      },
    },
    async (request) => {
      const { sellerId } = request.caller;
      await markRead(db, sellerId, request.body);
      return { unread: await countUnread(db, sellerId) };
    },
  );
}
