import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import { type GenerationView, hasEnded, pages, type Settings } from '#contract';
import { cachedGenerations } from '#web/lib/live/cache.ts';
import { notificationPermission, shouldNotify, showEndNotification } from '#web/lib/notifications.ts';
import { requestEnd } from '#web/lib/request-end.ts';
import { shownQuery } from './shown-query.ts';

/**
 * Shows a browser notification when a request has ended while the window is hidden: one for all its takes.
 * @returns a listener for the views that events bring; call it before the view is cached
 */
export function useEndNotifications(settings: Settings): (view: GenerationView) => void {
  const client = useQueryClient();
  const navigate = useNavigate();
  return (view) => {
    // A batch has its own mail and notification at its end.
    if (!document.hidden || !hasEnded(view.state) || view.batchId !== null) return;
    if (!shouldNotify(settings, notificationPermission())) return;
    const cached = cachedGenerations(client);
    // Only for the first event: afterwards the cached view has ended.
    if (!cached.some(({ id, state }) => id === view.id && !hasEnded(state))) return;
    const others = cached.filter(({ id, set }) => id !== view.id && set.id === view.set.id);
    const takes = [...others, view];
    const end = requestEnd(takes);
    if (end)
      showEndNotification(takes, end, () =>
        navigate(`${pages.dashboard}?${new URLSearchParams(shownQuery(view))}`),
      );
  };
}
