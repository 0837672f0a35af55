import clsx from 'clsx';
import { ChevronDown } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { isolateName } from '#contract';
import { shortcutOf } from '#web/lib/shortcut.ts';
import { nameOption } from '#web/ui/name.tsx';

interface CellProps {
  label: string;
  /** Number of the row, for screen readers. */
  row: number;
  fault: string | undefined;
  /** Of the text that says what is wrong with the row. */
  stateId: string;
  /** Gives the rows below what this one says: Ctrl+D, as in a spreadsheet. */
  onFillDown?: (() => void) | undefined;
  /** Called when the field gets the focus. */
  onFocus?: (() => void) | undefined;
}

/** A field of a table: without a frame until it is wanted, so that many of them can be read. */
const fieldClass = clsx(
  'w-full min-w-0 rounded-lg border border-line-strong bg-surface px-2 text-sm max-lg:min-h-11 lg:h-9 lg:border-transparent lg:bg-transparent',
  'placeholder:text-ink-soft hover:border-line-strong focus:border-accent aria-invalid:border-danger aria-invalid:bg-danger-wash',
);

interface CellFrameProps extends CellProps {
  children: (field: {
    id: string;
    'aria-invalid': true | undefined;
    'aria-describedby': string | undefined;
    onKeyDown: (event: KeyboardEvent) => void;
    onFocus: (() => void) | undefined;
  }) => ReactNode;
}

/** A cell: its label, which is the head of the column on a large screen, and its field. */
function CellFrame({ label, row, fault, stateId, onFillDown, onFocus, children }: CellFrameProps) {
  const id = useId();
  const fillDown = (event: KeyboardEvent) => {
    if (!onFillDown || shortcutOf(event.nativeEvent) !== 'Mod+d') return;
    event.preventDefault();
    onFillDown();
  };
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block text-xs font-semibold text-ink-soft lg:sr-only">
        {label}
        <span className="sr-only"> of row {row}</span>
      </label>
      {children({
        id,
        'aria-invalid': fault ? true : undefined,
        'aria-describedby': fault ? stateId : undefined,
        onKeyDown: fillDown,
        onFocus,
      })}
    </div>
  );
}

interface TextCellProps extends CellProps {
  value: string;
  onChange: (value: string) => void;
  placeholder?: string | undefined;
}

export function TextCell({ value, onChange, placeholder, ...cell }: TextCellProps) {
  return (
    <CellFrame {...cell}>
      {(field) => (
        <input
          {...field}
          dir="auto"
          value={value}
          placeholder={placeholder}
          title={isolateName(value)}
          onChange={(event) => onChange(event.target.value)}
          className={fieldClass}
        />
      )}
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
            className={`${fieldClass} cursor-pointer appearance-none truncate pr-6`}
          >
            {[...(chosen === undefined ? [nameOption(value, value)] : []), ...options].map((option) => (
              <option key={option.value} value={option.value} translate={option.translate}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDown
            aria-hidden
            className="pointer-events-none absolute top-1/2 right-1.5 size-4 -translate-y-1/2 text-ink-soft"
          />
        </div>
      )}
    </CellFrame>
  );
}
