import {
  composePrompt,
  editGeometry,
  failureMessage,
  type GenerationFailureCode,
  type GenerationView,
  hasEnded,
  type Progress,
  paths,
  type RemovedGeneration,
  type TimeLeft,
  type WaitReason,
} from '#contract';
import { usesImage } from '#shared/credits/holds.ts';
import type { Db } from '#shared/data/db.ts';
import type { ShownGeneration } from '#shared/data/generations/find.ts';
import { queuePosition } from '#shared/data/generations/queue-position.ts';
import type { Edits, GenerationRow, StoredImage, StoredWaitReason } from '#shared/data/generations/schema.ts';
import { isTestSeller } from '#shared/data/test-seller.ts';
import { failureHelp } from './failure-help.ts';
import { findHoldUp, timeLeftOf } from './time-left.ts';

/**
 * What a seller sees of a generation, the same over HTTP and over the socket.
 * @param position its position in the queue (shared/data/generations/queue-position.ts); null unless queued
 * @param timeLeft when it is expected (estimate.ts)
 * @param heldUp what holds up everything that is queued, as a wait reason; null for nothing
 * @throws when its state is `receiving`, which no seller sees
 */
export function presentGeneration(
  row: ShownGeneration,
  position: number | null,
  timeLeft: TimeLeft | null = null,
  heldUp: WaitReason | null = null,
): GenerationView {
  const { state } = row;
  if (state === 'receiving') throw new Error(`generation ${row._id} is not visible yet`);
  const link = (name: string) => ({
    url: paths.generationImage(row._id, name),
    thumbnailUrl: paths.generationImage(row._id, `${name}-thumbnail`),
  });
  const download = (name: string) => `${paths.generationImage(row._id, name)}?download`;
  const presentEdits = (image: StoredImage, { version, recipe }: Edits): GenerationView['edits'] => {
    const { width, height } = editGeometry(image, recipe);
    const name = editedName(version);
    return { version, recipe, ...link(name), downloadUrl: download(name), width, height };
  };
  return {
    id: row._id,
    state,
    revision: row.revision,
    set: row.set,
    projectId: row.project ?? row.profile,
    batchId: row.batch?.id ?? null,
    ...(isTestSeller(row.profile) && { isTest: true }),
    prompt: row.prompt,
    productName: row.product_name,
    sku: row.sku ?? '',
    ...(row.asin !== undefined && { asin: row.asin }),
    photos: row.photos.map(({ warnings }, index) => ({
      ...link(`photo-${index}`),
      warnings,
    })),
    photosShow: row.photos_show,
    options: row.options,
    composedPrompt: promptOf(row),
    position: state === 'queued' ? position : null,
    timeLeft,
    progress: presentProgress(row, heldUp),
    previewUrl:
      state === 'running' && row.preview_key
        ? paths.generationImage(row._id, previewName(row.preview_key))
        : null,
    image: row.image
      ? {
          ...link('image'),
          downloadUrl: download('image'),
          width: row.image.width,
          height: row.image.height,
        }
      : null,
    edits: row.image && row.edits ? presentEdits(row.image, row.edits) : null,
    favourite: row.favourite ?? false,
    match: row.match ? { ...row.match, crops: row.match.crops ?? null } : null,
    remake: remakeOffer(row),
    remakeOf: row.remake_of ?? null,
    parentId: row.parent ?? null,
    rootId: row.root ?? row._id,
    change: row.change ? { instruction: row.change.instruction, masked: row.change.mask_key !== null } : null,
    failure: presentFailure(row),
    imageUsed: usesImage(row),
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
  };
}

/** What a seller's windows are told about a generation that was deleted. */
export function presentRemoved({ _id: id, revision }: GenerationRow): RemovedGeneration {
  return { id, revision };
}

/** The name that a seller asks for a preview by: `preview-1-0` of `generations/<id>/preview-1-0.webp`. */
export function previewName(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1).replace(/\.[a-z]+$/, '');
}

/** The name that a seller asks for an edited image by. */
export function editedName(version: number): string {
  return `edited-${version}`;
}

/** What a seller sees of a generation, with its current position in the queue and when it is expected. */
export async function generationView(db: Db, row: ShownGeneration): Promise<GenerationView> {
  const position = queuePosition(db, row);
  const [place, heldUp, timeLeft] = await Promise.all([
    position,
    row.state === 'queued' ? findHoldUp(db) : null,
    timeLeftOf(db, row, position),
  ]);
  return presentGeneration(row, place, timeLeft, heldUp);
}

/** The same for the rows of a list, in their order. Those that have ended have no place and no time left. */
export async function generationViews(db: Db, rows: readonly ShownGeneration[]): Promise<GenerationView[]> {
  if (rows.every(({ state }) => hasEnded(state))) return rows.map((row) => presentGeneration(row, null));
  return Promise.all(rows.map((row) => generationView(db, row)));
}

/**
 * How far a generation is.
 * @param heldUp what holds up everything that is queued; null for nothing
 * @returns null unless it is running or held up
 */
function presentProgress(
  { state, progress, calls }: ShownGeneration,
  heldUp: WaitReason | null,
): Progress | null {
  const attempt = Math.max(1, calls.started);
  if (state === 'queued' && heldUp !== null) {
    return { stage: 'waiting', waitingFor: heldUp, previews: 0, previewsExpected: 0, attempt };
  }
  if (state !== 'running' || !progress) return null;
  return {
    stage: progress.stage,
    waitingFor: shownWaitReason(progress.waiting_for),
    previews: progress.previews,
    previewsExpected: progress.previews_expected,
    attempt,
  };
}

/**
 * Why a generation waits, as its seller sees it: what the images of the day cost is ours to know, and pages of the release
 * before refuse other words (docs/decisions/0081-releases.md).
 */
const shownWaitReason = (reason: StoredWaitReason | undefined): WaitReason | null =>
  reason === 'budget' ? 'worker' : (reason ?? null);

/** Why a generation failed, as its seller sees it; null for all others. */
function presentFailure({ failure, trace }: ShownGeneration): GenerationView['failure'] {
  if (!failure) return null;
  return {
    code: shownFailureCode(failure.code),
    message: failureMessage(failure),
    help: failureHelp(failure),
    requestId: trace?.id ?? null,
  };
}

/** Codes that the pages of the release before do not know, and refuse (docs/decisions/0081-releases.md). */
const newerCodes: readonly GenerationFailureCode[] = ['UNPAID_CALLS', 'NOT_COVERED'];

/** A failure's code in replies. Those that are new can be shown themselves from the next release on. */
export function shownFailureCode(code: GenerationFailureCode): GenerationFailureCode {
  return newerCodes.includes(code) ? 'GENERATION_FAILED' : code;
}

/**
 * Whether a generation can be made again at no charge: its image hardly matches the product, it was not made again yet,
 * and is not itself a re-make.
 */
export function remakeOffer(row: ShownGeneration): 'offered' | 'used' | null {
  const { state, match, remake_of: remakeOf, remade_by: remadeBy } = row;
  if (remadeBy !== undefined) return 'used';
  const offered = state === 'succeeded' && match?.level === 'low' && remakeOf === undefined;
  return offered ? 'offered' : null;
}

/** What the provider is told for a generation. */
export function promptOf(
  row: Pick<GenerationRow, 'prompt' | 'photos' | 'photos_show' | 'options' | 'change'>,
): string {
  return composePrompt({
    scene: row.prompt,
    photoCount: row.photos.length,
    photosShow: row.photos_show,
    ...row.options,
    change: row.change?.instruction ?? null,
  });
}
