import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import { type GenerationView, hasEnded, pages, type Settings } from '#contract';
import { pendingGenerations } from '#web/lib/generations/cache.ts';
import { notificationPermission, showEndNotification, wantsNotifications } from '#web/lib/notifications.ts';

/**
 * Notices of the browser that a generation has ended, while the window is out of sight.
 * @returns what is to be told of each view that an event brings, before the cache takes it
 */
export function useEndNotifications(settings: Settings): (view: GenerationView) => void {
  const client = useQueryClient();
  const navigate = useNavigate();
  return (view) => {
    // Who cancelled it knows.
    if (!document.hidden || !hasEnded(view.state) || view.state === 'cancelled') return;
    if (!wantsNotifications(settings, notificationPermission())) return;
    // Told once: by the first event that says so.
    if (!pendingGenerations(client).some(({ id }) => id === view.id)) return;
    showEndNotification(view, () => navigate(`${pages.dashboard}?generation=${view.id}`));
  };
}
