import { type ReactNode, useId } from 'react';
import { Select } from './select.tsx';

interface LabelledSelectProps<Value extends string | number> {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string; disabled?: boolean }[];
  onChange: (value: Value) => void;
  /** A hint below it. */
  children?: ReactNode;
}

/** A select with its label and a hint. A form's own field is SelectField (select-field.tsx). */
export function LabelledSelect<Value extends string | number>({
  label,
  value,
  options,
  onChange,
  children,
}: LabelledSelectProps<Value>) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-semibold">
        {label}
      </label>
      <Select
        id={id}
        value={value}
        options={options}
        onChange={onChange}
        describedBy={children ? `${id}-hint` : undefined}
      />
      {children && (
        <p id={`${id}-hint`} className="mt-1.5 text-sm text-ink-soft">
          {children}
        </p>
      )}
    </div>
  );
}
