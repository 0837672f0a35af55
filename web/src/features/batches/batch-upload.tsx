import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { type BatchView, isolateName, limits, pages } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { countText } from '#web/lib/count-text.ts';
import { useDates } from '#web/lib/dates.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { useFileDrop } from '#web/ui/use-file-drop.ts';
import { readBatchDraft, removeBatchDraft } from './batch-draft.ts';
import { dailyText } from './batch-text.ts';
import { hashPhotos } from './hash-photos.ts';
import { isPhotoName, type PhotoFile } from './photo-index.ts';
import { PhotoButtons } from './table-inputs.tsx';
import { findUploadSource, type UploadState, uploadBatch, useUpload } from './uploads.ts';
import { useDeleteBatch, useStartBatch } from './use-batch-action.ts';
import { droppedFile, handOverTable } from './use-batch-table.ts';

interface BatchUploadProps {
  batch: BatchView;
  /** Whose table is kept; null keeps none. */
  draftSellerId: string | null;
  /** Images that the daily limit allows today; null without one. */
  leftToday: number | null;
  renderPlanGate: (errorCode: string | null) => ReactNode;
}

/** The upload of the photos of a batch: how far it is, or how it continues after a reload. */
export function BatchUpload({ batch, draftSellerId, leftToday, renderPlanGate }: BatchUploadProps) {
  const { id, rows, photosMissing, counts, removedAt } = batch;
  const dates = useDates();
  const upload = useUpload(id);
  const { act, isPending, actionError } = useStartBatch(id);
  const isActive = upload !== null && upload.phase !== 'ended';
  const refused = actionError ?? (isActive ? null : (upload?.error ?? null));
  return (
    <section className="grid gap-4 rounded-card border border-line bg-surface p-5 sm:p-6">
      <h2 className="text-lg font-semibold">{isActive ? 'Uploading your photos' : 'Not started yet'}</h2>
      {isActive && <UploadProgress upload={upload} />}
      {refused && (renderPlanGate(refused.code) || <Notice tone="danger">{refused.message}</Notice>)}
      {!isActive &&
        (rows === 0 ? (
          <p>No products yet. The program that made this batch can add them.</p>
        ) : photosMissing.length === 0 ? (
          <div className="grid justify-items-start gap-3">
            <p>All photos are uploaded. {dailyText(counts.images, leftToday)}</p>
            <Button disabled={isPending} onClick={() => act(counts.images)}>
              Make {countText(counts.images, 'image')}
            </Button>
          </div>
        ) : (
          <ResumeUpload batch={batch} upload={upload} draftSellerId={draftSellerId} />
        ))}
      {removedAt !== null && (
        <p className="text-sm text-ink-soft">
          Photos of unfinished uploads are removed after {limits.batchUploadDays} days: these on{' '}
          <time dateTime={removedAt}>{dates.day(removedAt)}</time>. Nothing is used of your balance until all
          photos are uploaded.
        </p>
      )}
      {!isActive && <LeaveUpload id={id} draftSellerId={draftSellerId} />}
    </section>
  );
}

function UploadProgress({ upload: { phase, photos, done, waiting } }: { upload: UploadState }) {
  const text =
    phase === 'starting'
      ? 'Starting…'
      : waiting
        ? `${done} of ${countText(photos, 'photo')}. Waiting for a connection, this continues by itself.`
        : `${done} of ${countText(photos, 'photo')}`;
  return (
    <div className="grid gap-2">
      <p id="uploaded-photos" role="status">
        {text}
      </p>
      <ProgressBar labelledBy="uploaded-photos" fraction={photos === 0 ? 1 : done / photos} />
      <p className="text-sm text-ink-soft">
        Keep this window open until the upload is complete. You can look at other pages meanwhile.
      </p>
    </div>
  );
}

interface ResumeUploadProps extends Pick<BatchUploadProps, 'batch' | 'draftSellerId'> {
  upload: UploadState | null;
}

