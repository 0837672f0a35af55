import type { GenerationRequest } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { checkCanGenerate } from '#shared/credits/holds.ts';
import { reserveImages } from '#shared/credits/reserve.ts';
import { type Db, newId } from '#shared/data/db.ts';
import type { NewGeneration } from '#shared/data/generations/receive.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { findProject } from '#shared/data/projects.ts';
import type { UserSettingsRow } from '#shared/data/user-settings.ts';
import type { Config } from '#shared/platform/config.ts';
import { AppError } from '#shared/platform/errors.ts';
import { storageKeys } from '#shared/platform/storage.ts';
import { type Accepted, accept, complete } from './accept.ts';
import { fingerprintOf } from './idempotency.ts';
import { checkOptions, optionsOfTakes } from './options.ts';
import { preparePhotos } from './photos.ts';
import { receive } from './receive.ts';
import type { Upload } from './uploads.ts';

/** A validated request for one or more images. */
export interface Submission {
  /** The seller's id. */
  profile: string;
  /** The seller's profile as it was read when the request was admitted. It is read now if there is none. */
  seen?: ProfileRow;
  idempotencyKey: string;
  /** The network of the request. */
  network?: string;
  request: GenerationRequest;
  files: Upload['files'];
}

/**
 * Submits a request: inserts a row for each of its takes while the photos are normalised, stores them and places the holds,
 * enqueues the generations, adds their jobs. Idempotent: a repeated request gets the generations of the first one under its key.
 * @returns the generations by their index
 * @throws AppError or StorageError; then neither row nor hold nor file is left
 */
export async function submit(context: ServerContext, submission: Submission): Promise<Accepted[]> {
  const { db, config } = context;
  const { profile: sellerId, seen, idempotencyKey, network, request, files } = submission;
  const { fairUse } = config.billing;
  const fingerprint = fingerprintOf(request, files);
  // They take longer than anything else, so they begin before the row is inserted.
  const photos = preparePhotos(context, { sellerId }, files);
  try {
    const received = await receive(context, {
      profile: sellerId,
      ...(seen && { seen }),
      idempotencyKey,
      network,
      fingerprint,
      async check(profile) {
        checkCanGenerate(profile, request.numImages, fairUse);
        checkOptions(request, profile, config.image);
        await checkProject(db, sellerId, request.projectId);
      },
      rows: (settings) => takesOf(submission, { fingerprint, settings, model: config.image }),
    });
    if (received.outcome === 'repeated') return await complete(context, received.first);
    const { rows, profile } = received;
    return await accept(context, rows, {
      photos: () => photos.store((index, format) => storageKeys.photo(rows[0]._id, index, format)),
      holds: () => reserveImages(db, profile, rows, fairUse),
    });
  } finally {
    await photos.discard();
  }
}

/** @throws AppError VALIDATION unless it is a project of the seller, or none */
async function checkProject(db: Db, sellerId: string, id: string | undefined): Promise<void> {
  if (id === undefined || id === sellerId || (await findProject(db, sellerId, id))) return;
  throw new AppError('VALIDATION', { message: 'This project does not exist any more.', field: 'projectId' });
}

/** The rows of a request, one for each take. They share the photos of the first one. */
function takesOf(
  { profile, idempotencyKey, request }: Submission,
  {
    fingerprint,
    settings,
    model,
  }: { fingerprint: string; settings: UserSettingsRow; model: Config['image'] },
): NewGeneration[] {
  const setId = newId();
  const createdAt = new Date();
  const { projectId } = request;
  const project = projectId === undefined || projectId === profile ? {} : { project: projectId };
  return optionsOfTakes(request, model).map((options, index) => ({
    _id: index === 0 ? setId : newId(),
    profile,
    // No request can have the key of a later take: a header's key has no space.
    idempotency_key: index === 0 ? idempotencyKey : `${setId} ${index}`,
    fingerprint,
    ...project,
    prompt: request.prompt,
    product_name: request.productName ?? '',
    ...(request.sku && { sku: request.sku }),
    count: 1,
    quality: settings.image_quality,
    photos_show: request.photosShow,
    options,
    photo_set: setId,
    set: { id: setId, index, size: request.numImages },
    created_at: createdAt,
  }));
}
