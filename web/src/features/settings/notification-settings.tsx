import type { Settings } from '#contract';
import {
  type NotificationPermissionState,
  notificationPermission,
  requestNotificationPermission,
} from '#web/lib/notifications.ts';
import { SwitchSetting } from './controls.tsx';

/** Why the browser shows no notifications; null if it shows them. */
const blockedReasons: Readonly<Record<NotificationPermissionState, string | null>> = {
  granted: null,
  default: "Your browser hasn't allowed notifications yet. Turn this on again and allow them.",
  denied:
    "Your browser blocks notifications from this site. Allow them in the browser's settings for this site first.",
  unsupported: "This browser can't show notifications.",
};

/** Settings for how the seller learns that an image is ready. */
export function NotificationSettings({ settings }: { settings: Settings }) {
  // The setting belongs to the account, the permission to this browser.
  const blocked = settings.pushNotifications && notificationPermission() !== 'granted';
  return (
    <>
      <SwitchSetting
        name="notificationsEnabled"
        settings={settings}
        label="Notifications"
        hint="Turning this off turns off both."
      />
      <SwitchSetting
        name="emailNotifications"
        settings={settings}
        label="By email"
        hint="Get an email when an image is ready or has failed."
        disabled={!settings.notificationsEnabled}
      />
      <SwitchSetting
        name="pushNotifications"
        settings={settings}
        label="In the browser"
        hint={
          blocked
            ? "On, but this browser doesn't allow notifications from this site."
            : 'Get a notification when an image is ready and this window is in the background.'
        }
        disabled={!settings.notificationsEnabled}
        onBeforeEnable={async () => blockedReasons[await requestNotificationPermission()]}
      />
    </>
  );
}
