import { Check, CircleAlert } from 'lucide-react';
import type { Column } from './table-row.ts';

/** The columns that are edited in each step. */
const stepColumns = {
  photos: ['photos', 'sku', 'asin', 'name', 'takes'],
  scenes: ['scene', 'look', 'template', 'size'],
} as const satisfies Record<string, readonly Column[]>;
export type TableStep = keyof typeof stepColumns;

type CellTexts = Partial<Record<Column, string>>;

/** What is wrong in the columns of a step; null if nothing. */
export function faultOf(step: TableStep, faults: CellTexts): string | null {
  return stepColumns[step].map((column) => faults[column]).find((text) => text !== undefined) ?? null;
}

interface RowStateProps {
  id: string;
  step: TableStep;
  faults: CellTexts;
  notes: CellTexts;
}

/** Whether a row is ready, or what is wrong with it. Not an alert: a table may have hundreds. */
export function RowState({ id, step, faults, notes }: RowStateProps) {
  const fault = faultOf(step, faults);
  const note = faultOf(step, notes);
  if (fault !== null) {
    return (
      <p id={id} className="flex items-start gap-1.5 text-sm leading-tight font-semibold text-danger">
        <CircleAlert aria-hidden className="size-4 shrink-0" />
        {fault}
      </p>
    );
  }
  return note === null ? (
    <p id={id} className="flex items-center gap-1.5 text-sm font-semibold text-good">
      <Check aria-hidden className="size-4 shrink-0" />
      Ready
    </p>
  ) : (
    <p id={id} className="text-sm leading-tight text-ink-soft">
      {note}
    </p>
  );
}
