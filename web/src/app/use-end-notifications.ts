import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import { type GenerationView, hasEnded, pages, type Settings } from '#contract';
import { pendingGenerations } from '#web/lib/live/cache.ts';
import { notificationPermission, shouldNotify, showEndNotification } from '#web/lib/notifications.ts';

/**
 * Shows a browser notification when a generation has ended while the window is hidden.
 * @returns a listener for the views that events bring; call it before the view is cached
 */
export function useEndNotifications(settings: Settings): (view: GenerationView) => void {
  const client = useQueryClient();
  const navigate = useNavigate();
  return (view) => {
    const notifiable = hasEnded(view.state) && view.state !== 'cancelled';
    if (!document.hidden || !notifiable) return;
    if (!shouldNotify(settings, notificationPermission())) return;
    // Only for the first event: afterwards the cached view has ended.
    if (!pendingGenerations(client).some(({ id }) => id === view.id)) return;
    showEndNotification(view, () => navigate(`${pages.dashboard}?generation=${view.id}`));
  };
}
