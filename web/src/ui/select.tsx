import { ChevronDown } from 'lucide-react';
import { inputClass } from './field.tsx';

interface SelectProps<Value extends string | number> {
  id: string;
  value: Value;
  options: readonly { value: Value; label: string; disabled?: boolean; translate?: 'no' }[];
  onChange: (value: Value) => void;
  describedBy?: string | undefined;
}

/** A styled native select. */
export function Select<Value extends string | number>({
  id,
  value,
  options,
  onChange,
  describedBy,
}: SelectProps<Value>) {
  return (
    <div className="relative">
      <select
        id={id}
        value={value}
        aria-describedby={describedBy}
        onChange={(event) => {
          const chosen = options.find((option) => String(option.value) === event.target.value);
          if (chosen) onChange(chosen.value);
        }}
        className={`${inputClass} cursor-pointer appearance-none pr-10`}
      >
        {options.map((option) => (
          <option
            key={option.value}
            value={option.value}
            disabled={option.disabled}
            translate={option.translate}
          >
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-ink-soft"
      />
    </div>
  );
}
