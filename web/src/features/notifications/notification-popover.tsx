import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import clsx from 'clsx';
import type { ReactElement } from 'react';
import { useNavigate } from 'react-router-dom';
import { limits, type Me, type NotificationView, pages } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { serverNow } from '#web/lib/clock.ts';
import { useDates } from '#web/lib/dates.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { textLinkClass } from '#web/ui/button.tsx';
import { PagedListFooter } from '#web/ui/list-status.tsx';
import { OpenPopover } from '#web/ui/open-popover.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { toastError } from '#web/ui/toast-error.ts';
import { listNotifications, readNotifications } from './api.ts';

/** The seller's notifications, newest first. One that is opened counts as read. */
export function NotificationPopover({ trigger }: { trigger: ReactElement }) {
  const navigate = useNavigate();
  const list = useInfiniteQuery({
    queryKey: queryKeys.notifications,
    queryFn: ({ pageParam, signal }) => listNotifications(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });
  const { mutate: markRead } = useMarkRead();
  const notifications = list.data?.pages.flatMap((page) => page.notifications) ?? [];
  const [newest] = notifications;
  const unread = list.data?.pages[0]?.unread ?? 0;
  return (
    <OpenPopover
      trigger={trigger}
      title="Notifications"
      action={
        newest &&
        unread > 0 && (
          <button
            type="button"
            onClick={() => markRead({ until: newest.createdAt })}
            className={clsx(textLinkClass, 'min-h-8 text-sm')}
          >
            Mark all as read
          </button>
        )
      }
    >
      {(close) => (
        <>
          {list.isPending && <ListSkeleton />}
          {list.data && notifications.length === 0 && (
            <p className="text-sm text-ink-soft">
              No notifications yet. We keep them for {limits.notificationDays} days.
            </p>
          )}
          <ul className="-mx-2">
            {notifications.map((notification) => (
              <NotificationItem
                key={notification.id}
                notification={notification}
                onOpen={() => {
                  if (!notification.read) markRead({ ids: [notification.id] });
                  close();
                  navigate(pageOf(notification));
                }}
              />
            ))}
          </ul>
          <PagedListFooter list={list} />
        </>
      )}
    </OpenPopover>
  );
}

function useMarkRead() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: readNotifications,
    onSuccess: ({ unread }) => {
      client.setQueryData<Me | null>(queryKeys.me, (me) => me && { ...me, unreadNotifications: unread });
      return client.invalidateQueries({ queryKey: queryKeys.notifications });
    },
    onError: (error) => toastError(messageOf(error)),
  });
}

/** Where a notification leads to. */
function pageOf({ generationId, setId, batchId }: NotificationView): string {
  if (batchId !== null) return `${pages.batches}/${batchId}`;
  if (generationId === null) return pages.plan;
  const shown: Record<string, string> = setId === null ? { generation: generationId } : { set: setId };
  return `${pages.dashboard}?${new URLSearchParams(shown)}`;
}

interface NotificationItemProps {
  notification: NotificationView;
  onOpen: () => void;
}

function NotificationItem({ notification, onOpen }: NotificationItemProps) {
  const { title, text, createdAt, read } = notification;
  const dates = useDates();
  return (
    <li>
      <button
        type="button"
        onClick={onOpen}
        className="flex w-full gap-3 rounded-lg p-2 text-left hover:bg-sunken"
      >
        <span className={clsx('mt-1.5 size-2 shrink-0 rounded-full', !read && 'border-4 border-accent')} />
        <span className="min-w-0">
          <span className={clsx('block text-sm', !read && 'font-semibold')}>
            {title}
            {!read && <span className="sr-only"> (unread)</span>}
          </span>
          {text && <span className="block text-sm break-words text-ink-soft">{text}</span>}
          <time dateTime={createdAt} className="block text-xs text-ink-soft">
            {dates.ago(createdAt, serverNow())}
          </time>
        </span>
      </button>
    </li>
  );
}
