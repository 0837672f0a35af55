import { type ReactNode, useRef, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import {
  cutText,
  type ImageCapabilities,
  isolateName,
  type LookView,
  limits,
  pages,
  photoFormats,
} from '#contract';
import { countText } from '#web/lib/count-text.ts';
import { Button, textLinkClass } from '#web/ui/button.tsx';
import { Name } from '#web/ui/name.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { offerUndo } from '#web/ui/offer-undo.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { BatchSteps, type Step, StepFooter, stepOf } from './batch-steps.tsx';
import { BatchSubmit } from './batch-submit.tsx';
import { CheckStep } from './check-step.tsx';
import { MapColumns } from './map-columns.tsx';
import { createPhotoIndex, isAddress, isPhotoName } from './photo-index.ts';
import { type FillableCell, ProductRows } from './product-rows.tsx';
import { countSkus, readRow, type TableContext } from './read-row.ts';
import { faultOf, type TableStep } from './row-state.tsx';
import { ScenesForAll } from './scenes-for-all.tsx';
import { SkuPattern } from './sku-pattern.tsx';
import { TableBar } from './table-bar.tsx';
import { PhotoButtons, TableButton, TableInputs } from './table-inputs.tsx';
import { useAddresses } from './use-addresses.ts';
import { droppedFile, useBatchTable } from './use-batch-table.ts';
import { usePhotoChecks } from './use-photo-checks.ts';
import { type PendingTable, type ReadTable, useTableImport } from './use-table-import.ts';

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

/** Photos of products become a batch: photos, scenes, a check, and the run. A table may join. */
export function NewBatch(props: NewBatchProps) {
  const { draftSellerId, looks, capabilities, mayUse2k, imagesLeft, renderProjectPicker } = props;
  const batch = useBatchTable(draftSellerId);
  // In the address, so that the browser's button goes back one step, and not out of the page.
  const [query] = useSearchParams();
  const step = stepOf(query.get('step'));
  const navigate = useNavigate();
  const [messages, setMessages] = useState<Messages>(noMessages);
  const [cell, setCell] = useState<(FillableCell & { step: Step }) | null>(null);
  const scrollTo = useRef<(index: number) => void>(null);
  // The table whose columns were chosen before, until the next one comes.
  const [chosenLast, setChosenLast] = useState<PendingTable | null>(null);
  const takeTable = (
    { rows: added, name, hints }: ReadTable,
    remembered?: PendingTable,
    before?: PendingTable,
  ) => {
    const title = cutText(name.replace(/\.\w+$/, ''), limits.projectNameCharacters);
    const ids = batch.addTable(added, title, before?.rows);
    const table = remembered ?? (before?.rows && before);
    setChosenLast(table ? { ...table, rows: ids } : null);
    setMessages((before) => ({ ...before, hints: [...before.hints, ...hints] }));
  };
  const tables = useTableImport(takeTable, (faults) => setMessages((before) => ({ ...before, faults })));
  const { table, photos } = batch;
  const index = createPhotoIndex(photos);
  const warnings = usePhotoChecks(index.photosOf(table?.rows.flatMap((row) => row.photos) ?? []));
  const missing = new Set(table?.rows.flatMap((row) => row.photos.filter((name) => !index.find(name))));
  const addresses = useAddresses([...missing].filter(isAddress), (address, file) =>
    batch.addPhotos([{ path: address, file }]),
  );
  if (table === null) return <ListSkeleton />;
  if (table.batchId !== null) return <InProgress id={table.batchId} onClear={batch.clear} />;

  const { rows } = table;
  const context: TableContext = {
    photos: index,
    addresses,
    looks,
    capabilities,
    mayUse2k,
    skuCounts: countSkus(rows),
  };
  const reads = rows.map((row) => readRow(row, context));
  const faultyIn = (which: TableStep) =>
    reads.flatMap(({ faults }, index) => (faultOf(which, faults) === null ? [] : [index]));
  const faulty = reads.filter(({ faults }) => Object.keys(faults).length > 0).length;
  const images = reads.reduce((sum, { request }) => sum + request.takes, 0);

  const takeFiles = (files: readonly File[]) => {
    const found = files.filter(({ name }) => tableName.test(name));
    const pictures = files.filter(({ name }) => isPhotoName(name));
    // A folder may have files that the system put there.
    const others = files.filter(
      (file) => !found.includes(file) && !pictures.includes(file) && !file.name.startsWith('.'),
    );
    setMessages({ faults: [], hints: leftOutHint(others) });
    batch.addPhotos(pictures.map(droppedFile));
    if (found.length > 0) void tables.add(found);
  };
  const remove = (ids: ReadonlySet<string>) => {
    const before = rows;
    batch.removeRows(ids);
    offerRemovedRows(ids.size, () => batch.restoreRows(before));
  };
  const goTo = (next: Step) => {
    void navigate(`?${new URLSearchParams({ step: next })}`);
    window.scrollTo(0, 0);
  };

  return (
    <TableInputs
      onFiles={takeFiles}
      onPaste={(text) => {
        setMessages(noMessages);
        void tables.add([text]);
      }}
      hasRows={rows.length > 0}
    >
      {rows.length > 0 && (
        <div className="mb-4">
          <BatchSteps step={step} onStep={goTo} />
        </div>
      )}
      <div className="my-4 grid gap-2 empty:hidden">
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
        {chosenLast && rows.length > 0 && (
          <Notice tone="info">
            {chosenLast.table.name === '' ? (
              'The columns are as you chose them last.'
            ) : (
              <>
                The columns of <Name>{chosenLast.table.name}</Name> are as you chose them last.
              </>
            )}{' '}
            <button
              type="button"
              onClick={() => tables.ask(chosenLast)}
              className="-my-3 min-h-11 font-semibold underline"
            >
              Change
            </button>
          </Notice>
        )}
        {rows.length > limits.batchRows && (
          <Notice tone="danger">
            {countText(rows.length, 'product')} are too many: one batch can have {limits.batchRows}. Please
            remove some.
          </Notice>
        )}
        {photos.length === 0 && rows.length > 0 && (
          <Notice tone="info">Now add the photos of your products.</Notice>
        )}
      </div>
      {tables.asked && (
        <MapColumns
          key={`${tables.asked.table.name} ${tables.asked.table.encoding} ${tables.asked.table.delimiter} ${tables.asked.table.sheet}`}
          table={tables.asked.table}
          onRead={(choices) => void tables.readAgain(choices)}
          onUse={(read) => {
            takeTable(read, undefined, tables.asked ?? undefined);
            tables.answer();
          }}
          onClose={tables.answer}
        />
      )}
      {rows.length > 0 && step === 'check' && (
        <>
          <CheckStep
            table={batch}
            rows={rows}
            reads={reads}
            warnings={warnings}
            onFix={(where, row) => {
              goTo(where);
              requestAnimationFrame(() => focusRow(scrollTo.current, row));
            }}
            projectPicker={renderProjectPicker(table.projectId, batch.setProject)}
          />
          <BatchSubmit
            table={table}
            reads={reads}
            faulty={faulty + Math.max(0, rows.length - limits.batchRows)}
            sellerId={draftSellerId}
            imagesLeft={imagesLeft}
            leftToday={props.leftToday}
            planGate={props.planGate}
          />
        </>
      )}
      {rows.length > 0 && step !== 'check' && (
        <>
          {step === 'photos' && rows.some(({ fromPhotos }) => fromPhotos) && (
            <SkuPattern
              rows={rows.filter(({ fromPhotos }) => fromPhotos)}
              pattern={table.pattern}
              onChange={batch.setPattern}
            />
          )}
          {step === 'scenes' && <ScenesForAll rows={rows} table={batch} context={context} />}
          <section aria-label="Products" className="rounded-card border border-line bg-surface">
            <TableBar
              rows={rows.length}
              faulty={faultyIn(step).length}
              onNextProblem={() => focusRow(scrollTo.current, nextAfterFocus(faultyIn(step)))}
              onRemoveFaulty={() => remove(new Set(faultyIn(step).map((index) => rows[index]!.id)))}
              cell={cell?.step === step ? cell : null}
              onFillDown={({ column, row }) => batch.fillDown({ [column]: rows[row]![column] }, row + 1)}
            >
              {step === 'photos' && (
                <>
                  <PhotoButtons onFiles={takeFiles} />
                  <TableButton onFiles={takeFiles} />
                  <Button
                    variant="quiet"
                    className="px-4! max-sm:text-sm!"
                    onClick={() => {
                      setMessages(noMessages);
                      offerRemovedRows(rows.length, batch.clear());
                    }}
                  >
                    Remove all
                  </Button>
                </>
              )}
            </TableBar>
            <ProductRows
              step={step}
              table={batch}
              rows={rows}
              reads={reads}
              context={context}
              onFiles={takeFiles}
              onRemove={(id) => remove(new Set([id]))}
              onCell={(chosen) => setCell(chosen && { ...chosen, step })}
              warnings={warnings}
              scrollRef={scrollTo}
            />
          </section>
          <StepFooter
            summary={
              <>
                <b>
                  {countText(rows.length, 'product')}, {countText(images, 'image')}.
                </b>{' '}
                {imagesLeft !== null && `You have ${imagesLeft.toLocaleString('en')} left.`}
              </>
            }
            {...(step === 'scenes' && { onBack: () => goTo('photos') })}
            next={
              step === 'photos' && faultyIn('scenes').length > 0
                ? { label: 'Next: scenes', onClick: () => goTo('scenes') }
                : { label: 'Next: check', onClick: () => goTo('check') }
            }
          />
        </>
      )}
    </TableInputs>
  );
}

const offerRemovedRows = (count: number, restore: () => void) =>
  offerUndo(`${countText(count, 'row')} removed.`, restore);

/** Names of tables; those of other spreadsheets are told to be saved as XLSX or CSV. */
const tableName = /\.(csv|tsv|tab|txt|xlsx?|xlsm|ods|numbers)$/i;

/** The first row of these after the one that has the focus, else the first. */
function nextAfterFocus(faulty: readonly number[]): number {
  const focused = Number(document.activeElement?.closest('[data-index]')?.getAttribute('data-index') ?? -1);
  return faulty.find((index) => index > focused) ?? faulty[0]!;
}

/** Frames in which a row that was scrolled to appears; on a slow computer as well. */
const mostFrames = 60;

/** Scrolls to a row and puts the focus into the field that is wrong. */
function focusRow(scroll: ((index: number) => void) | null, index: number, frames = mostFrames): void {
  if (frames === mostFrames) scroll?.(index);
  const row = document.querySelector(`[data-index="${index}"]`);
  const field =
    row?.querySelector<HTMLElement>('[aria-invalid=true]') ??
    row?.querySelector<HTMLElement>('button, input');
  if (field) field.focus({ preventScroll: true });
  else if (frames > 0) requestAnimationFrame(() => focusRow(scroll, index, frames - 1));
}

/** What was found in files that were added. */
interface Messages {
  faults: readonly string[];
  hints: readonly string[];
}
const noMessages: Messages = { faults: [], hints: [] };

function leftOutHint(files: readonly File[]): string[] {
  if (files.length === 0) return [];
  return files.length === 1
    ? [`${isolateName(files[0]!.name)} was left out: it is neither a photo (${photoFormats}) nor a table.`]
    : [`${files.length} files were left out: they are neither photos (${photoFormats}) nor tables.`];
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
