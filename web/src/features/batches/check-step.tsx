import type { ReactNode } from 'react';
import { isolateName, limits } from '#contract';
import { countText } from '#web/lib/count-text.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Name } from '#web/ui/name.tsx';
import { baseName } from './photo-index.ts';
import type { ReadRow } from './read-row.ts';
import { faultOf, type TableStep } from './row-state.tsx';
import { readyText } from './table-bar.tsx';
import type { TableRow } from './table-row.ts';
import type { BatchTable } from './use-batch-table.ts';
import type { FileWarnings } from './use-photo-checks.ts';

interface CheckStepProps {
  table: BatchTable;
  rows: readonly TableRow[];
  reads: readonly ReadRow[];
  warnings: FileWarnings;
  /** Goes to a row in the step where it is mended. */
  onFix: (step: TableStep, row: number) => void;
  projectPicker: ReactNode;
}

/** Problems that are shown at once. */
const mostShown = 50;

/** The name of the batch, and what is not ready yet. */
export function CheckStep({ table, rows, reads, warnings, onFix, projectPicker }: CheckStepProps) {
  const problems = reads.flatMap(({ faults }, row) =>
    (['photos', 'scenes'] as const).flatMap((step) => {
      const text = faultOf(step, faults);
      return text === null ? [] : [{ step, row, text }];
    }),
  );
  const faulty = new Set(problems.map(({ row }) => row)).size;
  return (
    <div className="grid gap-4">
      <div className="grid items-end gap-4 rounded-card border border-line bg-surface p-4 sm:grid-cols-2 sm:p-5">
        <Field
          label="Name of the batch"
          value={table.table?.name ?? ''}
          maxLength={limits.projectNameCharacters}
          onChange={(event) => table.setName(event.target.value)}
        />
        {projectPicker}
      </div>
      <section aria-labelledby="to-fix" className="rounded-card border border-line bg-surface p-4 sm:p-5">
        <h2 id="to-fix" className="font-semibold">
          <span role="status">{readyText(rows.length, faulty)}</span>
        </h2>
        <ul className="mt-2 grid divide-y divide-line">
          {problems.slice(0, mostShown).map(({ step, row, text }) => (
            <li key={`${step}-${row}`} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
              <p className="min-w-0 flex-1 text-sm">
                <span className="font-semibold">
                  Row {row + 1}
                  {titleOf(rows[row]!) && (
                    <>
                      , <Name>{titleOf(rows[row]!)}</Name>
                    </>
                  )}
                  :
                </span>{' '}
                {text}
              </p>
              <Button
                variant="secondary"
                aria-label={`Fix row ${row + 1}: ${isolateName(text)}`}
                onClick={() => onFix(step, row)}
              >
                Fix
              </Button>
            </li>
          ))}
        </ul>
        {warnings.size > 0 && (
          <p className="mt-2 text-sm text-ink-soft">
            {countText(warnings.size, 'photo')} may spoil an image: step 1 says why at each of them. You can
            go on.
          </p>
        )}
        {problems.length > mostShown && (
          <p className="mt-2 text-sm text-ink-soft">And {problems.length - mostShown} more.</p>
        )}
      </section>
    </div>
  );
}

const titleOf = ({ sku, name, photos }: TableRow) => sku || name || baseName(photos[0] ?? '');
