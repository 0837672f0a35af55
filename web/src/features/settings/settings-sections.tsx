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

const savedAutomatically = 'Changes are saved automatically.';

/** The settings of the page "Preferences"; each is saved when it is changed. */
export function PreferenceSections({ settings }: { settings: Settings }) {
  return (
    <>
      <p className="text-ink-soft">{savedAutomatically}</p>
      <SettingsSection id="appearance" title="Appearance">
        <AppearanceSettings settings={settings} />
      </SettingsSection>
      <SettingsSection id="studio" title="Studio">
        <StudioSettings settings={settings} />
      </SettingsSection>
      <SettingsSection id="notifications" title="Notifications">
        <NotificationSettings settings={settings} />
      </SettingsSection>
    </>
  );
}

/** The settings of the page "Security". */
export function PrivacySection({ settings }: { settings: Settings }) {
  return (
    <SettingsSection id="privacy" title="Sign-in & privacy" lead={savedAutomatically}>
      <PrivacySettings settings={settings} />
    </SettingsSection>
  );
}

interface SettingsSectionProps {
  id: string;
  title: string;
  lead?: string;
  children: ReactNode;
}

function SettingsSection({ children, ...section }: SettingsSectionProps) {
  return (
    <Section {...section}>
      <div className="-my-3.5 divide-y divide-line">{children}</div>
    </Section>
  );
}

function AppearanceSettings({ settings }: { settings: Settings }) {
  return (
    <>
      <ChoiceSetting
        name="theme"
        settings={settings}
        label="Theme"
        options={themes.map((value) => ({ value, label: themeLabels[value].label }))}
      />
      {languages.length > 1 && (
        <ChoiceSetting
          name="language"
          settings={settings}
          label="Language"
          options={languages.map(({ code, name }) => ({ value: code, label: name }))}
        />
      )}
    </>
  );
}

function StudioSettings({ settings }: { settings: Settings }) {
  return (
    <>
      <ChoiceSetting
        name="imageQuality"
        settings={settings}
        label="Image quality"
        hint="Lower quality is faster."
        options={imageQualities.map((value) => ({ value, label: qualityLabels[value] }))}
      />
      <SwitchSetting
        name="autoSave"
        settings={settings}
        label="Keep my draft"
        hint="Photos and texts stay in the studio, in this browser, until you sign out."
      />
    </>
  );
}

function PrivacySettings({ settings }: { settings: Settings }) {
  return (
    <>
      <SwitchSetting
        name="securityNotifications"
        settings={settings}
        label="Security emails"
        hint="Get an email about each new device. Changes to what protects your account are always told by email."
        guard={{
          title: 'Turn off security emails?',
          description: "You won't get an email when someone signs in on a new device.",
        }}
      />
      <SwitchSetting
        name="activityLogging"
        settings={settings}
        label="Activity log"
        hint={`Kept for ${limits.activityDays} days. Turning it off also clears it.`}
        guard={{
          title: 'Turn off the activity log?',
          description: 'What is in the log is removed, and nothing new is recorded.',
        }}
      />
      <ChoiceSetting
        name="sessionTimeoutMinutes"
        settings={settings}
        label="Sign out when idle"
        hint={`Signs you out after this time without activity. Browsers in which you chose “Stay signed in” sign you out after ${limits.staySignedInDays} days.`}
        options={sessionTimeouts.map((value) => ({ value, label: timeoutLabel(value) }))}
      />
      <ChoiceSetting
        name="passwordExpiryDays"
        settings={settings}
        label="Remind me to change my password"
        hint="You can keep your password, and are reminded again after the same time."
        options={passwordExpiries.map((value) => ({ value, label: expiryLabel(value) }))}
      />
      <SwitchSetting
        name="passwordChangeForced"
        settings={settings}
        label={
          settings.passwordExpiryDays === 0
            ? 'Make me change my password'
            : `Make me change my password ${expiryLabel(settings.passwordExpiryDays).toLowerCase()}`
        }
        hint="Instead of a reminder, sign-in asks for a new password. Most people are safer with one long password that they keep."
        disabled={settings.passwordExpiryDays === 0}
      />
    </>
  );
}

function timeoutLabel(minutes: number): string {
  return minutes === 60 ? 'After 1 hour' : `After ${minutes} minutes`;
}

function expiryLabel(days: number): string {
  if (days === 0) return 'Never';
  return days === 365 ? 'Every year' : `Every ${days} days`;
}

/** Why the browser shows no notifications; null if it shows them. */
const blockedReasons: Readonly<Record<NotificationPermissionState, string | null>> = {
  granted: null,
  default: "Your browser hasn't allowed notifications yet. Turn this on again and allow them.",
  denied:
    "Your browser blocks notifications from this site. Allow them in the browser's settings for this site first.",
  unsupported: "This browser can't show notifications.",
};

/** Settings for how the seller learns that an image is ready. */
function NotificationSettings({ settings }: { settings: Settings }) {
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
