import { type RefObject, useState } from 'react';
import { PhotoPicker } from './photo-picker.tsx';
import { ProductRow } from './product-row.tsx';
import type { ReadRow, TableContext } from './read-row.ts';
import type { BatchTable } from './use-batch-table.ts';
import { VirtualRows } from './virtual-rows.tsx';

interface ProductTableProps {
  table: BatchTable;
  rows: NonNullable<BatchTable['table']>['rows'];
  /** What each row means, in their order. */
  reads: readonly ReadRow[];
  context: TableContext;
  onFiles: (files: readonly File[]) => void;
  /** Set to a function that scrolls to a row, by its index. */
  scrollRef: RefObject<((index: number) => void) | null>;
}

/** The rows of a table with their fields. */
export function ProductTable({ table, rows, reads, context, onFiles, scrollRef }: ProductTableProps) {
  const [choosingFor, setChoosingFor] = useState<string | null>(null);
  const chosenRow = rows.findIndex(({ id }) => id === choosingFor);
  return (
    <>
      <VirtualRows
        keys={rows.map(({ id }) => id)}
        usualHeight={210}
        scrollRef={scrollRef}
        renderRow={(index) => {
          const row = rows[index]!;
          return (
            <ProductRow
              row={row}
              number={index + 1}
              read={reads[index]!}
              context={context}
              onChange={(changes) => table.changeRow(row.id, changes)}
              onRemove={() => table.removeRows(new Set([row.id]))}
              onChoosePhotos={() => setChoosingFor(row.id)}
            />
          );
        }}
      />
      {choosingFor !== null && chosenRow >= 0 && (
        <PhotoPicker
          photos={table.photos}
          chosen={reads[chosenRow]!.photos}
          onFiles={onFiles}
          onDone={(photos) => {
            table.changeRow(choosingFor, { photos });
            setChoosingFor(null);
          }}
          onClose={() => setChoosingFor(null)}
        />
      )}
    </>
  );
}
