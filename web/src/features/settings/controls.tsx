import { type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Settings } from '#contract';
import { Dialog } from '#web/ui/dialog.tsx';
import { ReauthenticationForm } from '#web/ui/reauthentication-form.tsx';
import { Select } from '#web/ui/select.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { SettingRow } from './setting-row.tsx';
import { useSetting } from './use-setting.ts';

/** The names of the settings whose value is a `Value`. */
type NamesOf<Value> = {
  [Name in keyof Settings]: Settings[Name] extends Value ? Name : never;
}[keyof Settings];

interface CommonProps<Name extends keyof Settings> {
  name: Name;
  settings: Settings;
  label: string;
  hint?: ReactNode;
}

interface SwitchSettingProps extends CommonProps<NamesOf<boolean>> {
  disabled?: boolean;
  /** Called before the setting is turned on. Returns why that is not possible, else null. */
  onBeforeEnable?: () => Promise<string | null>;
  /** For one of `guardedSettings`: the words of the dialog that asks for the password before it is turned off. */
  guard?: { title: string; description: string };
}

/** A setting that is on or off. */
export function SwitchSetting(props: SwitchSettingProps) {
  const { name, settings, label, hint, disabled, onBeforeEnable, guard } = props;
  const { state, set, setWithPassword } = useSetting(name);
  const [asksPassword, setAsksPassword] = useState(false);
  const [blockedReason, setBlockedReason] = useState<string | null>(null);
  const id = `setting-${name}`;
  const change = async (checked: boolean) => {
    // Removed first: the same reason again is then announced again.
    flushSync(() => setBlockedReason(null));
    if (guard && !checked) return setAsksPassword(true);
    const reason = checked && onBeforeEnable ? await onBeforeEnable() : null;
    setBlockedReason(reason);
    if (reason === null) set(checked);
  };
  return (
    <SettingRow
      id={id}
      label={label}
      hint={hint}
      // While the dialog is open, it shows what is wrong.
      state={asksPassword ? 'idle' : blockedReason === null ? state : { error: blockedReason }}
    >
      <Switch
        id={id}
        checked={settings[name]}
        disabled={disabled}
        describedBy={hint ? `${id}-hint` : undefined}
        onChange={change}
      />
      {guard && asksPassword && (
        <Dialog open onClose={() => setAsksPassword(false)} {...guard}>
          <ReauthenticationForm
            twoFactor={false}
            submitLabel="Turn off"
            busyLabel="Turning off..."
            cancelLabel="Keep it on"
            call={({ password }) => setWithPassword(false, password)}
            onSuccess={() => setAsksPassword(false)}
            onCancel={() => setAsksPassword(false)}
          />
        </Dialog>
      )}
    </SettingRow>
  );
}

interface ChoiceSettingProps<Name extends NamesOf<string | number>> extends CommonProps<Name> {
  options: readonly { value: Settings[Name] & (string | number); label: string }[];
}

/** A setting with a few options. */
export function ChoiceSetting<Name extends NamesOf<string | number>>(props: ChoiceSettingProps<Name>) {
  const { name, settings, label, hint, options } = props;
  const { state, set } = useSetting(name);
  const id = `setting-${name}`;
  return (
    <SettingRow id={id} label={label} hint={hint} state={state}>
      <div className="w-full min-[30rem]:w-56">
        <Select
          id={id}
          value={settings[name] as Settings[Name] & (string | number)}
          options={options}
          describedBy={hint ? `${id}-hint` : undefined}
          onChange={set}
        />
      </div>
    </SettingRow>
  );
}
