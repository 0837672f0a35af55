import { Check } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Settings } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { useChangeSettings } from '#web/lib/settings.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { FieldError } from '#web/ui/field.tsx';
import { ReauthenticationForm } from '#web/ui/reauthentication-form.tsx';
import { Select } from '#web/ui/select.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { Switch } from '#web/ui/switch.tsx';

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

/** The status of the last change of a setting. */
type SaveState = 'idle' | 'saving' | 'saved' | { error: string };

interface SettingRowProps {
  id: string;
  label: string;
  hint?: ReactNode;
  state: SaveState;
  /** The control; its id must be the row's. */
  children: ReactNode;
}

/** A setting: its label, hint and control, and whether it was saved. */
function SettingRow({ id, label, hint, state, children }: SettingRowProps) {
  return (
    <div className="py-3.5">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div className="min-w-0 flex-[1_1_14rem]">
          <span className="flex items-center gap-2">
            <label htmlFor={id} className="font-medium">
              {label}
            </label>
            <span role="status" className="inline-flex h-5 items-center gap-1 text-sm text-ink-soft">
              {state === 'saving' && <Spinner className="size-3!" />}
              {state === 'saved' && (
                <span className="inline-flex animate-fade-in items-center gap-1 text-good">
                  <Check aria-hidden className="size-3.5" strokeWidth={3} /> Saved
                </span>
              )}
            </span>
          </span>
          {hint && (
            <p id={`${id}-hint`} className="text-sm text-ink-soft">
              {hint}
            </p>
          )}
        </div>
        {children}
      </div>
      <FieldError id={`${id}-error`}>{typeof state === 'object' && state.error}</FieldError>
    </div>
  );
}

/** How long "Saved" is shown. */
const savedLabelMs = 2_500;

/** The save state of one setting, and functions that save a new value, one of them with the password. */
function useSetting<Name extends keyof Settings>(
  name: Name,
): {
  state: SaveState;
  set: (value: Settings[Name]) => void;
  setWithPassword: (value: Settings[Name], password: string) => Promise<unknown>;
} {
  const { mutate, mutateAsync, status, error, submittedAt } = useChangeSettings();
  const [recentlySaved, setRecentlySaved] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `submittedAt` restarts the timer with each change
  useEffect(() => {
    if (status !== 'success') return;
    setRecentlySaved(true);
    const timer = setTimeout(() => setRecentlySaved(false), savedLabelMs);
    return () => clearTimeout(timer);
  }, [status, submittedAt]);

  const state = (): SaveState => {
    if (status === 'pending') return 'saving';
    if (status === 'error') return { error: messageOf(error) };
    return status === 'success' && recentlySaved ? 'saved' : 'idle';
  };
  return {
    state: state(),
    set: (value) => mutate({ [name]: value }),
    setWithPassword: (value, password) => mutateAsync({ [name]: value, password }),
  };
}