/** Asks for the photos again, of which only the missing ones are uploaded. */
function ResumeUpload({ batch, upload, draftSellerId }: ResumeUploadProps) {
  const { resume, checked, notFound, error } = useResume(batch, draftSellerId);
  const { getRootProps, isDragActive } = useFileDrop(resume);
  const refused = refusedPhotos(batch, upload);
  const missing = batch.photosMissing.length - refused.length;
  return (
    <>
      {refused.length > 0 && (
        <Notice tone="danger">
          {countText(refused.length, 'photo')} cannot be used. Change the table to use others, or to remove
          the rows.
          <ul className="mt-1 list-disc pl-4 font-normal">
            {refused.slice(0, maxRefusalsShown).map(({ sha256, row, message }) => (
              <li key={sha256}>
                Row {row}: {message}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {missing > 0 && (
        <div
          {...getRootProps()}
          className={`grid gap-4 rounded-card border-2 border-dashed p-5 ${isDragActive ? 'border-accent bg-accent-wash' : 'border-line-strong'}`}
        >
          <p>
            {missing === 1 ? '1 photo is' : `${missing.toLocaleString('en')} photos are`} missing. Drop the
            folder with your photos here again: only what is missing is uploaded.
          </p>
          {checked !== null && (
            <div className="grid gap-1.5">
              <p id="checking-photos" className="text-sm">
                Checking your photos: {checked.done} of {checked.of}
              </p>
              <ProgressBar labelledBy="checking-photos" fraction={checked.done / checked.of} />
            </div>
          )}
          {error && <Notice tone="danger">{error}</Notice>}
          {notFound !== null && <Notice tone="info">{notFound}</Notice>}
          <div className="flex flex-wrap gap-3">
            <PhotoButtons onFiles={resume} />
          </div>
        </div>
      )}
    </>
  );
}

/** Photos that are named of those that were refused. */
const maxRefusalsShown = 10;

/** The photos that the server refused in this window, with the number of their first row. */
function refusedPhotos({ missing }: BatchView, upload: UploadState | null) {
  return [...(upload?.refused ?? [])].map(([sha256, message]) => {
    const photo = missing.find((each) => each.sha256 === sha256);
    return { sha256, message, row: (photo?.row ?? 0) + 1 };
  });
}

interface LeaveUploadProps {
  /** Of a batch that was not started. */
  id: string;
  /** Whose table is kept; null keeps none. */
  draftSellerId: string | null;
}

/** Goes back to the table where this browser still has it, or deletes the batch. */
function LeaveUpload({ id, draftSellerId }: LeaveUploadProps) {
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const source = findUploadSource(id);
  const { data: kept } = useQuery({
    queryKey: ['batch-draft', id],
    queryFn: () => (draftSellerId === null ? null : readBatchDraft(draftSellerId)),
    gcTime: 0,
  });
  const table = source?.table ?? (kept?.batchId === id ? kept : null);
  const deletion = useDeleteBatch(id, () => {
    if (draftSellerId !== null) void removeBatchDraft(draftSellerId, id);
    void navigate(pages.batches, { replace: true });
  });
  const change = useDeleteBatch(id, () => {
    if (table) handOverTable(table, [...(source?.files.values() ?? [])], draftSellerId);
    void navigate(`${pages.batches}/new`, { replace: true });
  });
  const isPending = deletion.isPending || change.isPending;
  const actionError = deletion.actionError ?? change.actionError;
  return (
    <div className="grid gap-3">
      {actionError && !asking && <Notice tone="danger">{actionError.message}</Notice>}
      <div className="flex flex-wrap gap-3">
        {table && (
          <Button variant="secondary" disabled={isPending} onClick={change.remove}>
            Change the table
          </Button>
        )}
        <Button
          variant="quiet"
          disabled={isPending}
          onClick={() => {
            deletion.clearError();
            change.clearError();
            setAsking(true);
          }}
        >
          Delete batch
        </Button>
      </div>
      {asking && (
        <ConfirmDialog
          title="Delete this batch?"
          description="Its table and the photos that were uploaded for it are deleted. No image was used."
          label="Delete batch"
          busyLabel="Deleting..."
          busy={deletion.isPending}
          error={actionError?.message ?? null}
          onConfirm={deletion.remove}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}

/** Names of photos in a message, at most. */
const maxNamesShown = 5;

/**
 * Continues the upload of a batch with photos that were dropped again: they are recognised by their content, under
 * whatever name.
 * @param sellerId whose table is kept; null keeps none
 */
function useResume(batch: BatchView, sellerId: string | null) {
  const client = useQueryClient();
  /** How many of how many files are checked; null while none are. */
  const [checked, setChecked] = useState<{ done: number; of: number } | null>(null);
  /** Which photos are still missing, in words. */
  const [notFound, setNotFound] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);

  /** Photos that are checked or wait for it: more may be dropped meanwhile. */
  const checking = useRef<readonly File[]>([]);

  const resume = async (dropped: readonly File[]) => {
    const photos = dropped.filter(({ name }) => isPhotoName(name));
    setError(photos.length === 0 ? 'There are no photos among these files.' : null);
    setNotFound(null);
    const isChecking = checking.current.length > 0;
    checking.current = [...checking.current, ...photos];
    if (photos.length === 0 || isChecking) return;
    const files = new Map<string, PhotoFile>();
    try {
      const kept = sellerId === null ? null : await readBatchDraft(sellerId);
      for (let done = 0; done < checking.current.length; ) {
        const next = checking.current.slice(done);
        const report = (more: number) => setChecked({ done: done + more, of: checking.current.length });
        report(0);
        const hashes = await hashPhotos(next, report);
        for (const [index, file] of next.entries()) files.set(hashes[index]!, droppedFile(file));
        done += next.length;
      }
      setNotFound(missingText(batch, files));
      if (!batch.photosMissing.some((sha256) => files.has(sha256))) return;
      const earlier = findUploadSource(batch.id);
      const table = earlier?.table ?? (kept?.batchId === batch.id ? kept : null);
      const source = { files: new Map([...(earlier?.files ?? []), ...files]), table };
      void uploadBatch(client, batch, source, () => {
        if (sellerId !== null) void removeBatchDraft(sellerId, batch.id);
      });
    } catch (caught) {
      setError(messageOf(caught));
    } finally {
      checking.current = [];
      setChecked(null);
    }
  };
  return { resume: (files: readonly File[]) => void resume(files), checked, notFound, error };
}

/** Says which missing photos are not among files; null if all of them are. */
function missingText(batch: BatchView, files: ReadonlyMap<string, unknown>): string | null {
  const missing = batch.missing
    .filter(({ sha256 }) => !files.has(sha256))
    .map(({ name }) => isolateName(name));
  if (missing.length === 0) return null;
  const more = missing.length - maxNamesShown;
  const list = missing.slice(0, maxNamesShown).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return `These photos are not among the files: ${list}. A photo that was changed since counts as another one.`;
}
