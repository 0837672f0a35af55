import { ArrowDownToLine } from 'lucide-react';
import type { ReactNode } from 'react';
import { countText } from '#web/lib/count-text.ts';
import { Button } from '#web/ui/button.tsx';
import type { FillableCell } from './product-rows.tsx';

interface TableBarProps {
  rows: number;
  /** Rows that are not ready in this step. */
  faulty: number;
  onNextProblem: () => void;
  onRemoveFaulty: () => void;
  /** The cell that had the focus last; null if it cannot be filled down. */
  cell: FillableCell | null;
  onFillDown: (cell: FillableCell) => void;
  children?: ReactNode;
}

const columnNames: Readonly<Record<FillableCell['column'], string>> = {
  name: 'name',
  scene: 'scene',
  look: 'look',
  template: 'template',
  size: 'size',
  takes: 'number of images',
};

/** Above the rows: how many are ready, the next that is not, and what can be done with many of them. */
export function TableBar(props: TableBarProps) {
  const { rows, faulty, onNextProblem, onRemoveFaulty, cell, onFillDown, children } = props;
  const canFill = cell !== null && cell.row < rows - 1;
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-3 py-2">
      <p role="status" className="mr-2 font-semibold">
        {readyText(rows, faulty)}
      </p>
      {faulty > 0 && (
        <>
          <Button variant="secondary" onClick={onNextProblem}>
            Next problem
          </Button>
          <Button variant="quiet" onClick={onRemoveFaulty}>
            Remove {countText(faulty, 'row')}
          </Button>
        </>
      )}
      {canFill && (
        <Button variant="quiet" title="Ctrl+D in the cell" onClick={() => onFillDown(cell)}>
          <ArrowDownToLine aria-hidden className="size-4" />
          Fill down the {columnNames[cell.column]} of row {cell.row + 1}
        </Button>
      )}
      <span className="mr-auto max-sm:hidden" />
      {children}
    </div>
  );
}

/** How many rows are ready, in words. */
export function readyText(rows: number, faulty: number): string {
  const ready = rows - faulty;
  return `${ready} of ${countText(rows, 'product')} ${ready === 1 || rows === 1 ? 'is' : 'are'} ready`;
}
