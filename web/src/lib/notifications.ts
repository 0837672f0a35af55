import { type GenerationView, isolateName, type Settings } from '#contract';
import type { RequestEnd } from './request-end.ts';

/** The browser's permission; `unsupported` if it has no notifications. */
export type NotificationPermissionState = NotificationPermission | 'unsupported';

/** Whether this site may show browser notifications. */
export function notificationPermission(): NotificationPermissionState {
  return 'Notification' in window ? Notification.permission : 'unsupported';
}

/** Asks for the permission unless that was decided before. Call it from a click handler, as browsers require. */
export async function requestNotificationPermission(): Promise<NotificationPermissionState> {
  const permission = notificationPermission();
  return permission === 'default' ? Notification.requestPermission() : permission;
}

/** Whether both the settings and the browser allow notifications. */
export function shouldNotify(settings: Settings, permission: NotificationPermissionState): boolean {
  return settings.notificationsEnabled && settings.pushNotifications && permission === 'granted';
}

/** The title of the notification. */
export function endTitle(takes: readonly Pick<GenerationView, 'state'>[], end: RequestEnd): string {
  if (takes.length === 1)
    return end === 'succeeded' ? 'Your image is ready' : "We couldn't create your image";
  if (end === 'failed') return "We couldn't create your images";
  const ready = takes.filter(({ state }) => state === 'succeeded').length;
  return ready === takes.length
    ? `Your ${ready} images are ready`
    : `${ready} of ${takes.length} images ready`;
}

/**
 * Shows a browser notification that a request has ended; its tag makes several windows show only one.
 * @param takes of the request, at least one
 * @param onOpen called when it is clicked
 */
export function showEndNotification(
  takes: readonly GenerationView[],
  end: RequestEnd,
  onOpen: () => void,
): void {
  const view = takes.find(({ state }) => state === end);
  if (!view) return;
  try {
    const notification = new Notification(endTitle(takes, end), {
      body:
        end === 'succeeded' ? isolateName(view.productName || view.prompt) : (view.failure?.message ?? ''),
      icon: view.image?.thumbnailUrl ?? '/favicon.svg',
      tag: view.set.id,
    });
    notification.onclick = () => {
      notification.close();
      window.focus();
      onOpen();
    };
  } catch {
    // Chrome on Android has the constructor, but it throws.
  }
}
