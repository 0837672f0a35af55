import clsx from 'clsx';
import { type ComponentProps, useId } from 'react';
import { FieldError, inputClass } from './field.tsx';

interface TextAreaFieldProps extends ComponentProps<'textarea'> {
  label: string;
  error?: string | undefined;
}

/** A labelled field for text of several lines, which grows with it, with its error. */
export function TextAreaField({ label, error, rows = 6, ...input }: TextAreaFieldProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-semibold">
        {label}
      </label>
      <textarea
        id={id}
        dir="auto"
        rows={rows}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        className={clsx(
          inputClass,
          'field-sizing-content max-h-96 resize-y py-2.5 leading-relaxed',
          rows > 2 ? 'min-h-36' : 'min-h-20',
        )}
        {...input}
      />
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
}
