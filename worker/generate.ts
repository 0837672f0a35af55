import { announce, followDecision } from '../shared/announce.ts';
import {
  type Attempt,
  beginCall,
  claimGeneration,
  type Decision,
  decideGeneration,
  handBackGeneration,
  renewLease,
  updateRunning,
} from '../shared/data/attempts.ts';
import type { Data } from '../shared/data/connect.ts';
import type { GenerationRow } from '../shared/data/generation.ts';
import { storageKeys } from '../shared/storage.ts';
import { leaseMs, type WorkerContext } from './context.ts';
import { findStoredImage, storeImage, verifiedPng } from './output.ts';
import { removePreviewsOfEnded, smallPreview } from './previews.ts';
import type { ProviderResult } from './provider.ts';
import { ProviderError } from './provider-error.ts';
import { judge, maybeExecuted } from './verdict.ts';

/** Thrown to have the queue take the job up again after a while. */
export class TryLater extends Error {
  override name = 'TryLater';
  readonly delayMs: number;

  constructor(reason: string, delayMs: number) {
    super(reason);
    this.delayMs = delayMs;
  }
}

/** Another attempt has the generation, or it has ended: there is nothing left to do here. */
class Superseded extends Error {
  override name = 'Superseded';
}

/** Why a running call is stopped, as the reason of its abort signal. */
export const stopReasons = { cancelled: 'cancelled', lost: 'lost', shutdown: 'shutdown' } as const;

/** An attempt that this worker has under way. */
interface RunningAttempt extends Attempt {
  /** Aborted to stop its provider call; of this attempt alone, also when the worker has a later one of the same generation. */
  stop: AbortController;
}

/** Calls that may be lost to dying workers before a generation is given up (design.md: replaced once). */
const lostCallsAllowed = 1;

/**
 * The job: makes one generation's image and decides it. Safe to run any number of times, by any number of workers.
 * @returns what came of it, for the queue's log
 * @throws TryLater when it should be taken up again
 */
export async function generate(context: WorkerContext, generationId: string): Promise<string> {
  const claim = await claimGeneration(context.data, generationId, leaseMs(context.config));
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
    const kept = await renewLease(context.data, attempt, leaseMs(context.config)).catch(() => true);
    if (!kept) stop.abort(stopReasons.lost);
  }, leaseMs(context.config) / 4);
  try {
    return await run(context, row, attempt);
  } catch (error) {
    if (error instanceof Superseded) return 'superseded';
    throw error;
  } finally {
    clearInterval(renewal);
    if (context.underWay.get(generationId) === stop) context.underWay.delete(generationId);
    await removePreviewsOfEnded(context, generationId);
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

  const expected = context.config.image.previews;
  const called = await change(context, attempt, (data) => beginCall(data, attempt, expected));
  const progress = progressKeeper(context, attempt, expected);
  let result: ProviderResult;
  let png: Buffer;
  try {
    result = await context.provider.edit({
      prompt: row.prompt,
      photos,
      quality: row.quality ?? 'high',
      signal,
      onAccepted: progress.accepted,
      onPreview: progress.preview,
    });
    png = await verifiedPng(result.image, result.requestId);
  } catch (error) {
    await progress.settled();
    if (!(error instanceof ProviderError)) throw error;
    return afterFailedCall(context, called, attempt, error);
  }

  const [image] = await Promise.all([storeImage(storage, row._id, row.fence, png), progress.settled()]);
  const { requestId, milliseconds, usage } = result;
  const provider = { model: context.config.image.model, request_id: requestId, milliseconds, usage };
  return decide(context, attempt, { state: 'succeeded', image, provider });
}

/** How long a call must have been accepted before that is shown by itself, in ms: a preview shows it as well. */
const acceptedMs = 250;

/** Stores previews in the order they come, and shows each and that the provider has begun; the call goes on meanwhile. */
function progressKeeper(context: WorkerContext, attempt: RunningAttempt, expected: number) {
  let previews = 0;
  let last: Promise<void> = Promise.resolve();
  let accepted: NodeJS.Timeout | undefined;
  const show = async (previewKey?: string) => {
    const shown = {
      progress: { stage: 'drawing' as const, previews, previews_expected: expected },
      ...(previewKey && { preview_key: previewKey }),
    };
    await change(context, attempt, (data) => updateRunning(data, attempt, shown));
  };
  const keep = async (png: Buffer, index: number) => {
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
    /** Resolves when all that came is stored; nothing is shown after it. */
    settled: () => {
      clearTimeout(accepted);
      return last;
    },
  };
}

/** Makes a change of the running generation and shows it. @throws Superseded when the attempt has lost it */
async function change(
  context: WorkerContext,
  attempt: RunningAttempt,
  write: (data: Data) => Promise<GenerationRow | null>,
): Promise<GenerationRow> {
  const row = await write(context.data);
  if (!row) {
    attempt.stop.abort(stopReasons.lost);
    throw new Superseded();
  }
  await announce(context, row.profile, { generation: row });
  return row;
}

async function afterFailedCall(
  context: WorkerContext,
  row: GenerationRow,
  attempt: RunningAttempt,
  error: ProviderError,
): Promise<string> {
  if (error.kind === 'aborted') {
    if (attempt.stop.signal.reason !== stopReasons.shutdown) throw new Superseded();
    return later(context, attempt, 'the worker is shutting down', 0, 0);
  }

  const serverErrors = maybeExecuted.has(error.kind) ? 1 : 0;
  const calls = { ...row.calls, server_errors: row.calls.server_errors + serverErrors };
  const verdict = judge(error, calls, context.config.image);
  const details = {
    generation: row._id,
    kind: error.kind,
    status: error.status,
    code: error.code,
    providerRequestId: error.requestId,
    verdict,
  };
  context.log[error.kind === 'account' ? 'error' : 'warn'](
    { ...details, err: error },
    'provider call failed',
  );

  if (verdict.action === 'fail') {
    return decide(context, attempt, failed(verdict.code, error.message, error));
  }
  return later(context, attempt, error.message, verdict.delayMs, serverErrors);
}

/** Hands the generation back to the queue. */
async function later(
  context: WorkerContext,
  attempt: RunningAttempt,
  reason: string,
  delayMs: number,
  serverErrors: 0 | 1,
): Promise<never> {
  await change(context, attempt, (data) => handBackGeneration(data, attempt, delayMs, serverErrors));
  throw new TryLater(reason, delayMs);
}

function failed(
  code: NonNullable<GenerationRow['failure']>['code'],
  detail: string,
  error?: ProviderError,
): Decision {
  const failure = {
    code,
    detail: detail.slice(0, 1_000),
    provider_status: error?.status ?? null,
    provider_code: error?.code ?? null,
    provider_request_id: error?.requestId ?? null,
  };
  return { state: 'failed', failure };
}

/** The decision, then what follows from it; whatever a crash leaves undone here the reconciler does. */
async function decide(context: WorkerContext, attempt: Attempt, decision: Decision): Promise<string> {
  const row = await decideGeneration(context.data, attempt, decision);
  if (!row) throw new Superseded();
  await followDecision(context, row);
  return row.state;
}
