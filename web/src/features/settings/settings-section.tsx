import type { ReactNode } from 'react';
import {
  type ImageQuality,
  imageQualities,
  languages,
  limits,
  passwordExpiries,
  type Settings,
  sessionTimeouts,
  themes,
} from '#contract';
import {
  type NotificationPermissionState,
  notificationPermission,
  requestNotificationPermission,
} from '#web/lib/notifications.ts';
import { Section } from '#web/ui/section.tsx';
import { themeLabels } from '#web/ui/theme-switch.tsx';
import { ChoiceSetting, SwitchSetting } from './controls.tsx';

const qualityLabels: Readonly<Record<ImageQuality, string>> = { low: 'Low', medium: 'Medium', high: 'High' };

/** Why the browser shows no notices; null where it does. */
const obstacles: Readonly<Record<NotificationPermissionState, string | null>> = {
  granted: null,
  default: 'Your browser has not allowed notices yet. Turn this on once more and allow them.',
  denied:
    'Your browser does not let this site show notices. Allow them in the browser’s settings for this site first.',
  unsupported: 'This browser shows no notices.',
};

/** Every setting of the seller; each is saved when it is changed. */
export function SettingsSection({ settings }: { settings: Settings }) {
  // What was turned on in one browser may not be allowed in another.
  const permission = notificationPermission();
  const silent = settings.pushNotifications && permission !== 'granted';
  return (
    <Section id="settings" title="Settings" lead="Each is saved as you change it.">
      <Group title="Look">
        <ChoiceSetting
          name="theme"
          settings={settings}
          label="Theme"
          options={themes.map((value) => ({ value, label: themeLabels[value].label }))}
        />
        <ChoiceSetting
          name="language"
          settings={settings}
          label="Language"
          hint="Those whose texts are complete."
          options={languages.map(({ code, name }) => ({ value: code, label: name }))}
        />
      </Group>
      <Group title="Studio">
        <ChoiceSetting
          name="imageQuality"
          settings={settings}
          label="Image quality"
          hint="Lower quality is made faster."
          options={imageQualities.map((value) => ({ value, label: qualityLabels[value] }))}
        />
        <SwitchSetting
          name="autoSave"
          settings={settings}
          label="Keep my draft"
          hint="Photos and description stay in the form while you are elsewhere; the description also after a reload."
        />
      </Group>
      <Group title="Notifications">
        <SwitchSetting
          name="notificationsEnabled"
          settings={settings}
          label="Notifications"
          hint="Off: nothing tells you when an image is ready."
        />
        <SwitchSetting
          name="emailNotifications"
          settings={settings}
          label="By mail"
          hint="A mail when a generation has ended."
          disabled={!settings.notificationsEnabled}
        />
        <SwitchSetting
          name="pushNotifications"
          settings={settings}
          label="By the browser"
          hint={
            silent
              ? 'It is on, but this browser does not show notices of this site.'
              : 'When an image is ready while this window is out of sight.'
          }
          disabled={!settings.notificationsEnabled}
          before={async () => obstacles[await requestNotificationPermission()]}
        />
      </Group>
      <Group title="Safety">
        <SwitchSetting
          name="securityNotifications"
          settings={settings}
          label="Security mails"
          hint="A mail about each new device and each change to two-factor sign-in. A new password or email is always confirmed by mail."
        />
        <SwitchSetting
          name="activityLogging"
          settings={settings}
          label="Activity log"
          hint={`Kept for ${limits.activityDays} days. Turning it off also empties it.`}
        />
        <ChoiceSetting
          name="sessionTimeoutMinutes"
          settings={settings}
          label="Sign out when idle"
          hint="After this time without any use."
          options={sessionTimeouts.map((value) => ({
            value,
            label: value === 60 ? 'After 1 hour' : `After ${value} minutes`,
          }))}
        />
        <ChoiceSetting
          name="passwordExpiryDays"
          settings={settings}
          label="Renew the password"
          hint="You choose a new one at sign-in."
          options={passwordExpiries.map((value) => ({
            value,
            label: value === 0 ? 'Never' : value === 365 ? 'Every year' : `Every ${value} days`,
          }))}
        />
      </Group>
    </Section>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="border-t border-line pt-4 not-first:mt-4 first:border-0 first:pt-0">
      <h3 className="text-sm font-semibold text-ink-soft">{title}</h3>
      <div className="divide-y divide-line">{children}</div>
    </div>
  );
}
