import { randomInt } from 'node:crypto';
import { type GenerationRequest, imageCapabilitiesOf, limits } from '#contract';
import { takeBatchHold } from '#shared/credits/batch-holds.ts';
import { checkDailyBudgets } from '#shared/credits/daily-budgets.ts';
import { checkDailyLimit } from '#shared/credits/daily-limit.ts';
import { checkCanGenerate } from '#shared/credits/holds.ts';
import { checkRemakes, reserveRemake } from '#shared/credits/remakes.ts';
import { reserveImages } from '#shared/credits/reserve.ts';
import { checkUnmade } from '#shared/credits/unmade.ts';
import type { UserSettingsRow } from '#shared/data/accounts/user-settings.ts';
import { findStoredPhotos, type QueuedTake } from '#shared/data/batches/items.ts';
import type { BatchItemRow, BatchRow } from '#shared/data/batches/schema.ts';
import { type Db, newId } from '#shared/data/db.ts';
import { findGeneration } from '#shared/data/generations/find.ts';
import type { NewGeneration } from '#shared/data/generations/receive.ts';
import type { GenerationRow, StoredPhoto } from '#shared/data/generations/schema.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { findProject } from '#shared/data/projects.ts';
import type { Config } from '#shared/platform/config.ts';
import { AppError } from '#shared/platform/errors.ts';
import { type Storage, storageKeys } from '#shared/storage/storage.ts';
import type { Admitted } from './admission.ts';
import { checkBrush, checkOptions, nextSeed, optionsOfTakes } from './options.ts';
import { type NormalisedFile, storePhotos } from './store-photos.ts';
import { refuseByScene } from './test-refusals.ts';

/** What a request comes from: the seller, and the network of the HTTP request; none if it is not the seller's. */
interface FromSeller {
  sellerId: string;
  network?: string | undefined;
  /** The API key that asks for it; none in the studio. */
  apiKey?: GenerationRow['api_key'];
}

/** The form: photos and a scene. */
interface PhotosRequest extends FromSeller {
  kind: 'photos';
  idempotencyKey: string;
  /** Hash of fields and files. */
  fingerprint: string;
  fields: GenerationRequest;
  /** The photos, which are being normalised. */
  photos: Promise<NormalisedFile[]>;
  /** What admitted the upload of this request; null if only its key did. */
  admitted?: Admitted | null | undefined;
}

/** A change of a finished image. */
export interface ChangeImageRequest extends FromSeller {
  kind: 'change';
  idempotencyKey: string;
  fingerprint: string;
  /** A generation with an image, which is to be changed. */
  parent: GenerationRow & { image: NonNullable<GenerationRow['image']> };
  instruction: string;
  /** The field that marks where the image may change, and the mask as PNG; null if the whole image may. */
  area: { field: 'marks' | 'mask'; mask: Uint8Array } | null;
}

/** An image once more: the seller asks for it at no charge, or an operator makes a failed one again for its seller. */
interface AgainRequest extends FromSeller {
  kind: 'remake' | 'retry';
  original: GenerationRow;
}

/** An image of a batch that runs. */
interface BatchRequest {
  kind: 'batch';
  sellerId: string;
  batch: BatchRow;
  item: BatchItemRow;
  queued: QueuedTake;
}

/** What tells a seller's request from others, before its photos or the image that it names are read. */
export type KnownRequest =
  | Pick<PhotosRequest | ChangeImageRequest, 'kind' | 'sellerId' | 'idempotencyKey' | 'fingerprint'>
  | (Pick<AgainRequest, 'kind' | 'sellerId'> & { original: Pick<GenerationRow, '_id'> });

/** The five ways to an image. */
export type ImageRequest = PhotosRequest | ChangeImageRequest | AgainRequest | BatchRequest;

/** What the functions of this file need of the contexts of server and worker. */
export interface RequestContext {
  db: Db;
  storage: Storage;
  config: Pick<
    Config,
    'billing' | 'dailyImages' | 'image' | 'unpaidCallsFactor' | 'networkLimitFactor' | 'refusalsADay'
  >;
}

/** The rows of one request, by their index: at least one. */
export type Rows = [first: GenerationRow, ...others: GenerationRow[]];

/**
 * The idempotency key of a request, and the hash that tells a repeated request from another one under the same key. Keys
 * that are made here have a space, which a header's key cannot have.
 */
export function identityOf(request: ImageRequest | KnownRequest): { key: string; fingerprint: string } {
  switch (request.kind) {
    case 'photos':
    case 'change':
      return { key: request.idempotencyKey, fingerprint: request.fingerprint };
    case 'remake':
    case 'retry':
      return { key: `${request.original._id} ${request.kind}`, fingerprint: request.original._id };
    case 'batch': {
      const { batch, item, queued } = request;
      const key = `batch ${batch._id} ${item.index} ${queued.take} ${queued.attempt}`;
      return { key, fingerprint: key };
    }
  }
}

