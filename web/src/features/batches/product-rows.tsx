import clsx from 'clsx';
import { Trash2 } from 'lucide-react';
import { type ReactNode, type RefObject, useId, useState } from 'react';
import { imageSizeNames, type imageSizes, isolateName, limits, sceneTemplates } from '#contract';
import { Name, nameOption } from '#web/ui/name.tsx';
import { SelectCell, TextCell } from './cell-fields.tsx';
import { baseName } from './photo-index.ts';
import { PhotoPicker } from './photo-picker.tsx';
import { findByName, pixelsOf, type ReadRow, readSize, type TableContext } from './read-row.ts';
import { RowPhotos } from './row-photos.tsx';
import { RowState, type TableStep } from './row-state.tsx';
import { RowWarnings } from './row-warnings.tsx';
import type { Column, RowCells, TableRow } from './table-row.ts';
import type { BatchTable } from './use-batch-table.ts';
import type { FileWarnings } from './use-photo-checks.ts';
import { VirtualRows } from './virtual-rows.tsx';

/** A cell whose value the rows below can get. */
export interface FillableCell {
  column: Exclude<Column, 'photos' | 'sku' | 'asin'>;
  row: number;
}

interface ProductRowsProps {
  step: TableStep;
  table: BatchTable;
  rows: readonly TableRow[];
  /** What each row means, in their order. */
  reads: readonly ReadRow[];
  context: TableContext;
  onFiles: (files: readonly File[]) => void;
  onRemove: (id: string) => void;
  /** Called with the cell that has the focus. */
  onCell: (cell: FillableCell | null) => void;
  warnings: FileWarnings;
  /** Set to a function that scrolls to a row, by its index. */
  scrollRef: RefObject<((index: number) => void) | null>;
}

const gridClass: Readonly<Record<TableStep, string>> = {
  photos:
    'lg:grid-cols-[2.5rem_12.5rem_minmax(6rem,11rem)_minmax(8rem,2fr)_minmax(6rem,1fr)_5.5rem_minmax(10rem,18rem)_2.75rem]',
  scenes:
    'lg:grid-cols-[2.5rem_3rem_minmax(6rem,11rem)_minmax(12rem,3fr)_minmax(7rem,1fr)_minmax(8rem,1.2fr)_8rem_minmax(9rem,16rem)]',
};
const headsOf = (step: TableStep, hasAsins: boolean): readonly string[] =>
  step === 'photos'
    ? ['Row', 'Photos', 'SKU', 'Name', hasAsins ? 'ASIN' : 'File names', 'Images', 'State', '']
    : ['Row', '', 'Product', 'Scene', 'Look', 'Template', 'Size', 'State'];

