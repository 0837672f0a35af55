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
import { Section } from '#web/ui/section.tsx';
import { themeLabels } from '#web/ui/theme-switch.tsx';
import { ChoiceSetting, SwitchSetting } from './controls.tsx';
import { NotificationSettings } from './notification-settings.tsx';

const qualityLabels: Readonly<Record<ImageQuality, string>> = { low: 'Low', medium: 'Medium', high: 'High' };

/** Every setting of the seller; each is saved when it is changed. */
export function SettingsSection({ settings }: { settings: Settings }) {
  return (
    <Section id="settings" title="Settings" lead="Changes are saved automatically.">
      <Group title="Appearance">
        <AppearanceSettings settings={settings} />
      </Group>
      <Group title="Studio">
        <StudioSettings settings={settings} />
      </Group>
      <Group title="Notifications">
        <NotificationSettings settings={settings} />
      </Group>
      <Group title="Sign-in & privacy">
        <PrivacySettings settings={settings} />
      </Group>
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
      <ChoiceSetting
        name="language"
        settings={settings}
        label="Language"
        options={languages.map(({ code, name }) => ({ value: code, label: name }))}
      />
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
        hint="Photos and description stay in the form when you leave the studio. The description also survives a reload."
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
        hint="Get an email about each new device and each change to two-factor sign-in. A new password or email is always confirmed by email."
      />
      <SwitchSetting
        name="activityLogging"
        settings={settings}
        label="Activity log"
        hint={`Kept for ${limits.activityDays} days. Turning it off also clears it.`}
      />
      <ChoiceSetting
        name="sessionTimeoutMinutes"
        settings={settings}
        label="Sign out when idle"
        hint="Signs you out after this time without activity."
        options={sessionTimeouts.map((value) => ({ value, label: timeoutLabel(value) }))}
      />
      <ChoiceSetting
        name="passwordExpiryDays"
        settings={settings}
        label="Password expiry"
        hint="You'll choose a new password at sign-in."
        options={passwordExpiries.map((value) => ({ value, label: expiryLabel(value) }))}
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

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="border-t border-line pt-4 not-first:mt-4 first:border-0 first:pt-0">
      <h3 className="text-sm font-semibold text-ink-soft">{title}</h3>
      <div className="divide-y divide-line">{children}</div>
    </div>
  );
}
