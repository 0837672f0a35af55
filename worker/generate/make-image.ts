import type { DigitalSourceType } from '#contract';
import { mayBegin } from '#shared/credits/holds.ts';
import { hasUsedUpUnpaidCalls } from '#shared/credits/unpaid-calls.ts';
import type { Outcome } from '#shared/data/generations/attempts.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { markPng } from '#shared/images/mark-png.ts';
import { sourceTypeOf } from '#shared/images/source-type.ts';
import { releaseMemory } from '#shared/platform/release-memory.ts';
import { mediaTypeOf } from '#shared/storage/storage.ts';
import { StorageError } from '#shared/storage/storage-error.ts';
import { announce } from '#shared/views/announce.ts';
import { promptOf } from '#shared/views/generation.ts';
import { isObstacle } from '#worker/flow/daily-budget.ts';
import { mayBeBilled, maybeExecuted, retryDecision } from '#worker/flow/retry-policy.ts';
import { ProviderError, type ProviderResult } from '#worker/providers/provider.ts';
import type { WorkerContext } from '../context.ts';
import {
  failed,
  failedWithoutCall,
  handBack,
  postpone,
  type RunningAttempt,
  Superseded,
  stopReasons,
} from './attempt.ts';
import { type CallFiles, checkedImage, reducedPhotos } from './check-image.ts';
import { trackProgress } from './progress.ts';
import type { ReducedPhoto } from './result-checks.ts';
import { findStoredImage, storeImageWithRetry } from './store-image.ts';

/** Lost calls of a generation that are replaced; one more fails it (docs/generations.md). */
const lostCallsAllowed = 1;

/**
 * Makes the image of a claimed generation.
 * @returns how the generation is to end
 * @throws TryLater when it was handed back, Superseded when it is no longer the attempt's
 */
export async function makeImage(
  context: WorkerContext,
  row: GenerationRow,
  attempt: RunningAttempt,
): Promise<Outcome> {
  try {
    const obstacle = await context.storageWatch.check();
    if (obstacle) return await postpone(context, row, attempt, obstacle);
    return await findOrMake(context, row, attempt);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    // Not the generation's fault: it waits until the folder works.
    return postpone(context, row, attempt, context.storageWatch.recordFailure(error));
  }
}

async function findOrMake(
  context: WorkerContext,
  row: GenerationRow,
  attempt: RunningAttempt,
): Promise<Outcome> {
  const { storage, log } = context;
  // An earlier attempt may have died between storing its image and ending the generation.
  const stored = row.fence > 1 ? await findStoredImage(storage, row) : undefined;
  if (stored) return { state: 'succeeded', image: stored, provider: null };
  if (row.calls.lost > lostCallsAllowed)
    return failedWithoutCall('GENERATION_FAILED', 'two workers died during its calls');

  const { obstacle } = attempt.pause;
  if (obstacle) return postpone(context, row, attempt, obstacle);
  // Not awaited, and no reason to fail: the claim has counted the call.
  announce(context, row.profile, { generation: row }).catch((error) =>
    log.warn({ err: error, generation: row._id }, 'not announced'),
  );
  const provider = { name: context.config.image.provider };
  const [files, { isCovered, isOver }, sourceType] = await Promise.all([
    filesOf(context, row),
    askBeforeCall(context, row),
    // Before the call: nothing that can fail comes between an image that was paid for and its file.
    sourceTypeOf(context.db, { ...row, provider }),
  ]);
  if (!isCovered) return failedWithoutCall('NOT_COVERED', 'the plan does not cover it any more');
  if (isOver) return failedWithoutCall('UNPAID_CALLS', 'too many calls of today are not paid for');
  if (files === undefined) {
    const missing = row.change ? 'a photo, the image to change, or its mask' : 'a stored photo';
    return failedWithoutCall('PHOTOS_UNREADABLE', `${missing} is missing`);
  }
  return callProvider(context, row, attempt, files, sourceType);
}

/** Whether plan and account still allow an image that has waited, and whether the unpaid calls of today are used up. */
async function askBeforeCall(
  context: WorkerContext,
  row: GenerationRow,
): Promise<{ isCovered: boolean; isOver: boolean }> {
  const profile = await findProfile(context.db, row.profile);
  const hold = profile?.holds.find(({ generation }) => generation === row._id);
  if (!profile || !hold || !mayBegin(profile, hold, new Date())) return { isCovered: false, isOver: false };
  return { isCovered: true, isOver: await hasUsedUpUnpaidCalls(context, row, profile) };
}

/** The files of a call; undefined if one is missing. */
async function filesOf({ storage }: WorkerContext, row: GenerationRow): Promise<CallFiles | undefined> {
  const { change } = row;
  const [original, mask, ...photos] = await Promise.all([
    change ? storage.get(change.image_key) : null,
    change?.mask_key ? storage.get(change.mask_key) : null,
    ...photoKeys(row).map(async (key) => {
      const photo = await storage.get(key);
      if (!photo) return undefined;
      const blob = new Blob([photo as Uint8Array<ArrayBuffer>], { type: mediaTypeOf(key) });
      // The blob has a copy.
      releaseMemory(photo);
      return blob;
    }),
  ]);
  if (original === undefined || mask === undefined) return undefined;
  return photos.every((photo) => photo !== undefined) ? { photos, original, mask } : undefined;
}

