import clsx from 'clsx';
import { Trash2 } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { imageSizeNames, type imageSizes, isolateName, limits, sceneTemplates } from '#contract';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Name, nameOption } from '#web/ui/name.tsx';
import { SelectCell, TextCell } from './cell-fields.tsx';
import { baseName, type DroppedPhoto } from './photo-index.ts';
import { findByName, pixelsOf, type ReadRow, readSize, type TableContext } from './read-row.ts';
import { PhotoThumbnail, RowPhotos } from './row-photos.tsx';
import { RowWarnings } from './row-warnings.tsx';
import { PhotoButtons } from './table-inputs.tsx';
import type { RowCells, TableRow } from './table-row.ts';
import type { BatchTable } from './use-batch-table.ts';
import { type FileWarnings, usePhotoChecks } from './use-photo-checks.ts';
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
export function ProductTable(props: ProductTableProps) {
  const { table, rows, reads, context, onFiles, scrollRef } = props;
  const warnings = usePhotoChecks(reads);
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
              warnings={warnings}
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

interface ProductRowProps {
  row: TableRow;
  /** From 1. */
  number: number;
  read: ReadRow;
  context: TableContext;
  warnings: FileWarnings;
  onChange: (changes: Partial<RowCells>) => void;
  onRemove: () => void;
  onChoosePhotos: () => void;
}

/** A row of the table with its fields, and at each of them what is wrong with it. */
function ProductRow(props: ProductRowProps) {
  const { row, number, read, context, warnings, onChange, onRemove, onChoosePhotos } = props;
  const { faults, notes } = read;
  const look = findByName(context.looks, row.look, ({ name }) => name);
  const textCell = (name: 'sku' | 'name', label: string) => (
    <TextCell
      label={label}
      row={number}
      value={row[name]}
      onChange={(value) => onChange({ [name]: value })}
      fault={faults[name]}
      note={notes[name]}
    />
  );
  const choice = (name: 'look' | 'template' | 'size' | 'takes', label: string) => ({
    label,
    row: number,
    value: row[name],
    onChange: (value: string) => onChange({ [name]: value }),
    fault: faults[name],
  });
  return (
    <div className="grid grid-cols-2 gap-3 rounded-card border border-line bg-surface p-4 lg:grid-cols-[2rem_10rem_minmax(8rem,1fr)_minmax(12rem,2fr)_minmax(8rem,1fr)_minmax(8rem,1fr)_2.75rem]">
      <p className="text-sm font-semibold text-ink-soft lg:pt-6">
        <span className="lg:sr-only">Row </span>
        {number}
      </p>
      <div className="col-span-2 row-start-2 lg:col-span-1 lg:row-start-auto">
        <RowPhotos
          names={row.photos}
          row={number}
          index={context.photos}
          fault={faults.photos}
          onChoose={onChoosePhotos}
          onRemove={(name) => onChange({ photos: row.photos.filter((each) => each !== name) })}
        />
      </div>
      <div className="col-span-2 grid grid-cols-2 content-start gap-3 lg:col-span-1 lg:grid-cols-1">
        {textCell('sku', 'SKU')}
        {textCell('name', 'Name')}
      </div>
      <div className="col-span-2 lg:col-span-1">
        <TextCell
          label="Scene"
          row={number}
          multiline
          value={row.scene}
          placeholder={look && isolateName(look.scene)}
          onChange={(scene) => onChange({ scene })}
          fault={faults.scene}
        />
      </div>
      <div className="col-span-2 grid grid-cols-2 content-start gap-3 lg:col-span-1 lg:grid-cols-1">
        <SelectCell
          {...choice('look', 'Look')}
          chosen={row.look === '' ? '' : look?.name}
          options={[none('No look'), ...context.looks.map(({ name }) => nameOption(name, name))]}
        />
        <SelectCell
          {...choice('template', 'Template')}
          chosen={row.template === '' ? '' : findByName(sceneTemplates, row.template, (name) => name)}
          options={[
            none(look?.template ? 'As in the look' : 'No template'),
            ...sceneTemplates.map((name) => ({ value: name, label: name })),
          ]}
        />
      </div>
      <div className="col-span-2 grid grid-cols-2 content-start gap-3 lg:col-span-1 lg:grid-cols-1">
        <SelectCell
          {...choice('size', 'Size')}
          chosen={row.size === '' ? '' : readSize(row.size)}
          options={[
            none(look ? 'As in the look' : pixelsOf('square')),
            ...imageSizeNames
              .filter((name) => (look || name !== 'square') && isOffered(name, context))
              .map((name) => ({ value: name, label: pixelsOf(name) })),
          ]}
        />
        <SelectCell
          {...choice('takes', 'Takes')}
          chosen={/^[1-4]?$/.test(row.takes) ? row.takes : undefined}
          options={[
            none(look ? `As in the look: ${look.numImages}` : '1'),
            ...Array.from({ length: limits.imagesPerRequest }, (_, index) => `${index + 1}`)
              .filter((takes) => look || takes !== '1')
              .map((takes) => ({ value: takes, label: takes })),
          ]}
        />
      </div>
      <button
        type="button"
        onClick={onRemove}
        aria-label={`Remove row ${number}`}
        title="Remove row"
        className="col-start-2 row-start-1 -mt-2 -mr-2 grid size-11 place-items-center justify-self-end rounded-full text-ink-soft hover:bg-sunken hover:text-ink lg:col-start-auto lg:row-start-auto lg:mt-4 lg:mr-0"
      >
        <Trash2 aria-hidden className="size-4.5" />
      </button>
      <RowWarnings photos={read.photos} warnings={warnings} />
    </div>
  );
}

const none = (label: string) => ({ value: '', label });

const isOffered = (name: keyof typeof imageSizes, { capabilities, mayUse2k }: TableContext) =>
  capabilities.sizes.includes(name) && (name !== 'square-2k' || mayUse2k);

interface PhotoPickerProps {
  /** All photos that were dropped. */
  photos: readonly DroppedPhoto[];
  /** Those of the row. */
  chosen: readonly DroppedPhoto[];
  /** Adds files to the dropped photos. */
  onFiles: (files: readonly File[]) => void;
  /** Called with the paths of the photos that the row is to have. */
  onDone: (paths: readonly string[]) => void;
  onClose: () => void;
}

/** Photos that are shown at once. */
const maxShown = 60;

/** Chooses the photos of a row from those that were dropped. */
function PhotoPicker({ photos, chosen, onFiles, onDone, onClose }: PhotoPickerProps) {
  const [search, setSearch] = useState('');
  const [paths, setPaths] = useState<readonly string[]>(chosen.map(({ path }) => path));
  const wanted = search.trim().toLowerCase();
  const found = photos
    .filter(({ path }) => path.toLowerCase().includes(wanted))
    .toSorted((one, other) => one.path.localeCompare(other.path, 'en', { numeric: true }));
  const isFull = paths.length >= limits.photos;
  const toggle = (path: string) =>
    setPaths((before) =>
      before.includes(path) ? before.filter((each) => each !== path) : [...before, path],
    );
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Photos of this product"
      description={`Up to ${limits.photos}.`}
    >
      <div className="mb-4 flex flex-wrap items-end gap-3">
        {photos.length > 0 && (
          <Field
            label="Search"
            type="search"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            className="min-w-48 flex-1"
          />
        )}
        <PhotoButtons onFiles={onFiles} />
      </div>
      {photos.length === 0 && <p className="text-ink-soft">Choose the photos of your products first.</p>}
      <ul className="grid max-h-[50dvh] grid-cols-3 gap-3 overflow-y-auto p-1 sm:grid-cols-6">
        {found.slice(0, maxShown).map((photo) => (
          <li key={photo.path}>
            <label
              className={clsx(
                'block rounded-field p-1 has-disabled:opacity-50',
                paths.includes(photo.path) && 'ring-2 ring-accent',
              )}
            >
              <PhotoThumbnail photo={photo} />
              <span className="mt-1 flex items-center gap-1.5 text-xs">
                <input
                  type="checkbox"
                  checked={paths.includes(photo.path)}
                  disabled={isFull && !paths.includes(photo.path)}
                  onChange={() => toggle(photo.path)}
                  className="size-4 accent-accent"
                />
                <Name className="truncate">{baseName(photo.path)}</Name>
              </span>
            </label>
          </li>
        ))}
      </ul>
      {found.length > maxShown && (
        <p className="mt-2 text-sm text-ink-soft">
          {found.length - maxShown} more. Search for a name to find them.
        </p>
      )}
      <DialogButtons>
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={() => onDone(paths)}>Use these photos</Button>
      </DialogButtons>
    </Dialog>
  );
}