/** The rows of a table with the fields of a step, as compact as they can be read. */
export function ProductRows(props: ProductRowsProps) {
  const { step, table, rows, reads, context, onFiles, onRemove, onCell, warnings, scrollRef } = props;
  const [choosingFor, setChoosingFor] = useState<string | null>(null);
  const chosenRow = rows.findIndex(({ id }) => id === choosingFor);
  // Stays when the last one is removed: the seller may be about to type another.
  const [hasAsins, setHasAsins] = useState(false);
  if (!hasAsins && rows.some(({ asin }) => asin !== '')) setHasAsins(true);
  return (
    <>
      <div
        aria-hidden
        className={clsx(
          'hidden gap-2 border-b border-line px-3 py-2 text-xs font-semibold text-ink-soft lg:grid',
          gridClass[step],
        )}
      >
        {headsOf(step, hasAsins).map((head, index) => (
          <span key={head || index}>{head}</span>
        ))}
      </div>
      <VirtualRows
        keys={rows.map(({ id }) => id)}
        usualHeight={53}
        gap={false}
        scrollRef={scrollRef}
        renderRow={(index) => {
          const row = rows[index]!;
          return (
            <ProductRow
              step={step}
              row={row}
              number={index + 1}
              read={reads[index]!}
              context={context}
              warnings={warnings}
              hasAsins={hasAsins}
              onChange={(changes) => table.changeRow(row.id, changes)}
              onFillDown={(column) => table.fillDown({ [column]: row[column] }, index + 1)}
              onCell={(column) => onCell(column && { column, row: index })}
              onRemove={() => onRemove(row.id)}
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

interface ProductRowProps {
  step: TableStep;
  row: TableRow;
  /** From 1. */
  number: number;
  read: ReadRow;
  context: TableContext;
  warnings: FileWarnings;
  /** Whether the ASINs of products are shown. */
  hasAsins: boolean;
  onChange: (changes: Partial<RowCells>) => void;
  onFillDown: (column: FillableCell['column']) => void;
  onCell: (column: FillableCell['column'] | null) => void;
  onRemove: () => void;
  onChoosePhotos: () => void;
}

function ProductRow(props: ProductRowProps) {
  const { step, number, read, warnings, onRemove } = props;
  const stateId = useId();
  const Fields = step === 'photos' ? PhotoFields : SceneFields;
  return (
    <div
      className={clsx(
        'grid min-h-13 grid-cols-2 items-center gap-x-2 gap-y-3 px-3 py-3 lg:py-1',
        // Below the last one is the border of the card, with its round corners.
        number > 1 && 'border-t border-line',
        gridClass[step],
      )}
    >
      <p className="text-sm text-ink-soft tabular-nums max-lg:font-semibold">
        <span className="lg:sr-only">Row </span>
        {number}
      </p>
      <Fields {...props} stateId={stateId} />
      <div className="max-lg:col-span-2">
        <RowState id={stateId} step={step} faults={read.faults} notes={read.notes} />
      </div>
      {step === 'photos' && (
        <button
          type="button"
          onClick={onRemove}
          aria-label={`Remove row ${number}`}
          title="Remove row"
          className="col-start-2 row-start-1 grid size-11 place-items-center justify-self-end rounded-full text-ink-soft hover:bg-sunken hover:text-ink lg:col-start-auto lg:row-start-auto"
        >
          <Trash2 aria-hidden className="size-4.5" />
        </button>
      )}
      {step === 'photos' && <RowWarnings photos={read.photos} warnings={warnings} />}
    </div>
  );
}

type FieldsProps = ProductRowProps & { stateId: string };

/** What all fields of a cell have in common. */
function cellProps(
  { row, number, read, stateId, onChange, onFillDown, onCell }: FieldsProps,
  name: Exclude<Column, 'photos'>,
  label: string,
) {
  const isFillable = name !== 'sku' && name !== 'asin';
  return {
    label,
    row: number,
    value: row[name],
    onChange: (value: string) => onChange({ [name]: value }),
    fault: read.faults[name],
    stateId,
    onFocus: () => onCell(isFillable ? name : null),
    ...(isFillable && { onFillDown: () => onFillDown(name) }),
  };
}

function PhotoFields(props: FieldsProps) {
  const { row, number, read, context, hasAsins, stateId, onChange, onChoosePhotos } = props;
  const look = lookOf(row, context);
  return (
    <>
      <div className="max-lg:col-span-2">
        <RowPhotos
          names={row.photos}
          row={number}
          context={context}
          fault={read.faults.photos}
          stateId={stateId}
          onChoose={onChoosePhotos}
          onRemove={(name) => onChange({ photos: row.photos.filter((each) => each !== name) })}
        />
      </div>
      <TextCell {...cellProps(props, 'sku', 'SKU')} placeholder="Add a SKU" />
      <TextCell {...cellProps(props, 'name', 'Name')} placeholder="Add a name" />
      {hasAsins ? (
        <TextCell {...cellProps(props, 'asin', 'ASIN')} placeholder="Add an ASIN" />
      ) : (
        <Cut className="hidden text-sm text-ink-soft lg:block">{row.photos.map(baseName).join(', ')}</Cut>
      )}
      <SelectCell
        {...cellProps(props, 'takes', 'Images')}
        chosen={/^[1-4]?$/.test(row.takes) ? row.takes : undefined}
        options={[
          { value: '', label: look ? `${look.numImages} (look)` : '1' },
          ...Array.from({ length: limits.imagesPerRequest }, (_, index) => `${index + 1}`)
            .filter((takes) => look || takes !== '1')
            .map((takes) => ({ value: takes, label: takes })),
        ]}
      />
    </>
  );
}

function SceneFields(props: FieldsProps) {
  const { row, read, context } = props;
  const look = lookOf(row, context);
  const photo = read.photos[0];
  return (
    <>
      <div className="size-9 max-lg:hidden">
        {photo && <img src={photo.url} alt="" loading="lazy" className="size-full rounded-lg object-cover" />}
      </div>
      <Cut className="text-sm font-semibold">{row.sku || row.name || baseName(row.photos[0] ?? '')}</Cut>
      <div className="max-lg:col-span-2">
        <TextCell
          {...cellProps(props, 'scene', 'Scene')}
          placeholder={look ? isolateName(look.scene) : 'Describe the scene'}
        />
      </div>
      <SelectCell
        {...cellProps(props, 'look', 'Look')}
        chosen={row.look === '' ? '' : look?.name}
        options={lookOptions(context)}
      />
      <SelectCell
        {...cellProps(props, 'template', 'Template')}
        chosen={row.template === '' ? '' : findByName(sceneTemplates, row.template, (name) => name)}
        options={templateOptions(look?.template ? 'As in the look' : 'No template')}
      />
      <SelectCell
        {...cellProps(props, 'size', 'Size')}
        chosen={row.size === '' ? '' : readSize(row.size)}
        options={sizeOptions(context, look !== undefined)}
      />
    </>
  );
}

/** Text in one line; all of it is its title. */
const Cut = ({ className, children }: { className: string; children: string }): ReactNode => (
  <Name className={clsx('min-w-0 truncate', className)} title={isolateName(children)}>
    {children}
  </Name>
);

const lookOf = (row: TableRow, { looks }: TableContext) => findByName(looks, row.look, ({ name }) => name);

export const lookOptions = ({ looks }: TableContext) => [
  { value: '', label: 'No look' },
  ...looks.map(({ name }) => nameOption(name, name)),
];

export const templateOptions = (none: string) => [
  { value: '', label: none },
  ...sceneTemplates.map((name) => ({ value: name as string, label: name as string })),
];

/** @param hasLook whether the empty choice is the size of a look and not the usual one */
export function sizeOptions({ capabilities, mayUse2k }: TableContext, hasLook: boolean) {
  const isOffered = (name: keyof typeof imageSizes) =>
    capabilities.sizes.includes(name) && (name !== 'square-2k' || mayUse2k);
  return [
    { value: '', label: hasLook ? 'As in the look' : pixelsOf('square') },
    ...imageSizeNames
      .filter((name) => (hasLook || name !== 'square') && isOffered(name))
      .map((name) => ({ value: name as string, label: pixelsOf(name) })),
  ];
}
