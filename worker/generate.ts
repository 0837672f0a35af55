import {
  beginCall,
  claimGeneration,
  renewAttempt,
  updateRunning,
} from '#shared/data/generations/attempts.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { ProviderPauseRow } from '#shared/data/provider-pauses.ts';
import { storageKeys } from '#shared/platform/storage.ts';
import { StorageError } from '#shared/platform/storage-error.ts';
import {
  change,
  decide,
  failed,
  handBack,
  type RunningAttempt,
  Superseded,
  stopReasons,
  TryLater,
} from './attempt.ts';
import { leaseMs, type WorkerContext } from './context.ts';
import { findStoredImage, verifiedPng } from './output.ts';
import { postpone } from './postpone.ts';
import { removePreviewsOfEnded, smallPreview } from './previews.ts';
import type { ProviderResult } from './provider.ts';
import { ProviderError } from './provider-error.ts';
import { noteAccepted, pauseAfterRefusal, providerPause } from './provider-pause.ts';
import { maybeExecuted, retryDecision } from './retry-policy.ts';
import { storeImageWithRetry } from './store-image.ts';

/** Calls that may be lost to dying workers before a generation is given up (design.md: replaced once). */
const lostCallsAllowed = 1;

/**
 * The job: makes one generation's image and decides it. Safe to run any number of times, by any number of workers.
 * @returns what came of it, for the queue's log
 * @throws TryLater when it should be taken up again
 */
export async function generate(context: WorkerContext, generationId: string): Promise<string> {
  const claim = await claimGeneration(context.db, generationId, leaseMs(context.config));
  if (claim.outcome === 'ended') return 'ended before';
  if (claim.outcome === 'busy') {
    throw new TryLater('another attempt has it', Math.max(1_000, claim.until.getTime() - Date.now()));
  }
  const { row } = claim;
  const stop = new AbortController();
  const attempt: RunningAttempt = { generationId, fence: row.fence, stop };
  context.underWay.set(generationId, stop);
  const renewal = setInterval(async () => {
    // An answer that does not come proves nothing: only being told that it is lost stops a call.
    const kept = await renewAttempt(context.db, attempt, leaseMs(context.config)).catch(() => true);
    if (!kept) stop.abort(stopReasons.lost);
  }, leaseMs(context.config) / 4);
  try {
    return await runOrWait(context, row, attempt);
  } catch (error) {
    if (error instanceof Superseded) return 'superseded';
    throw error;
  } finally {
    clearInterval(renewal);
    if (context.underWay.get(generationId) === stop) context.underWay.delete(generationId);
    await removePreviewsOfEnded(context, generationId);
  }
}

/** A storage folder that fails is no generation's fault: it waits until the folder works. */
async function runOrWait(
  context: WorkerContext,
  row: GenerationRow,
  attempt: RunningAttempt,
): Promise<string> {
  try {
    const obstacle = await context.storageWatch.look();
    return await (obstacle ? postpone(context, row, attempt, obstacle) : run(context, row, attempt));
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return postpone(context, row, attempt, context.storageWatch.noteFailure(error));
  }
}

async function run(context: WorkerContext, row: GenerationRow, attempt: RunningAttempt): Promise<string> {
  const { storage } = context;
  const { signal } = attempt.stop;

  // A worker may have died after it stored the image and before it said so.
  const stored = row.fence > 1 ? await findStoredImage(storage, row._id, row.fence) : undefined;
  if (stored) return decide(context, attempt, { state: 'succeeded', image: stored, provider: null });
  if (row.calls.lost > lostCallsAllowed) {
    return decide(context, attempt, failed('GENERATION_FAILED', 'two workers died during its calls'));
  }

  const photos = await Promise.all(row.photos.map((photo) => storage.get(photo.key)));
  if (!photos.every((photo) => photo !== undefined)) {
    return decide(context, attempt, failed('PHOTOS_UNREADABLE', 'a stored photo is missing'));
  }

  const { seen, obstacle } = await providerPause(context);
  if (obstacle) return postpone(context, row, attempt, obstacle);

  const expected = context.config.image.previews;
  const called = await change(context, attempt, (db) => beginCall(db, attempt, expected));
  const progress = progressKeeper(context, attempt, expected);
  let noted: Promise<void> | undefined;
  let result: ProviderResult;
  let png: Buffer;
  try {
    result = await context.provider.edit({
      prompt: row.prompt,
      photos,
      quality: row.quality ?? 'high',
      signal,
      onAccepted: () => {
        progress.accepted();
        noted = noteAccepted(context, seen).catch((error) => {
          context.log.warn({ err: error }, 'an accepted call was not noted');
        });
      },
      onPreview: progress.preview,
    });
    progress.skipRest();
    png = await verifiedPng(result.image, result.requestId);
  } catch (error) {
    await Promise.all([progress.settled(), noted]);
    if (!(error instanceof ProviderError)) throw error;
    return afterFailedCall(context, called, attempt, seen, error);
  }

  const [image] = await Promise.all([
    storeImageWithRetry(context, row, attempt, png),
    progress.settled(),
    noted,
  ]);
  const { requestId, milliseconds, usage } = result;
  const provider = { model: context.config.image.model, request_id: requestId, milliseconds, usage };
  return decide(context, attempt, { state: 'succeeded', image, provider });
}