async function callProvider(
  context: WorkerContext,
  row: GenerationRow,
  attempt: RunningAttempt,
  { photos, original, mask }: CallFiles,
  sourceType: DigitalSourceType,
): Promise<Outcome> {
  const { config, log, flow } = context;
  const {
    slot,
    pause: { seen },
  } = attempt;
  const prompt = promptOf(row);
  const cost = await context.budget.reserve(row, prompt);
  if (isObstacle(cost)) return postpone(context, row, attempt, cost);
  attempt.record.callBegan();
  const progress = trackProgress(context, attempt);
  const notRecorded = (error: unknown) => log.warn({ err: error }, 'an accepted call was not recorded');
  let recording: Promise<unknown> | undefined;
  let result: ProviderResult | undefined;
  let isSent = false;
  let reduced: Promise<ReducedPhoto[]> = Promise.resolve([]);
  let png: Buffer;
  try {
    await context.provider.ready();
    await slot.begin();
    isSent = true;
    result = await context.provider.edit({
      generation: row,
      seller: row.profile,
      prompt,
      ...row.options,
      photos: original
        ? [new Blob([original as Uint8Array<ArrayBuffer>], { type: 'image/png' }), ...photos]
        : photos,
      mask,
      quality: row.quality,
      signal: attempt.stop.signal,
      onAccepted: (announcement) => {
        progress.accepted();
        reduced = reducedPhotos(row, photos);
        // It is awaited when the image has come, if one comes.
        reduced.catch(() => {});
        context.comparisons?.prepare(row);
        recording = Promise.all([
          slot.answered(announcement),
          // A provider that was away has to make an image: it may accept calls and then fail.
          seen?.kind === 'connection' ? undefined : flow.accepted(seen),
        ]).catch(notRecorded);
      },
      onPreview: progress.preview,
    });
    attempt.record.callAnswered(result);
    progress.skipRest();
    // What follows may take seconds, in which another call can be made.
    await Promise.all([slot.end(), flow.image(slot.failuresSeen)]);
    // The image that has come is more than what is known of the pause.
    if (seen?.kind === 'connection') await flow.accepted(seen).catch(notRecorded);
    const checked = await checkedImage(row, { original, mask }, reduced, result);
    png = markPng(checked, sourceType);
    if (context.credentials) png = await context.credentials.sign(png, sourceType);
    if (png !== checked) releaseMemory(checked);
  } catch (error) {
    const isTold = error instanceof ProviderError;
    await Promise.all([
      progress.stop(),
      recording,
      // What is not told may have been sent: the estimate stays, and upkeep ends it.
      isTold ? cost.end(error, result?.usage) : !isSent && cost.release(),
    ]);
    if (!isTold) throw error;
    attempt.record.callFailed(error);
    return afterFailedCall(context, row, attempt, error);
  }

  const [image] = await Promise.all([
    storeImageWithRetry(context, row, attempt, png),
    progress.stop(),
    recording,
    cost.end('image', result.usage),
  ]);
  const { requestId, milliseconds, usage } = result;
  const { provider: name, model } = config.image;
  const provider = { name, model, request_id: requestId, milliseconds, usage };
  releaseMemory(png);
  return { state: 'succeeded', image, provider };
}

const photoKeys = ({ photos }: Pick<GenerationRow, 'photos'>) => photos.map(({ key }) => key);

/** Applies the retry policy. @param row as it was during the call */
async function afterFailedCall(
  context: WorkerContext,
  row: GenerationRow,
  attempt: RunningAttempt,
  error: ProviderError,
): Promise<Outcome> {
  if (error.kind === 'aborted') {
    if (attempt.stop.signal.reason !== stopReasons.shutdown) throw new Superseded();
    const now = new Date();
    return handBack(context, attempt, 'the worker is shutting down', { until: now, waitingFor: 'worker' });
  }

  const { seen } = attempt.pause;
  const isAway = await context.flow.isAway(seen, error);
  const serverErrors = maybeExecuted.has(error.kind) ? 1 : 0;
  const calls = { ...row.calls, server_errors: row.calls.server_errors + serverErrors };
  const decision = retryDecision(error, calls, context.config.image);
  const { kind, status, code, requestId: providerRequestId } = error;
  const details = { generation: row._id, kind, status, code, providerRequestId, decision };
  if (isAway || decision.action === 'wait') {
    // Many calls may be refused at once; the pause that begins now is logged for the operator.
    context.log.debug(details, 'provider call refused');
    return postpone(context, row, attempt, await context.flow.refused(row, seen, error, isAway));
  }
  context.log.warn({ ...details, err: error }, 'provider call failed');
  if (decision.action === 'fail') {
    const end = mayBeBilled(kind) ? failed : failedWithoutCall;
    return end(decision.code, error.message, error);
  }
  return handBack(context, attempt, error.message, {
    until: new Date(Date.now() + decision.delayMs),
    waitingFor: 'retry',
    ...(serverErrors > 0 && { call: 'server-error' }),
  });
}