/**
 * Refuses what the seller may not have now: plan, balance, limits, options. The start of a batch has asked this for all of
 * its images; one whose holds have ended is refused by {@link placeHolds}.
 * @param network as of `countedNetwork`
 * @param wasAdmitted whether the upload of the request has just passed the rules that count earlier images
 * @throws AppError
 */
export async function checkRequest(
  context: RequestContext,
  request: Exclude<ImageRequest, PhotosRequest> | Pick<PhotosRequest, 'kind' | 'sellerId' | 'fields'>,
  profile: ProfileRow,
  network: string | undefined,
  wasAdmitted = false,
): Promise<void> {
  const { db, config } = context;
  const { fairUse } = config.billing;
  refuseByScene(request);
  switch (request.kind) {
    case 'photos':
      checkCanGenerate(profile, request.fields.numImages, fairUse);
      checkDailyLimit(profile, request.fields.numImages, config.dailyImages);
      if (!wasAdmitted) await checkUnmade(db, profile);
      checkOptions(request.fields, profile, config.image);
      await checkProject(db, request.sellerId, request.fields.projectId);
      break;
    case 'change':
      checkCanGenerate(profile, 1, fairUse);
      checkDailyLimit(profile, 1, config.dailyImages);
      await checkUnmade(db, profile);
      checkOptions({ ...request.parent.options, useSeed: false }, profile, config.image);
      if (request.area) checkBrush(profile, config.image, request.area.field);
      break;
    case 'remake':
      checkRemakes(profile, new Date());
      checkDailyLimit(profile, 1, config.dailyImages);
      break;
    case 'retry':
      checkCanGenerate(profile, 1, fairUse);
      break;
    case 'batch':
      return;
  }
  if (!wasAdmitted) await checkDailyBudgets(context, profile, network);
}

/** @throws AppError VALIDATION unless it is a project of the seller, or none */
async function checkProject(db: Db, sellerId: string, id: string | undefined): Promise<void> {
  if (id === undefined || id === sellerId || (await findProject(db, sellerId, id))) return;
  throw new AppError('VALIDATION', { message: 'This project does not exist any more.', field: 'projectId' });
}

/** The rows of a request, one for each take; the first one has the request's key. */
export async function newRows(
  { db, config }: RequestContext,
  request: ImageRequest,
  settings: UserSettingsRow,
): Promise<[NewGeneration, ...NewGeneration[]]> {
  switch (request.kind) {
    case 'photos':
      return rowsOfForm(request, settings, config.image);
    case 'change':
      return [changedRow(request)];
    case 'remake':
      // The same seed would give the same image.
      return [
        {
          ...rowAgain(request),
          options: nextSeed(request.original.options),
          remake_of: request.original._id,
        },
      ];
    case 'retry': {
      const { api_key: apiKey } = request.original;
      return [{ ...rowAgain(request), ...(apiKey && { api_key: apiKey }) }];
    }
    case 'batch':
      return [await rowOfBatch(db, request, settings, config.image)];
  }
}

/** A row for each take of a form. They share the photos of the first one. */
function rowsOfForm(
  request: PhotosRequest,
  settings: UserSettingsRow,
  model: Config['image'],
): [NewGeneration, ...NewGeneration[]] {
  const { sellerId, fields } = request;
  const { key, fingerprint } = identityOf(request);
  const setId = newId();
  const createdAt = new Date();
  const { projectId } = fields;
  return optionsOfTakes(fields, model).map((options, index) => ({
    _id: index === 0 ? setId : newId(),
    profile: sellerId,
    idempotency_key: index === 0 ? key : `${setId} ${index}`,
    fingerprint,
    ...(projectId !== undefined && projectId !== sellerId && { project: projectId }),
    prompt: fields.prompt,
    product_name: fields.productName ?? '',
    ...(fields.sku && { sku: fields.sku }),
    count: 1,
    quality: settings.image_quality,
    photos_show: fields.photosShow,
    options,
    photo_set: setId,
    set: { id: setId, index, size: fields.numImages },
    created_at: createdAt,
  })) as [NewGeneration, ...NewGeneration[]];
}

/** A row with the photos, texts and options of another generation. */
function copyOf(original: GenerationRow, request: ImageRequest): NewGeneration {
  const { key, fingerprint } = identityOf(request);
  const { project, sku, asin } = original;
  const id = newId();
  return {
    _id: id,
    profile: original.profile,
    idempotency_key: key,
    fingerprint,
    ...(project !== undefined && { project }),
    prompt: original.prompt,
    product_name: original.product_name,
    ...(sku !== undefined && { sku }),
    ...(asin !== undefined && { asin }),
    count: 1,
    quality: original.quality,
    photos_show: original.photos_show,
    options: original.options,
    photo_set: original.photo_set,
    set: { id, index: 0, size: 1 },
    created_at: new Date(),
  };
}

/** The row of a change: image and mask are copies of its own. */
function changedRow(request: ChangeImageRequest): NewGeneration {
  const { parent, instruction, area } = request;
  const row = copyOf(parent, request);
  return {
    ...row,
    options: nextSeed(parent.options),
    parent: parent._id,
    root: parent.root ?? parent._id,
    change: {
      instruction,
      image_key: storageKeys.changed(row._id),
      mask_key: area ? storageKeys.mask(row._id) : null,
    },
  };
}