/** How long a call must have been accepted before that is shown by itself, in ms: a preview shows it as well. */
const acceptedMs = 250;

/** Stores previews in the order they come, and shows each and that the provider has begun; the call goes on meanwhile. */
function progressKeeper(context: WorkerContext, attempt: RunningAttempt, expected: number) {
  let previews = 0;
  let isOver = false;
  let last: Promise<void> = Promise.resolve();
  let accepted: NodeJS.Timeout | undefined;
  const show = async (previewKey?: string) => {
    const shown = {
      progress: { stage: 'drawing' as const, previews, previews_expected: expected },
      ...(previewKey && { preview_key: previewKey }),
    };
    await change(context, attempt, (db) => updateRunning(db, attempt, shown));
  };
  const keep = async (png: Buffer, index: number) => {
    if (isOver) return;
    const key = storageKeys.preview(attempt.generationId, attempt.fence, index);
    await context.storage.put(key, await smallPreview(png));
    previews += 1;
    await show(key);
  };
  const afterwards = (step: () => Promise<void>) => {
    clearTimeout(accepted);
    // A preview that cannot be kept is no reason to lose the image.
    last = last.then(step).catch((error) => {
      if (error instanceof Superseded) return;
      context.log.warn({ err: error, generation: attempt.generationId }, 'progress not kept');
    });
  };
  return {
    accepted: () => {
      accepted = setTimeout(() => afterwards(() => show()), acceptedMs);
    },
    preview: (png: Buffer, index: number) => afterwards(() => keep(png, index)),
    /** The image has come: of the previews that wait for their turn nobody would see anything. */
    skipRest: () => {
      isOver = true;
    },
    /** Resolves when what was begun is stored; nothing is shown after it. */
    settled: () => {
      isOver = true;
      clearTimeout(accepted);
      return last;
    },
  };
}

async function afterFailedCall(
  context: WorkerContext,
  row: GenerationRow,
  attempt: RunningAttempt,
  seen: ProviderPauseRow | null,
  error: ProviderError,
): Promise<string> {
  if (error.kind === 'aborted') {
    if (attempt.stop.signal.reason !== stopReasons.shutdown) throw new Superseded();
    const now = new Date();
    return handBack(context, attempt, 'the worker is shutting down', { until: now, waitingFor: 'worker' });
  }

  const serverErrors = maybeExecuted.has(error.kind) ? 1 : 0;
  const calls = { ...row.calls, server_errors: row.calls.server_errors + serverErrors };
  const verdict = retryDecision(error, calls, context.config.image);
  const details = {
    generation: row._id,
    kind: error.kind,
    status: error.status,
    code: error.code,
    providerRequestId: error.requestId,
    verdict,
  };
  if (verdict.action === 'wait') {
    // What refuses one call refuses many: the pause that follows is what the operator reads.
    context.log.debug(details, 'provider call refused');
    return postpone(context, row, attempt, await pauseAfterRefusal(context, row, seen, error));
  }
  context.log.warn({ ...details, err: error }, 'provider call failed');
  if (verdict.action === 'fail') {
    return decide(context, attempt, failed(verdict.code, error.message, error));
  }
  return handBack(context, attempt, error.message, {
    until: new Date(Date.now() + verdict.delayMs),
    waitingFor: 'retry',
    ...(serverErrors > 0 && { call: 'server-error' }),
  });
}
