import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BatchView } from '#contract';
import { isolateName } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { readBatchDraft, removeBatchDraft } from './batch-draft.ts';
import { hashPhotos } from './hash-photos.ts';
import { isPhotoName } from './photo-index.ts';
import { findUploadSource, uploadBatch } from './uploads.ts';

/** Names of photos in a message, at most. */
const maxNamesShown = 5;

/**
 * Continues the upload of a batch with photos that were dropped again: they are recognised by their content, under
 * whatever name.
 * @param sellerId whose table is kept; null keeps none
 */
export function useResume(batch: BatchView, sellerId: string | null) {
  const client = useQueryClient();
  /** How many of how many files are checked; null while none are. */
  const [checked, setChecked] = useState<{ done: number; of: number } | null>(null);
  /** Which photos are still missing, in words. */
  const [notFound, setNotFound] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);

  const resume = async (dropped: readonly File[]) => {
    const photos = dropped.filter(({ name }) => isPhotoName(name));
    setError(photos.length === 0 ? 'There are no photos among these files.' : null);
    setNotFound(null);
    if (photos.length === 0 || checked !== null) return;
    setChecked({ done: 0, of: photos.length });
    try {
      const hashes = await hashPhotos(photos, (done) => setChecked({ done, of: photos.length }));
      const files = new Map(photos.map((file, index) => [hashes[index]!, file]));
      setNotFound(missingText(batch, files));
      if (!batch.photosMissing.some((sha256) => files.has(sha256))) return;
      const earlier = findUploadSource(batch.id);
      const kept = sellerId === null ? null : await readBatchDraft(sellerId);
      const table = earlier?.table ?? (kept?.batchId === batch.id ? kept : null);
      const source = { files: new Map([...(earlier?.files ?? []), ...files]), table };
      void uploadBatch(client, batch, source, () => {
        if (sellerId !== null) void removeBatchDraft(sellerId, batch.id);
      });
    } catch (caught) {
      setError(messageOf(caught));
    } finally {
      setChecked(null);
    }
  };
  return { resume: (files: readonly File[]) => void resume(files), checked, notFound, error };
}

/** Says which missing photos are not among files; null if all of them are. */
function missingText(batch: BatchView, files: ReadonlyMap<string, File>): string | null {
  const missing = batch.missing
    .filter(({ sha256 }) => !files.has(sha256))
    .map(({ name }) => isolateName(name));
  if (missing.length === 0) return null;
  const more = missing.length - maxNamesShown;
  const list = missing.slice(0, maxNamesShown).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return `These photos are not among the files: ${list}. A photo that was changed since counts as another one.`;
}
