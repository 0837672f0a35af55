import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { FieldError } from '#web/ui/field.tsx';
import { Spinner } from '#web/ui/spinner.tsx';

/** The status of the last change of a setting. */
export type SaveState = 'idle' | 'saving' | 'saved' | { error: string };

interface SettingRowProps {
  id: string;
  label: string;
  hint?: ReactNode;
  state: SaveState;
  /** The control; its id must be the row's. */
  children: ReactNode;
}

/** A setting: its label, hint and control, and whether it was saved. */
export function SettingRow({ id, label, hint, state, children }: SettingRowProps) {
  return (
    <div className="py-3.5">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div className="min-w-0 flex-[1_1_14rem]">
          <span className="flex items-center gap-2">
            <label htmlFor={id} className="font-medium">
              {label}
            </label>
            <span role="status" className="inline-flex h-5 items-center gap-1 text-sm text-ink-soft">
              {state === 'saving' && <Spinner className="size-3!" />}
              {state === 'saved' && (
                <span className="inline-flex animate-fade-in items-center gap-1 text-good">
                  <Check aria-hidden className="size-3.5" strokeWidth={3} /> Saved
                </span>
              )}
            </span>
          </span>
          {hint && (
            <p id={`${id}-hint`} className="text-sm text-ink-soft">
              {hint}
            </p>
          )}
        </div>
        {children}
      </div>
      <FieldError id={`${id}-error`}>{typeof state === 'object' && state.error}</FieldError>
    </div>
  );
}
