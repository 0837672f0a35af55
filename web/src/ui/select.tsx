import { ChevronDown } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { FieldFrame, inputClass } from './field.tsx';

interface SelectProps<Value extends string | number> {
  id: string;
  value: Value;
  options: readonly { value: Value; label: string; disabled?: boolean; translate?: 'no' }[];
  onChange: (value: Value) => void;
  describedBy?: string | undefined;
}

function StyledSelect(select: ComponentProps<'select'>) {
  return (
    <div className="relative">
      <select className={`${inputClass} cursor-pointer appearance-none pr-10`} {...select} />
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-ink-soft"
      />
    </div>
  );
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
    <StyledSelect
      id={id}
      value={value}
      aria-describedby={describedBy}
      onChange={(event) => {
        const chosen = options.find((option) => String(option.value) === event.target.value);
        if (chosen) onChange(chosen.value);
      }}
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
    </StyledSelect>
  );
}

interface LabelledSelectProps<Value extends string | number> {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string; disabled?: boolean }[];
  onChange: (value: Value) => void;
  /** A hint below it. */
  children?: ReactNode;
}

/** A select with its label and a hint. A form's own field is SelectField. */
export function LabelledSelect<Value extends string | number>({
  label,
  value,
  options,
  onChange,
  children,
}: LabelledSelectProps<Value>) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={children}>
      <Select
        id={id}
        value={value}
        options={options}
        onChange={onChange}
        describedBy={children ? `${id}-hint` : undefined}
      />
    </FieldFrame>
  );
}

interface SelectFieldProps extends ComponentProps<'select'> {
  label: string;
  error?: string | undefined;
  /** Shown until one of the options is chosen. */
  placeholder: string;
  options: readonly { value: string; label: string }[];
}

/** A labelled native select of a form, without a choice at first, with its error. */
export function SelectField({ label, error, placeholder, options, ...select }: SelectFieldProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} error={error}>
      <StyledSelect
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        {...select}
      >
        <option value="">{placeholder}</option>
        {options.map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </StyledSelect>
    </FieldFrame>
  );
}
