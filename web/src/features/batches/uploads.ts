import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { type BatchView, limits } from '#contract';
import { ApiError, type FailureCode, messageOf } from '#web/lib/api.ts';
import { copyFile } from '#web/lib/copy-file.ts';
import { cacheBatch, fetchBatch, startBatch, TryLater, uploadPhoto } from './api.ts';
import type { BatchDraft } from './batch-draft.ts';
import type { PhotoFile } from './photo-index.ts';

/** How far the upload of a batch is. */
export interface UploadState {
  phase: 'uploading' | 'starting' | 'ended';
  /** Photos to upload, and those that the server has or has refused. */
  photos: number;
  done: number;
  /** Whether the server is busy or cannot be reached: it continues by itself. */
  waiting: boolean;
  /** Why the server refused photos, by SHA-256. */
  refused: ReadonlyMap<string, string>;
  /** Why it ended without starting the batch; null unless it did. */
  error: { code: FailureCode | null; message: string } | null;
}

/** What the upload has, so that the seller can go back to the table. */
interface UploadSource {
  /** By SHA-256. */
  files: ReadonlyMap<string, PhotoFile>;
  /** The table that the batch was made of; null if this window does not know it. */
  table: BatchDraft | null;
}

/** The uploads of this window, by the id of their batch. They continue on other pages. */
const uploads = new Map<string, { state: UploadState; source: UploadSource }>();
const listeners = new Set<() => void>();

/** Pause before a photo is sent again after the connection was lost, in ms. */
const reconnectMs = 3_000;

/** Codes of errors that end an upload: no other photo would be accepted either. */
const fatalCodes: readonly FailureCode[] = [
  'UNAUTHENTICATED',
  'NOT_FOUND',
  'BATCH_STARTED',
  'BATCH_LIMIT',
  // No image is available any more: the photos are to be uploaded when there is one.
  'NO_SUBSCRIPTION',
  'PAYMENT_OVERDUE',
  'PAYMENT_RETURNED',
  'NO_CREDITS',
  'FAIR_USE',
];
/** Codes of errors after which the same photo is sent again. */
const transientCodes: readonly FailureCode[] = ['NETWORK', 'REQUEST_TIMEOUT', 'UPLOAD_ABORTED'];

/** The upload of a batch in this window; null if there is none. */
export function useUpload(batchId: string): UploadState | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => uploads.get(batchId)?.state ?? null,
  );
}

/** What the upload of a batch has; null if there is none in this window. */
export function findUploadSource(batchId: string): UploadSource | null {
  return uploads.get(batchId)?.source ?? null;
}

/** Forgets an upload. Photos under way may still arrive. */
export function forgetUpload(batchId: string): void {
  uploads.delete(batchId);
  for (const listener of listeners) listener();
}

function changeUpload(batchId: string, changes: Partial<UploadState>): void {
  const upload = uploads.get(batchId);
  if (!upload) return;
  uploads.set(batchId, { ...upload, state: { ...upload.state, ...changes } });
  for (const listener of listeners) listener();
}

/**
 * Uploads the photos of a batch that the server does not have, and starts the batch when it has all of them. No-op while
 * it is doing so already.
 * @param onStarted called once the batch was started
 */
export async function uploadBatch(
  client: QueryClient,
  { id, photosMissing, counts }: BatchView,
  source: UploadSource,
  onStarted: () => void,
): Promise<void> {
  const running = uploads.get(id);
  if (running && running.state.phase !== 'ended') return;
  const queue = photosMissing.filter((sha256) => source.files.has(sha256));
  const state: UploadState = {
    phase: 'uploading',
    photos: queue.length,
    done: 0,
    waiting: false,
    refused: new Map(),
    error: null,
  };
  uploads.set(id, { state, source });
  try {
    const workers = Array.from({ length: limits.batchPhotosAtOnce }, () =>
      uploadFromQueue(id, queue, source),
    );
    await Promise.all(workers);
    const batch = await fetchBatch(id);
    cacheBatch(client, batch);
    if (batch.state === 'uploading' && batch.photosMissing.length === 0) {
      changeUpload(id, { phase: 'starting' });
      cacheBatch(client, await startBatch(id, counts.images));
      onStarted();
      forgetUpload(id);
      return;
    }
    changeUpload(id, { phase: 'ended' });
  } catch (error) {
    // The others are not sent any more.
    queue.length = 0;
    const code = error instanceof ApiError ? error.code : null;
    changeUpload(id, { phase: 'ended', waiting: false, error: { code, message: messageOf(error) } });
  }
}

/** Sends one photo of the queue after the other. @throws ApiError that ends the upload */
async function uploadFromQueue(id: string, queue: string[], { files }: UploadSource): Promise<void> {
  for (let sha256 = queue.shift(); sha256 !== undefined; sha256 = queue.shift()) {
    const refusal = await uploadUntilAnswered(id, sha256, files.get(sha256)!.file);
    const upload = uploads.get(id)?.state;
    // Forgotten: the batch was deleted.
    if (!upload) return;
    changeUpload(id, {
      done: upload.done + 1,
      waiting: false,
      ...(refusal !== null && { refused: new Map(upload.refused).set(sha256, refusal) }),
    });
  }
}

/** Sends a photo until the server has it or refuses it. @returns why it cannot be sent, else null @throws ApiError */
async function uploadUntilAnswered(id: string, sha256: string, file: File): Promise<string | null> {
  while (uploads.has(id)) {
    try {
      await uploadPhoto(id, sha256, await copyFile(file));
      return null;
    } catch (error) {
      const pause = pauseAfter(error);
      if (pause === null) {
        if (!(error instanceof ApiError) || fatalCodes.includes(error.code)) throw error;
        return error.message;
      }
      changeUpload(id, { waiting: true });
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return null;
}

/** How long to wait before the photo is sent again, in ms; null if that is of no use. */
function pauseAfter(error: unknown): number | null {
  if (error instanceof TryLater) return error.seconds * 1_000;
  return error instanceof ApiError && transientCodes.includes(error.code) ? reconnectMs : null;
}
