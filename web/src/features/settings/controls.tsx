import { type ReactNode, useState } from 'react';
import type { Settings } from '#contract';
import { Select } from '#web/ui/select.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { SettingRow } from './setting-row.tsx';
import { useSetting } from './use-setting.ts';

/** The settings whose values are of one kind. */
type NamesOf<Kind> = { [Name in keyof Settings]: Settings[Name] extends Kind ? Name : never }[keyof Settings];

interface CommonProps<Name extends keyof Settings> {
  name: Name;
  settings: Settings;
  label: string;
  hint?: ReactNode;
}

/** A setting that is on or off. @param before asked before it is turned on: why it cannot be, or null */
export function SwitchSetting({
  name,
  settings,
  label,
  hint,
  disabled,
  before,
}: CommonProps<NamesOf<boolean>> & { disabled?: boolean; before?: () => Promise<string | null> }) {
  const { state, set } = useSetting(name);
  const [obstacle, setObstacle] = useState<string | null>(null);
  const id = `setting-${name}`;
  return (
    <SettingRow id={id} label={label} hint={hint} state={obstacle === null ? state : { problem: obstacle }}>
      <Switch
        id={id}
        checked={settings[name]}
        disabled={disabled}
        describedBy={hint ? `${id}-hint` : undefined}
        onChange={async (checked) => {
          const found = checked && before ? await before() : null;
          setObstacle(found);
          if (found === null) set(checked);
        }}
      />
    </SettingRow>
  );
}

/** A setting that is one of a few. */
export function ChoiceSetting<Name extends NamesOf<string | number>>({
  name,
  settings,
  label,
  hint,
  options,
}: CommonProps<Name> & { options: readonly { value: Settings[Name] & (string | number); label: string }[] }) {
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
