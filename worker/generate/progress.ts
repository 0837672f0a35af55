import { updateRunning } from '#shared/data/generations/attempts.ts';
import { releaseMemory } from '#shared/platform/release-memory.ts';
import { storageKeys } from '#shared/storage/storage.ts';
import type { WorkerContext } from '../context.ts';
import { type RunningAttempt, Superseded, writeAndAnnounce } from './attempt.ts';
import { smallPreview } from './previews.ts';

/** Time after which an accepted call is announced, in ms, unless a preview, which shows the same, comes first. */
const acceptedMs = 250;

export interface ProgressTracker {
  /** The provider has begun its answer. */
  accepted(): void;
  /** A preview (PNG) has come; `index` counts from 0. Its memory is freed when it is stored. */
  preview(png: Buffer, index: number): void;
  /** The image has come: previews that are not being stored yet are skipped. */
  skipRest(): void;
  /** Skips the rest and waits for what is being stored. Afterwards nothing is written. */
  stop(): Promise<void>;
}

/** Stores and announces the progress of a provider call, one step at a time, while the call continues. */
export function trackProgress(context: WorkerContext, attempt: RunningAttempt): ProgressTracker {
  let previews = 0;
  let isOver = false;
  let lastStep: Promise<void> = Promise.resolve();
  let acceptedTimer: NodeJS.Timeout | undefined;

  async function showDrawing(previewKey?: string): Promise<void> {
    const shown = {
      progress: { stage: 'drawing' as const, previews, previews_expected: context.config.image.previews },
      ...(previewKey && { preview_key: previewKey }),
    };
    await writeAndAnnounce(context, attempt, (db) => updateRunning(db, attempt, shown));
  }

  async function storePreview(png: Buffer, index: number): Promise<void> {
    if (isOver) return;
    const { bytes, format } = await smallPreview(png);
    releaseMemory(png);
    const key = storageKeys.preview(attempt.generationId, attempt.fence, index, format);
    await context.storage.put(key, bytes);
    previews += 1;
    await showDrawing(key);
  }

  function addStep(step: () => Promise<void>): void {
    clearTimeout(acceptedTimer);
    // A preview that fails must not fail the image.
    lastStep = lastStep.then(step).catch((error) => {
      if (error instanceof Superseded) return;
      context.log.warn({ err: error, generation: attempt.generationId }, 'progress not stored');
    });
  }

  return {
    accepted() {
      acceptedTimer = setTimeout(() => addStep(() => showDrawing()), acceptedMs);
    },
    preview(png, index) {
      addStep(() => storePreview(png, index));
    },
    skipRest() {
      isOver = true;
    },
    stop() {
      isOver = true;
      clearTimeout(acceptedTimer);
      return lastStep;
    },
  };
}
