import type { NotificationView } from '#contract';
import type { NotificationRow } from '#shared/data/notifications.ts';
import { notificationText } from './notification-text.ts';

/** What a seller sees of a notification, the same over HTTP and over the socket. */
export function presentNotification(row: NotificationRow): NotificationView {
  return {
    id: row._id,
    kind: row.kind,
    ...notificationText(row),
    generationId: row.generation,
    setId: row.set,
    batchId: row.kind === 'batch-ended' ? row.data.batch : null,
    createdAt: row.created_at.toISOString(),
    read: row.read_at !== null,
  };
}
