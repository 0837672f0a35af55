import type { GenerationView, Settings } from '#contract';

/** What the browser lets this site do; `unsupported` where it shows no notices at all. */
export type NotificationPermissionState = NotificationPermission | 'unsupported';

/** Whether this site may show notices of the browser. */
export function notificationPermission(): NotificationPermissionState {
  return 'Notification' in window ? Notification.permission : 'unsupported';
}

/** Asks the person for it, where that was not decided yet. Call from a click: browsers ask for nothing else. */
export async function requestNotificationPermission(): Promise<NotificationPermissionState> {
  const now = notificationPermission();
  return now === 'default' ? Notification.requestPermission() : now;
}

/** Whether the settings and the browser let a notice be shown. */
export function wantsNotifications(settings: Settings, permission: NotificationPermissionState): boolean {
  return settings.notificationsEnabled && settings.pushNotifications && permission === 'granted';
}

/**
 * Shows a notice that a generation has ended; windows that show the same one share it.
 * @param onOpen called when the notice is clicked
 */
export function showEndNotification(view: GenerationView, onOpen: () => void): void {
  const made = view.state === 'succeeded';
  try {
    const notice = new Notification(made ? 'Your image is ready' : 'This image was not made', {
      body: made ? view.productName || view.prompt : (view.failure?.message ?? ''),
      icon: view.image?.thumbnailUrl ?? '/favicon.svg',
      tag: view.id,
    });
    notice.onclick = () => {
      notice.close();
      window.focus();
      onOpen();
    };
  } catch {
    // Chrome on Android knows the constructor but throws: there is nobody to tell.
  }
}
