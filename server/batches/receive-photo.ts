import type { FastifyReply, FastifyRequest } from 'fastify';
import { isolateName, limits } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { disconnectedOf } from '#server/http/disconnected.ts';
import { aboutPhoto } from '#server/uploads/about-photo.ts';
import { checkMayUpload } from '#server/uploads/may-upload.ts';
import { preparePhotos } from '#server/uploads/photos.ts';
import { readUpload, type Upload } from '#server/uploads/read-upload.ts';
import type { Slots } from '#server/uploads/slots.ts';
import { underSlot } from '#server/uploads/under-slot.ts';
import { countBytes, findBatch } from '#shared/data/batches/batches.ts';
import { findBatchPhoto, recordBatchPhoto } from '#shared/data/batches/items.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { filesOfBatch, removeWithFiles } from '#shared/generations/remove-files.ts';
import { type NormalisedFile, storePhotos } from '#shared/generations/store-photos.ts';
import { AppError } from '#shared/platform/errors.ts';
import { storageKeys } from '#shared/storage/storage.ts';
import { checkUnstartedBytes } from './unstarted.ts';

/** Bytes of a form with one photo, at most. */
const formBytesMost = limits.photoFileBytes + limits.formBytes;

/**
 * Reads one photo of a batch, normalises and stores it. One that is stored already is not read again.
 * @param read reads it from the request; by default from a form, and it has to be the file with this SHA-256
 * @throws AppError NOT_FOUND, BATCH_STARTED; as `checkMayUpload` and `checkUnstartedBytes`; VALIDATION when it is another
 *   file, or as `Decoder.normalise`; StorageError
 */
export async function receivePhoto(
  { context, slots }: { context: ServerContext; slots: Slots },
  request: FastifyRequest,
  reply: FastifyReply,
  { id, sha256 }: { id: string; sha256: string },
  read?: (disconnected: AbortSignal) => Promise<Upload>,
): Promise<void> {
  const { db, storage, config } = context;
  const { sellerId } = request.caller;
  if (!read && !request.isMultipart()) throw new AppError('MEDIA_TYPE_UNSUPPORTED');
  if (Number(request.headers['content-length']) > formBytesMost) throw new AppError('FILE_TOO_LARGE');
  const [batch, photo] = await Promise.all([findBatch(db, sellerId, id), findBatchPhoto(db, id, sha256)]);
  if (!batch || !photo) throw new AppError('NOT_FOUND');
  if (photo.stored) return;
  if (batch.state !== 'uploading') throw new AppError('BATCH_STARTED');
  const admit = async () => {
    const profile = await checkMayUpload(context, sellerId);
    // How many bytes it takes when it is stored is not known yet.
    await checkUnstartedBytes(context, profile, 1);
    return profile;
  };
  let profile = await admit();
  const disconnected = disconnectedOf(reply);
  const slot = await slots.take(sellerId, disconnected);
  await underSlot(slot, async (own) => {
    // While it waited, other photos may have used up what was left.
    if (slot.waited) profile = await admit();
    await storage.checkRoom(config.storageReserveBytes);
    const upload = own(await (read ? read(disconnected) : readUpload(request, storage)));
    await storePhoto(context, { id, sha256, profile }, upload, !read);
  });
}

async function storePhoto(
  context: ServerContext,
  { id, sha256, profile }: { id: string; sha256: string; profile: ProfileRow },
  { files: [file, ...others] }: Upload,
  isNamedByHash: boolean,
): Promise<void> {
  const { db, decoder, storage } = context;
  if (!file) throw new AppError('IMAGE_REQUIRED');
  if (others.length > 0) throw new AppError('VALIDATION', { message: 'Please send one photo at a time.' });
  if (file.bytes === 0) throw aboutPhoto(new AppError('FILE_EMPTY'), file.name);
  if (isNamedByHash && file.sha256 !== sha256) {
    const message = `${isolateName(file.name)} is not the file that this batch was made with.`;
    throw new AppError('VALIDATION', { message, field: 'images' });
  }
  const prepared = preparePhotos(decoder, { sellerId: profile._id }, [file]);
  try {
    const files = await prepared.normalised;
    const bytes = files[0]!.bytes;
    // Started, or removed: then another request has stored this photo, or it is of no use.
    const stored = (await countBytes(db, id, bytes)) && (await store(files));
    if (stored || (await findBatchPhoto(db, id, sha256))?.stored) return;
  } finally {
    await prepared.discard();
  }
  // The batch was removed meanwhile.
  await removeWithFiles(context, filesOfBatch({ _id: id, profile: profile._id }), async () => true);
  throw new AppError('NOT_FOUND');

  /** Stores the photo, whose bytes are counted. @returns false when another request did so before, or the batch is gone */
  async function store(files: NormalisedFile[]): Promise<boolean> {
    let recorded = false;
    try {
      await checkUnstartedBytes(context, profile);
      const [photo] = await storePhotos(storage, files, (_, format) =>
        storageKeys.batchPhoto(id, sha256, format),
      );
      recorded = await recordBatchPhoto(db, id, sha256, photo!);
    } finally {
      if (!recorded) await countBytes(db, id, -files[0]!.bytes);
    }
    return recorded;
  }
}
