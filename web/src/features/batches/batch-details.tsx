import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { type BatchView, pages } from '#contract';
import { countText } from '#web/lib/count-text.ts';
import { useDates } from '#web/lib/dates.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { TimeLeft } from '#web/ui/time-left.tsx';
import { BatchDownloads } from './batch-downloads.tsx';
import { BatchRow } from './batch-row.tsx';
import { countsText, stateText } from './batch-text.ts';
import { BatchUpload } from './batch-upload.tsx';
import { ReviewGrid } from './review-grid.tsx';
import { useUpload } from './uploads.ts';
import { useBatchAction, useDeleteBatch } from './use-batch-action.ts';
import { VirtualRows } from './virtual-rows.tsx';

interface BatchDetailsProps {
  batch: BatchView;
  /** Whose table is kept; null keeps none. */
  draftSellerId: string | null;
  /** Images that the daily limit allows today, and that the seller has left; null without a limit. */
  leftToday: number | null;
  imagesLeft: number | null;
  /** What to show for an error that concerns the plan; null for any other. */
  renderPlanGate: (errorCode: string | null) => ReactNode;
}

/** One batch: its upload with its rows, or its progress, its images and their download. */
export function BatchDetails({
  batch,
  draftSellerId,
  leftToday,
  imagesLeft,
  renderPlanGate,
}: BatchDetailsProps) {
  const upload = useUpload(batch.id);
  if (batch.state !== 'uploading') {
    return (
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid gap-6 xl:sticky xl:top-20 xl:order-last">
          <BatchProgress batch={batch} renderPlanGate={renderPlanGate} />
          {(batch.available ?? batch.counts.succeeded) > 0 && <BatchDownloads batch={batch} />}
        </div>
        <ReviewGrid batch={batch} imagesLeft={imagesLeft} renderPlanGate={renderPlanGate} />
      </div>
    );
  }
  return (
    <div className="grid gap-6">
      <BatchUpload
        batch={batch}
        draftSellerId={draftSellerId}
        leftToday={leftToday}
        renderPlanGate={renderPlanGate}
      />
      <VirtualRows
        keys={Array.from({ length: batch.rows }, (_, index) => index)}
        usualHeight={132}
        renderRow={(index) => (
          <BatchRow
            batchId={batch.id}
            index={index}
            // An upload says itself how far it is.
            missing={upload?.phase === 'uploading' ? [] : batch.photosMissing}
            refused={upload?.refused}
          />
        )}
      />
    </div>
  );
}

interface BatchProgressProps {
  batch: BatchView;
  renderPlanGate: (errorCode: string | null) => ReactNode;
}

/** How far a batch is, and what can be done with it. */
function BatchProgress({ batch, renderPlanGate }: BatchProgressProps) {
  const { id, state, counts, cancelled, pausedBecause, waitsUntil } = batch;
  const dates = useDates();
  const navigate = useNavigate();
  const [asking, setAsking] = useState<'cancel' | 'delete' | null>(null);
  const close = () => setAsking(null);
  const { act, isPending, actionError, clearError } = useBatchAction(id, close);
  const deletion = useDeleteBatch(id, () => navigate(pages.batches, { replace: true }));
  const ask = (what: 'cancel' | 'delete') => {
    clearError();
    deletion.clearError();
    setAsking(what);
  };
  const ended = counts.succeeded + counts.failed + counts.cancelled;
  const shown = actionError ?? deletion.actionError;
  return (
    <section className="grid gap-4 rounded-card border border-line bg-surface p-5 sm:p-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="text-lg font-semibold">{stateText(batch)}</h2>
        <p id="batch-counts" role="status" className="text-ink-soft">
          {countsText(counts)}
        </p>
      </div>
      <ProgressBar labelledBy="batch-counts" fraction={counts.images === 0 ? 1 : ended / counts.images} />
      {batch.timeLeft && (
        <p className="text-sm text-ink-soft">
          <TimeLeft times={batch.timeLeft} />
        </p>
      )}
      {waitsUntil && (
        <Notice tone="info">
          You have reached your daily limit. The images that wait begin by themselves on{' '}
          <time dateTime={waitsUntil}>{dates.shortDateTime(waitsUntil)}</time>.
        </Notice>
      )}
      {pausedBecause !== null && <Notice tone="info">{pausedBecause}</Notice>}
      {shown && !asking && (renderPlanGate(shown.code) || <Notice tone="danger">{shown.message}</Notice>)}
      <div className="flex flex-wrap gap-3 empty:hidden">
        {state === 'running' && !cancelled && (
          <Button variant="secondary" disabled={isPending} onClick={() => act('pause')}>
            Pause
          </Button>
        )}
        {state === 'paused' && (
          <Button disabled={isPending} onClick={() => act('resume')}>
            {pausedBecause === null ? 'Resume' : `Resume with ${countText(counts.waiting, 'image')}`}
          </Button>
        )}
        {state !== 'ended' && !cancelled && (
          <Button variant="secondary" disabled={isPending} onClick={() => ask('cancel')}>
            Cancel the rest
          </Button>
        )}
        {state === 'ended' && counts.failed > 0 && (
          <Button disabled={isPending} onClick={() => act('retry')}>
            Retry {countText(counts.failed, 'failed image')}
          </Button>
        )}
        {state === 'ended' && (
          <Button
            variant="quiet"
            disabled={deletion.isPending}
            onClick={() => ask('delete')}
            className="-ml-5"
          >
            Delete batch
          </Button>
        )}
      </div>
      {asking === 'cancel' && (
        <ConfirmDialog
          title="Cancel the rest?"
          description="What has not begun is not made and comes back to your balance. Images that have a preview already are finished."
          label="Cancel the rest"
          busyLabel="Cancelling..."
          cancelLabel="Keep going"
          busy={isPending}
          error={shown?.message ?? null}
          onConfirm={() => act('cancel')}
          onClose={close}
        />
      )}
      {asking === 'delete' && (
        <ConfirmDialog
          title="Delete this batch?"
          description="Its images stay in your library. Only the batch with its report is deleted."
          label="Delete batch"
          busyLabel="Deleting..."
          busy={deletion.isPending}
          error={shown?.message ?? null}
          onConfirm={deletion.remove}
          onClose={close}
        />
      )}
    </section>
  );
}
