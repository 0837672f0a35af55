import { ChevronDown } from 'lucide-react';
import { type ComponentProps, useId } from 'react';
import { FieldError, inputClass } from './field.tsx';

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
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-semibold">
        {label}
      </label>
      <div className="relative">
        <select
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          className={`${inputClass} cursor-pointer appearance-none pr-10`}
          {...select}
        >
          <option value="">{placeholder}</option>
          {options.map(({ value, label: text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
        <ChevronDown
          aria-hidden
          className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-ink-soft"
        />
      </div>
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
}
