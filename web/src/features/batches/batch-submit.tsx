import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { type CreateBatch, cutText, limits, pages } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { countText } from '#web/lib/count-text.ts';
import { useDates } from '#web/lib/dates.ts';
import { Button, textLinkClass } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { cacheBatch, createBatch } from './api.ts';
import { type BatchDraft, removeBatchDraft, writeBatchDraft } from './batch-draft.ts';
import { balanceText, dailyText, shortfallText } from './batch-text.ts';
import { hashPhotos } from './hash-photos.ts';
import { baseName } from './photo-index.ts';
import type { ReadRow } from './read-row.ts';
import { uploadBatch } from './uploads.ts';
import { markSent } from './use-batch-table.ts';

interface BatchSubmitProps {
  table: BatchDraft;
  reads: readonly ReadRow[];
  /** Rows that are not ready. */
  faulty: number;
  /** Whose table is kept; null keeps none. */
  sellerId: string | null;
  /** Images that the seller can still make; null without a limit. */
  imagesLeft: number | null;
  /** Images that the daily limit allows today; null without one. */
  leftToday: number | null;
  planGate: ReactNode;
}

/** What the batch costs, and the button that makes it, which asks once. */
export function BatchSubmit({
  table,
  reads,
  faulty,
  sellerId,
  imagesLeft,
  leftToday,
  planGate,
}: BatchSubmitProps) {
  const [asking, setAsking] = useState(false);
  const { submit, checked, error, clearError } = useSubmit(table, reads, sellerId);
  const images = reads.reduce((sum, { request }) => sum + request.takes, 0);
  const photos = new Set(reads.flatMap((read) => read.photos)).size;
  const daily = dailyText(images, leftToday);
  const shortfall = shortfallText(images, imagesLeft);
  const counts = `${countText(reads.length, 'product')}, ${countText(photos, 'photo')}, ${countText(images, 'image')}.`;
  if (planGate) {
    return (
      <div className="mt-6 grid gap-3">
        <p className="text-sm">{counts}</p>
        {planGate}
      </div>
    );
  }
  return (
    <div className="sticky bottom-(--bottom-bar) mt-3 -mx-4 grid gap-3 border-t border-line bg-surface px-4 py-4 sm:mx-0 sm:rounded-card sm:border sm:px-6">
      <div className="flex flex-wrap items-center gap-3">
        <p className="mr-auto max-w-prose text-sm">
          {counts}{' '}
          {faulty > 0
            ? `${countText(faulty, 'row')} ${faulty === 1 ? 'is' : 'are'} not ready. Correct or remove ${faulty === 1 ? 'it' : 'them'} to continue.`
            : (shortfall ?? daily)}{' '}
          {shortfall !== null && (
            <Link to={pages.plan} className={textLinkClass}>
              See plans
            </Link>
          )}
        </p>
        <Button
          disabled={faulty > 0 || shortfall !== null}
          onClick={() => {
            clearError();
            setAsking(true);
          }}
        >
          {shortfall === null && faulty === 0
            ? balanceText(images, imagesLeft)
            : `Make ${countText(images, 'image')}`}
        </Button>
      </div>
      {asking && (
        <ConfirmDialog
          title={`Make ${countText(images, 'image')}?`}
          description={[
            daily,
            imagesLeft === null
              ? `We upload ${countText(photos, 'photo')} and then make the images.`
              : `${images.toLocaleString('en')} of your ${imagesLeft.toLocaleString('en')} images are set aside when all photos are uploaded. An image that fails is not counted.`,
          ]
            .filter(Boolean)
            .join(' ')}
          label={`Make ${countText(images, 'image')}`}
          busyLabel="Sending..."
          busy={checked !== null}
          error={error}
          onConfirm={() => void submit()}
          onClose={() => setAsking(false)}
        >
          {checked !== null && (
            <div className="grid gap-1.5">
              <p id="checking-photos" className="text-sm">
                Checking your photos: {checked} of {photos}
              </p>
              <ProgressBar labelledBy="checking-photos" fraction={photos === 0 ? 0 : checked / photos} />
            </div>
          )}
        </ConfirmDialog>
      )}
    </div>
  );
}

/** Makes the batch: checks its photos, creates it, begins the upload, and opens its page. */
function useSubmit(table: BatchDraft, reads: readonly ReadRow[], sellerId: string | null) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const dates = useDates();
  /** Photos that are checked; null while nothing is sent. */
  const [checked, setChecked] = useState<number | null>(null);
  const [error, setError] = useState<string | null>(null);
  const submit = async () => {
    setError(null);
    setChecked(0);
    try {
      const photos = [...new Set(reads.flatMap((read) => read.photos))];
      const hashes = await hashPhotos(
        photos.map(({ file }) => file),
        setChecked,
      );
      const hashOf = new Map(photos.map((photo, index) => [photo, hashes[index]!]));
      const rows = reads.map(({ request, photos: ofRow }) => ({
        ...request,
        photos: ofRow.map((photo) => ({
          name: cutText(baseName(photo.path), limits.fileNameCharacters),
          sha256: hashOf.get(photo)!,
        })),
      }));
      const name = table.name.trim() || `Batch of ${dates.day(new Date().toISOString())}`;
      const batch = await createBatch(requestOf({ ...table, name }, rows));
      markSent(table);
      const files = new Map(photos.map((photo) => [hashOf.get(photo)!, photo]));
      const sent = { ...table, batchId: batch.id };
      if (sellerId !== null) await writeBatchDraft(sellerId, sent);
      cacheBatch(client, batch);
      void uploadBatch(client, batch, { files, table: sent }, () => {
        if (sellerId !== null) void removeBatchDraft(sellerId, batch.id);
      });
      void navigate(`${pages.batches}/${batch.id}`);
    } catch (caught) {
      setChecked(null);
      setError(messageOf(caught));
    }
  };
  return { submit, checked, error, clearError: () => setError(null) };
}

function requestOf({ key, name, projectId }: BatchDraft, rows: CreateBatch['rows']): CreateBatch {
  return {
    key,
    name,
    ...(projectId !== null && { projectId }),
    rows,
  };
}
