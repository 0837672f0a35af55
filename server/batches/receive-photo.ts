import type { FastifyReply, FastifyRequest } from 'fastify';
import { isolateName, limits } from '#contract';
import { aboutPhoto } from '#server/generations/about-photo.ts';
import { preparePhotos } from '#server/generations/photos.ts';
import { readUpload, type Upload } from '#server/generations/uploads.ts';
import type { ServerContext } from '#server/http/context.ts';
import { disconnectedOf } from '#server/http/disconnected.ts';
import type { Slots } from '#server/http/slots.ts';
import { findBatch } from '#shared/data/batches/batches.ts';
import { findBatchPhoto, recordBatchPhoto } from '#shared/data/batches/items.ts';
import { removeUnusedPhotoSet } from '#shared/generations/photo-sets.ts';
import { AppError } from '#shared/platform/errors.ts';
import { storageKeys } from '#shared/platform/storage.ts';

/** Bytes of a form with one photo, at most. */
const formBytesMost = limits.photoBytes + limits.formBytes;

/**
 * Reads a form with one photo of a batch, normalises and stores it. One that is stored already is not read again.
 * @throws AppError NOT_FOUND, BATCH_STARTED, VALIDATION when it is another file, or as `Decoder.normalise`; StorageError
 */
export async function receivePhoto(
  { context, slots }: { context: ServerContext; slots: Slots },
  request: FastifyRequest,
  reply: FastifyReply,
  { id, sha256 }: { id: string; sha256: string },
): Promise<void> {
  const { db, storage, config } = context;
  const { sellerId } = request.caller;
  if (!request.isMultipart()) throw new AppError('MEDIA_TYPE_UNSUPPORTED');
  if (Number(request.headers['content-length']) > formBytesMost) throw new AppError('FILE_TOO_LARGE');
  const [batch, photo] = await Promise.all([findBatch(db, sellerId, id), findBatchPhoto(db, id, sha256)]);
  if (!batch || !photo) throw new AppError('NOT_FOUND');
  if (photo.stored) return;
  if (batch.state !== 'uploading') throw new AppError('BATCH_STARTED');
  const slot = await slots.take(sellerId, disconnectedOf(reply));
  let upload: Upload | undefined;
  try {
    await storage.checkRoom(config.storageReserveBytes);
    upload = await readUpload(request, storage);
    await storePhoto(context, { sellerId, id, sha256 }, upload);
  } finally {
    try {
      await upload?.discard();
    } finally {
      slot.release();
    }
  }
}

async function storePhoto(
  { db, decoder, storage }: ServerContext,
  { sellerId, id, sha256 }: { sellerId: string; id: string; sha256: string },
  { files: [file, ...others] }: Upload,
): Promise<void> {
  if (!file) throw new AppError('IMAGE_REQUIRED');
  if (others.length > 0) throw new AppError('VALIDATION', { message: 'Please send one photo at a time.' });
  if (file.bytes === 0) throw aboutPhoto(new AppError('FILE_EMPTY'), file.name);
  if (file.sha256 !== sha256) {
    const message = `${isolateName(file.name)} is not the file that this batch was made with.`;
    throw new AppError('VALIDATION', { message, field: 'images' });
  }
  const prepared = preparePhotos({ decoder, storage }, { sellerId }, [file]);
  try {
    const [photo] = await prepared.store((_, format) => storageKeys.batchPhoto(id, sha256, format));
    if (await recordBatchPhoto(db, id, sha256, photo!)) return;
  } finally {
    await prepared.discard();
  }
  // The batch was removed meanwhile.
  await removeUnusedPhotoSet({ db, storage }, id);
  throw new AppError('NOT_FOUND');
}
