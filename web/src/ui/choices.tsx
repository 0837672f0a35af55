import { useId } from 'react';
import type { RegisteredField } from '#web/lib/use-form-mutation.ts';
import { FieldError } from './field.tsx';

/** One of several things, and what it means. */
export interface Choice<Value extends string> {
  value: Value;
  label: string;
  /** What it does, in a sentence or two. */
  effect: string;
}

interface ChoicesProps<Value extends string> {
  legend: string;
  options: readonly Choice<Value>[];
  /** As registered with a form. */
  field: RegisteredField;
}

/** One of several choices, each with what it means. None is chosen at first, so that nothing is chosen by mistake. */
export function Choices<Value extends string>({ legend, options, field }: ChoicesProps<Value>) {
  const id = useId();
  const { error, ...input } = field;
  return (
    <fieldset aria-describedby={error === undefined ? undefined : `${id}-error`}>
      <legend className="text-sm font-semibold">{legend}</legend>
      <div className="mt-2 grid gap-3">
        {options.map(({ value, label, effect }) => (
          <div key={value} className="flex gap-3">
            <input
              type="radio"
              id={`${id}-${value}`}
              value={value}
              aria-describedby={`${id}-${value}-effect`}
              className="mt-0.5 size-5 shrink-0 accent-accent"
              {...input}
            />
            <div className="min-w-0">
              <label htmlFor={`${id}-${value}`} className="cursor-pointer font-semibold">
                {label}
              </label>
              <p id={`${id}-${value}-effect`} className="text-sm text-ink-soft">
                {effect}
              </p>
            </div>
          </div>
        ))}
      </div>
      {error !== undefined && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  );
}
