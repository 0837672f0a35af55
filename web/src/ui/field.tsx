import clsx from 'clsx';
import { CircleAlert } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { mergeRefs } from './merge-refs.ts';

/** The classes of every text input. */
export const inputClass = clsx(
  'block w-full rounded-field border border-line-strong bg-surface px-3.5 text-base text-ink placeholder:text-ink-soft',
  'min-h-11 transition-colors hover:border-ink-soft aria-invalid:border-danger',
);

/** The error of one field; screen readers announce it as soon as it appears. */
export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  if (!children) return null;
  return (
    <p
      id={id}
      role="alert"
      className="mt-1.5 flex animate-fade-in items-start gap-1.5 text-sm font-medium text-danger"
    >
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </p>
  );
}

interface FieldFrameProps {
  /** Of the input: its error has the id `<id>-error`, its hint `<id>-hint`. */
  id: string;
  label: string;
  error?: string | undefined;
  hint?: ReactNode;
  className?: string | undefined;
  children: ReactNode;
}

/** The label above an input, and its error and hint below. */
export function FieldFrame({ id, label, error, hint, className, children }: FieldFrameProps) {
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block text-sm font-semibold">
        {label}
      </label>
      {children}
      <FieldError id={`${id}-error`}>{error}</FieldError>
      {hint && (
        <div id={`${id}-hint`} className="mt-1.5 text-sm text-ink-soft">
          {hint}
        </div>
      )}
    </div>
  );
}

export interface FieldProps extends ComponentProps<'input'> {
  label: string;
  error?: string | undefined;
  hint?: ReactNode;
  /** At the end inside the field, for example a show/hide button. */
  trailing?: ReactNode;
}

/** A labelled input with its hint and error. */
export function Field({ label, error, hint, trailing, className, ...input }: FieldProps) {
  const id = useId();
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <FieldFrame id={id} label={label} error={error} hint={hint} className={className}>
      <div className="relative">
        <input
          id={id}
          dir="auto"
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy || undefined}
          className={clsx(inputClass, trailing && 'pr-12')}
          {...input}
        />
        {trailing}
      </div>
    </FieldFrame>
  );
}

interface TextAreaFieldProps extends ComponentProps<'textarea'> {
  label: string;
  error?: string | undefined;
}

/** A labelled field for text of several lines, which grows with it, with its error. */
export function TextAreaField({ label, error, rows = 6, ...input }: TextAreaFieldProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} error={error}>
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
    </FieldFrame>
  );
}

interface FileInputProps extends Omit<ComponentProps<'input'>, 'type' | 'onChange'> {
  /** @param files at least one */
  onFiles: (files: File[]) => void;
}

/** The input whose dialog was opened last: Chrome forgets an input that is in no document and that nobody has. */
const asking: HTMLInputElement[] = [];

/**
 * Chooses files. They arrive even if the page has replaced the input while the seller was choosing: what was read in the
 * meantime may change it, and React does not hear the events of an element that it has removed.
 */
export function FileInput({ onFiles, ref, ...props }: FileInputProps) {
  // With each rendering; what the last one set stays after the input is gone.
  const listen = (input: HTMLInputElement | null) => {
    if (!input) return;
    input.onclick = () => {
      asking[0] = input;
    };
    input.onchange = () => {
      const files = [...(input.files ?? [])];
      // The same file may be chosen again.
      input.value = '';
      if (files.length > 0) onFiles(files);
    };
  };
  return <input {...props} ref={mergeRefs(ref, listen)} type="file" />;
}
