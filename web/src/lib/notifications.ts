import type { GenerationView, Settings } from '#contract';

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

/**
 * Shows a browser notification that a generation has ended; its tag makes several windows show only one.
 * @param onOpen called when it is clicked
 */
export function showEndNotification(view: GenerationView, onOpen: () => void): void {
  const succeeded = view.state === 'succeeded';
  try {
    const notification = new Notification(
      succeeded ? 'Your image is ready' : "We couldn't create your image",
      {
        body: succeeded ? view.productName || view.prompt : (view.failure?.message ?? ''),
        icon: view.image?.thumbnailUrl ?? '/favicon.svg',
        tag: view.id,
      },
    );
    notification.onclick = () => {
      notification.close();
      window.focus();
      onOpen();
    };
  } catch {
    // Chrome on Android has the constructor, but it throws.
  }
}
