import { type ReactNode, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import {
  cutText,
  type ImageCapabilities,
  isolateName,
  type LookView,
  limits,
  pages,
  photoFormats,
} from '#contract';
import { Button, textLinkClass } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { BatchSubmit } from './batch-submit.tsx';
import { countText } from './batch-text.ts';
import { createPhotoIndex, isPhotoName } from './photo-index.ts';
import { ProductTable } from './product-table.tsx';
import { countSkus, readRow, type TableContext } from './read-row.ts';
import { readTables } from './read-tables.ts';
import { TableInputs } from './table-inputs.tsx';
import { useBatchTable } from './use-batch-table.ts';

interface NewBatchProps {
  /** Whose table is kept over a reload; null keeps none. */
  draftSellerId: string | null;
  looks: readonly LookView[];
  capabilities: ImageCapabilities;
  mayUse2k: boolean;
  /** Images that the seller can still make; null without a limit. */
  imagesLeft: number | null;
  /** Images that the daily limit allows today; null without one. */
  leftToday: number | null;
  renderProjectPicker: (id: string | null, onChange: (id: string | null) => void) => ReactNode;
  /** Shown instead of the button where the plan allows no image; null if it does. */
  planGate: ReactNode;
}

/** A table of products and their photos, which becomes a batch. */
export function NewBatch(props: NewBatchProps) {
  const { draftSellerId, looks, capabilities, mayUse2k, renderProjectPicker } = props;
  const batch = useBatchTable(draftSellerId);
  const [messages, setMessages] = useState<Messages>(noMessages);
  const scrollTo = useRef<(index: number) => void>(null);
  const { table, photos } = batch;
  if (table === null) return <ListSkeleton />;
  if (table.batchId !== null) return <InProgress id={table.batchId} onClear={batch.clear} />;

  const { rows } = table;
  const context: TableContext = {
    photos: createPhotoIndex(photos),
    looks,
    capabilities,
    mayUse2k,
    skuCounts: countSkus(rows),
  };
  const reads = rows.map((row) => readRow(row, context));
  const faulty = reads.flatMap(({ faults }, index) => (Object.keys(faults).length > 0 ? [index] : []));

  const addTables = async (texts: readonly (File | string)[], leftOut: readonly File[]) => {
    const { rows: added, faults, hints } = await readTables(texts, limits.batchRows - rows.length);
    const name = texts.find((text) => text instanceof File)?.name.replace(/\.\w+$/, '') ?? '';
    if (added.length > 0) batch.addRows(added, cutText(name, limits.projectNameCharacters));
    setMessages({ faults, hints: [...hints, ...leftOutHint(leftOut)] });
  };
  const takeFiles = (files: readonly File[]) => {
    const tables = files.filter(({ name }) => tableName.test(name));
    const pictures = files.filter(({ name }) => isPhotoName(name));
    batch.addPhotos(pictures);
    // A folder may have files that the system put there.
    const others = files.filter(
      (file) => !tables.includes(file) && !pictures.includes(file) && !file.name.startsWith('.'),
    );
    void addTables(tables, others);
  };

  return (
    <TableInputs onFiles={takeFiles} onPaste={(text) => void addTables([text], [])} hasRows={rows.length > 0}>
      <div className="mt-4 grid gap-2 empty:hidden">
        {messages.faults.map((fault) => (
          <Notice key={fault} tone="danger">
            {fault}
          </Notice>
        ))}
        {messages.hints.map((hint) => (
          <Notice key={hint} tone="info">
            {hint}
          </Notice>
        ))}
      </div>
      {photos.length > 0 && rows.length === 0 && (
        <p className="mt-4 text-ink-soft">{countText(photos.length, 'photo')} added. Now add the table.</p>
      )}
      {rows.length > 0 && (
        <>
          <div className="my-6 grid items-end gap-4 sm:grid-cols-2">
            <Field
              label="Name of the batch"
              value={table.name}
              maxLength={limits.projectNameCharacters}
              onChange={(event) => batch.setName(event.target.value)}
            />
            {renderProjectPicker(table.projectId, batch.setProject)}
          </div>
          <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
            <p role="status" className="mr-auto font-semibold">
              {readyText(rows.length, faulty.length)}
              <span className="font-normal text-ink-soft"> · {countText(photos.length, 'photo')} added</span>
            </p>
            {faulty.length > 0 && (
              <>
                <Button variant="secondary" onClick={() => scrollTo.current?.(faulty[0]!)}>
                  Show the first that is not ready
                </Button>
                <Button
                  variant="quiet"
                  onClick={() => batch.removeRows(new Set(faulty.map((index) => rows[index]!.id)))}
                >
                  Remove {countText(faulty.length, 'row')}
                </Button>
              </>
            )}
            <Button
              variant="quiet"
              onClick={() => {
                batch.clear();
                setMessages(noMessages);
              }}
            >
              Remove all
            </Button>
          </div>
          {photos.length === 0 && (
            <div className="mb-3">
              <Notice tone="info">Now add the photos that your table names.</Notice>
            </div>
          )}
          <ProductTable
            table={batch}
            rows={rows}
            reads={reads}
            context={context}
            onFiles={takeFiles}
            scrollRef={scrollTo}
          />
          <BatchSubmit
            table={table}
            reads={reads}
            faulty={faulty.length}
            sellerId={draftSellerId}
            imagesLeft={props.imagesLeft}
            leftToday={props.leftToday}
            planGate={props.planGate}
          />
        </>
      )}
    </TableInputs>
  );
}

/** Names of tables; those of spreadsheets are told to be saved as CSV. */
const tableName = /\.(csv|tsv|txt|xlsx?|ods|numbers)$/i;

/** What was found in files that were added. */
interface Messages {
  faults: readonly string[];
  hints: readonly string[];
}
const noMessages: Messages = { faults: [], hints: [] };

function leftOutHint(files: readonly File[]): string[] {
  if (files.length === 0) return [];
  return files.length === 1
    ? [`${isolateName(files[0]!.name)} was left out: it is neither a table nor a photo (${photoFormats}).`]
    : [`${files.length} files were left out: they are neither tables nor photos (${photoFormats}).`];
}

function readyText(rows: number, faulty: number): string {
  const ready = rows - faulty;
  return `${ready} of ${countText(rows, 'row')} ${ready === 1 || rows === 1 ? 'is' : 'are'} ready`;
}

/** Instead of a table that is being uploaded already. */
function InProgress({ id, onClear }: { id: string; onClear: () => void }) {
  return (
    <div className="grid justify-items-start gap-4">
      <p>
        Your last table is a batch already, whose photos are not all uploaded.{' '}
        <Link to={`${pages.batches}/${id}`} className={textLinkClass}>
          Open that batch
        </Link>
      </p>
      <Button variant="secondary" onClick={onClear}>
        Start with an empty table
      </Button>
    </div>
  );
}
