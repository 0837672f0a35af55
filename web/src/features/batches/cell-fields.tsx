import clsx from 'clsx';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { inputClass } from '#web/ui/field.tsx';
import { nameOption } from '#web/ui/name.tsx';

interface CellProps {
  label: string;
  /** Number of the row, for screen readers. */
  row: number;
  fault: string | undefined;
  note?: string | undefined;
}

interface CellFrameProps extends CellProps {
  children: (field: {
    id: string;
    'aria-invalid': true | undefined;
    'aria-describedby': string | undefined;
  }) => ReactNode;
}

/** A cell: its label, its field, and what is wrong with it. */
function CellFrame({ label, row, fault, note, children }: CellFrameProps) {
  const id = useId();
  const text = fault ?? note;
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block text-xs font-semibold text-ink-soft">
        {label}
        <span className="sr-only"> of row {row}</span>
      </label>
      {children({
        id,
        'aria-invalid': fault ? true : undefined,
        'aria-describedby': text ? `${id}-text` : undefined,
      })}
      <CellText id={`${id}-text`} fault={fault} note={note} />
    </div>
  );
}

/** What is wrong with a cell, or worth knowing. Not an alert: a table may have hundreds. */
export function CellText({ id, fault, note }: { id?: string } & Pick<CellProps, 'fault' | 'note'>) {
  const text = fault ?? note;
  if (!text) return null;
  return (
    <p id={id} className={clsx('mt-1 text-sm', fault ? 'font-medium text-danger' : 'text-ink-soft')}>
      {text}
    </p>
  );
}

interface TextCellProps extends CellProps {
  value: string;
  onChange: (value: string) => void;
  /** For text of several lines. */
  multiline?: boolean;
  placeholder?: string | undefined;
}

export function TextCell({ value, onChange, multiline, placeholder, ...cell }: TextCellProps) {
  return (
    <CellFrame {...cell}>
      {(field) =>
        multiline ? (
          <textarea
            {...field}
            dir="auto"
            rows={3}
            value={value}
            placeholder={placeholder}
            onChange={(event) => onChange(event.target.value)}
            className={`${inputClass} resize-y py-2`}
          />
        ) : (
          <input
            {...field}
            dir="auto"
            value={value}
            placeholder={placeholder}
            onChange={(event) => onChange(event.target.value)}
            className={inputClass}
          />
        )
      }
    </CellFrame>
  );
}

interface SelectCellProps extends CellProps {
  /** As the seller wrote it. */
  value: string;
  /** The option that the value means; undefined if none. */
  chosen: string | undefined;
  options: readonly { value: string; label: string; translate?: 'no' }[];
  onChange: (value: string) => void;
}

/** A choice. What the seller wrote stays visible, even if it is not one of the options. */
export function SelectCell({ value, chosen, options, onChange, ...cell }: SelectCellProps) {
  return (
    <CellFrame {...cell}>
      {(field) => (
        <div className="relative">
          <select
            {...field}
            value={chosen ?? value}
            onChange={(event) => onChange(event.target.value)}
            className={`${inputClass} cursor-pointer appearance-none truncate pr-7`}
          >
            {[...(chosen === undefined ? [nameOption(value, value)] : []), ...options].map((option) => (
              <option key={option.value} value={option.value} translate={option.translate}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDown
            aria-hidden
            className="pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2 text-ink-soft"
          />
        </div>
      )}
    </CellFrame>
  );
}