/** The row that makes a generation once more; for a changed image, with the same change of the same image. */
function rowAgain(request: AgainRequest): NewGeneration {
  const { parent, root, change } = request.original;
  const row = copyOf(request.original, request);
  if (!change) return row;
  return {
    ...row,
    parent,
    root,
    change: {
      instruction: change.instruction,
      image_key: storageKeys.changed(row._id),
      mask_key: change.mask_key === null ? null : storageKeys.mask(row._id),
    },
  };
}

/** The row of an image of a batch. Each is a generation by itself; the photos of a batch are one photo set. */
async function rowOfBatch(
  db: Db,
  request: BatchRequest,
  settings: UserSettingsRow,
  model: Config['image'],
): Promise<NewGeneration> {
  const { sellerId, batch, item, queued } = request;
  const { key, fingerprint } = identityOf(request);
  const { project } = batch;
  // Deleted meanwhile: then its images go into the default project.
  const isProject = project !== undefined && (await findProject(db, sellerId, project)) !== null;
  const id = newId();
  return {
    _id: id,
    profile: sellerId,
    idempotency_key: key,
    fingerprint,
    ...(isProject && { project }),
    prompt: item.prompt,
    product_name: item.name,
    ...(item.sku !== '' && { sku: item.sku }),
    ...(item.asin !== undefined && { asin: item.asin }),
    count: 1,
    quality: settings.image_quality,
    photos_show: 'one-product',
    options: { ...item.options, seed: imageCapabilitiesOf(model).seed ? randomInt(limits.seed + 1) : null },
    photo_set: batch._id,
    set: { id, index: 0, size: 1 },
    batch: { id: batch._id, row: item.index, ...queued },
    created_at: new Date(),
  };
}

/**
 * Stores the files of a request's rows.
 * @returns the photos of each row
 * @throws AppError NOT_FOUND when what is to be copied is no longer there; StorageError; or why a photo was not normalised
 */
export async function storeFiles(
  context: RequestContext,
  request: ImageRequest,
  [first]: Rows,
): Promise<GenerationRow['photos']> {
  const { db, storage } = context;
  switch (request.kind) {
    case 'photos':
      return storePhotos(storage, await request.photos, (index, format) =>
        storageKeys.photo(first._id, index, format),
      );
    case 'change': {
      const { parent, area } = request;
      // A copy, so that the image that was changed can be deleted.
      await copyFile(storage, parent.image.key, storageKeys.changed(first._id));
      if (area) await storage.put(storageKeys.mask(first._id), area.mask);
      return photosOf(db, parent);
    }
    case 'remake':
    case 'retry': {
      const { original } = request;
      if (original.change) {
        await copyFile(storage, original.change.image_key, storageKeys.changed(first._id));
        const { mask_key: mask } = original.change;
        if (mask !== null) await copyFile(storage, mask, storageKeys.mask(first._id));
      }
      return photosOf(db, original);
    }
    case 'batch': {
      const hashes = request.item.photos.map(({ sha256 }) => sha256);
      const stored = await findStoredPhotos(db, request.batch._id, hashes);
      return hashes.flatMap((sha256) => stored.get(sha256) ?? []);
    }
  }
}

async function copyFile(storage: Storage, from: string, to: string): Promise<void> {
  const file = await storage.get(from);
  if (!file) throw new AppError('NOT_FOUND');
  await storage.put(to, file);
}

/** The photos of a generation, read after a row that refers to them was inserted: before, they may have been removed. */
async function photosOf(
  db: Db,
  { _id: id, profile: sellerId, photo_set: photoSet }: GenerationRow,
): Promise<StoredPhoto[]> {
  const current = await findGeneration(db, sellerId, id);
  if (!current || current.photo_set !== photoSet) throw new AppError('NOT_FOUND');
  return current.photos;
}

/**
 * Places the holds of a request's rows: all, or none. Idempotent.
 * @returns the profile with the holds
 * @throws AppError as `checkCanGenerate`, `checkDailyLimit`, `checkRemakes`, or UNAUTHENTICATED when the account is gone; for an image of a
 *   batch NoBatchHold or ContinuedElsewhere
 */
export function placeHolds(
  { db, config }: RequestContext,
  request: ImageRequest,
  rows: Rows,
  profile: ProfileRow,
): Promise<ProfileRow> {
  const { fairUse } = config.billing;
  const { dailyImages } = config;
  switch (request.kind) {
    case 'photos':
    case 'change':
      return reserveImages(db, profile, rows, { fairUse, dailyImages });
    case 'retry':
      // An operator asks for it, not the seller.
      return reserveImages(db, profile, rows, { fairUse, dailyImages: null });
    case 'remake':
      return reserveRemake(db, profile, rows[0], dailyImages);
    case 'batch':
      return takeBatchHold(db, rows[0], request.batch._id, dailyImages);
  }
}
