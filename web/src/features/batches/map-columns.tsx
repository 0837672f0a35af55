import clsx from 'clsx';
import { CircleHelp } from 'lucide-react';
import { useId, useState } from 'react';
import { isolateName } from '#contract';
import { countText } from '#web/lib/count-text.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { Name } from '#web/ui/name.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { LabelledSelect, Select } from '#web/ui/select.tsx';
import { rememberedFields, rememberFields } from './remembered-columns.ts';
import { type Encoding, encodings } from './tables/decode-text.ts';
import { type Field, fieldNames, headerLines } from './tables/known-columns.ts';
import { headerOf, knownFields, parseTable } from './tables/parse-table.ts';
import {
  type Delimiter,
  delimiters,
  productLines,
  type ReadingChoices,
  type SourceTable,
  TableFault,
} from './tables/source-table.ts';
import type { ReadTable } from './use-table-import.ts';

interface MapColumnsProps {
  table: SourceTable;
  /** Reads the file again, in another way. */
  onRead: (choices: ReadingChoices) => void;
  onUse: (table: ReadTable) => void;
  onClose: () => void;
}

/** Products that are shown. */
const shownLines = 3;
const noHeader = -1;

/**
 * Asks what the columns of a table are, with its first products: for a table that has names that are not known, or whose
 * characters have to be looked at.
 */
export function MapColumns({ table: read, onRead, onUse, onClose }: MapColumnsProps) {
  const rememberId = useId();
  const [headerLine, setHeaderLine] = useState(read.headerLine);
  const table = { ...read, headerLine };
  const header = headerOf(table);
  const known = rememberedFields(header) ?? knownFields(table);
  const [chosen, setChosen] = useState<ReadonlyMap<number, Field>>(new Map());
  const [remember, setRemember] = useState(true);
  const [fault, setFault] = useState<string | null>(null);
  const fields = header.map((_, index) => chosen.get(index) ?? known[index] ?? 'leave-out');
  const unknown = known.filter((field, index) => field === null && !chosen.has(index)).length;
  const lines = productLines(table);

  const use = () => {
    try {
      const { rows, hints } = parseTable(table, fields);
      rememberFields(header, remember && headerLine !== null ? fields : null);
      onUse({ rows, hints, name: table.name });
    } catch (error) {
      if (!(error instanceof TableFault)) throw error;
      setFault(error.message);
    }
  };
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Which column is which?"
      description={
        <>
          {table.name !== '' && (
            <>
              <Name>{table.name}</Name>,{' '}
            </>
          )}
          {countText(lines.length, 'line')}, {countText(header.length, 'column')}.{' '}
          {unknown > 0 &&
            `${countText(unknown, 'column')} ${unknown === 1 ? 'is' : 'are'} new to us, and left out unless you choose.`}
        </>
      }
    >
      <div className="mb-4 grid gap-3 sm:grid-cols-3">
        {table.encoding && (
          <LabelledSelect
            label="Characters"
            value={table.encoding}
            options={(Object.keys(encodings) as Encoding[]).map((value) => ({
              value,
              label: encodings[value],
            }))}
            onChange={(encoding) => onRead({ ...table, encoding })}
          />
        )}
        {table.delimiter && (
          <LabelledSelect
            label="Columns are split by"
            value={table.delimiter}
            options={(Object.keys(delimiters) as Delimiter[]).map((value) => ({
              value,
              label: delimiters[value],
            }))}
            onChange={(delimiter) => onRead({ ...table, delimiter })}
          />
        )}
        {table.sheet && table.sheets.length > 1 && (
          <LabelledSelect
            label="Sheet"
            value={table.sheet}
            options={table.sheets.map((value) => ({ value, label: value }))}
            onChange={(sheet) => onRead({ ...table, sheet })}
          />
        )}
        <LabelledSelect
          label="Names of the columns"
          value={headerLine ?? noHeader}
          options={[
            ...table.lines
              .slice(0, headerLines)
              .map(({ number }, index) => ({ value: index, label: `In line ${number}` })),
            { value: noHeader, label: 'There are none' },
          ]}
          onChange={(line) => {
            setHeaderLine(line === noHeader ? null : line);
            setChosen(new Map());
          }}
        />
      </div>
      {fault && (
        <div className="mb-4">
          <Notice tone="danger">{fault}</Notice>
        </div>
      )}
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls with the keyboard
        tabIndex={0}
        aria-label="Columns and first products"
        className="max-h-[50dvh] w-0 min-w-full overflow-auto rounded-field border border-line"
      >
        <table className="w-full border-collapse text-left text-sm">
          <thead>
            <tr>
              {header.map((name, index) => (
                <ColumnHead
                  // biome-ignore lint/suspicious/noArrayIndexKey: names may be there twice
                  key={index}
                  name={name || `Column ${index + 1}`}
                  field={fields[index]!}
                  isNew={known[index] === null && !chosen.has(index)}
                  onChange={(field) => {
                    setFault(null);
                    setChosen(new Map(chosen).set(index, field));
                  }}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.slice(0, shownLines).map(({ cells, number }) => (
              <tr key={number}>
                {header.map((_, index) => (
                  <td
                    dir="auto"
                    translate="no"
                    title={isolateName(cells[index] ?? '')}
                    // biome-ignore lint/suspicious/noArrayIndexKey: as above
                    key={index}
                    className={clsx(
                      'max-w-56 truncate border-t border-r border-line px-3 py-2 last:border-r-0',
                      fields[index] === 'leave-out' && 'text-ink-soft line-through',
                    )}
                  >
                    {cells[index] ?? ''}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <label htmlFor={rememberId} className="mt-4 inline-flex min-h-11 items-center gap-2 text-sm">
        <input
          id={rememberId}
          type="checkbox"
          checked={remember}
          onChange={(event) => setRemember(event.target.checked)}
          className="size-4 accent-accent"
        />
        Remember this for tables with the same columns
      </label>
      <DialogButtons>
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={use}>Use this table</Button>
      </DialogButtons>
    </Dialog>
  );
}

interface ColumnHeadProps {
  name: string;
  field: Field;
  /** Whether its name is not known and nothing is chosen. */
  isNew: boolean;
  onChange: (field: Field) => void;
}

function ColumnHead({ name, field, isNew, onChange }: ColumnHeadProps) {
  const id = useId();
  return (
    <th
      scope="col"
      className={clsx(
        'min-w-52 border-r border-line p-3 align-top font-normal last:border-r-0',
        isNew && 'bg-accent-wash',
      )}
    >
      <label htmlFor={id} dir="auto" translate="no" className="mb-2 line-clamp-2 font-semibold break-all">
        {name}
      </label>
      <Select
        id={id}
        value={field}
        options={(Object.keys(fieldNames) as Field[]).map((value) => ({ value, label: fieldNames[value] }))}
        onChange={onChange}
        describedBy={isNew ? `${id}-new` : undefined}
      />
      {isNew && (
        <p id={`${id}-new`} className="mt-1.5 flex items-center gap-1 text-xs font-normal">
          <CircleHelp aria-hidden className="size-3.5" />
          New to us
        </p>
      )}
    </th>
  );
}
