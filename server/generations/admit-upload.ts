import type { FastifyReply, FastifyRequest } from 'fastify';
import { limits, uploadBytesMost } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { AppError } from '#shared/platform/errors.ts';
import { checkUploader } from './submit.ts';
import type { UploadSlot, UploadSlots } from './upload-slots.ts';

/**
 * Lets an upload in before a byte of its form is read: the form itself, plan and balance of its seller, and a place
 * among the uploads under way.
 * @param idempotencyKey a key that was used is let in whatever the balance: its answer is the first one's
 * @returns the upload's place, to be left when its files are gone
 * @throws Refusal
 */
export async function admitUpload(
  { context, slots }: { context: ServerContext; slots: UploadSlots },
  request: FastifyRequest,
  reply: FastifyReply,
  idempotencyKey: string,
): Promise<UploadSlot> {
  if (!request.isMultipart()) throw new AppError('MEDIA_TYPE_UNSUPPORTED');
  if (Number(request.headers['content-length']) > uploadBytesMost) {
    throw new AppError('BODY_TOO_LARGE', {
      message: `Please upload at most ${limits.photos} photos of at most ${limits.photoBytes / 1024 / 1024} MB each.`,
    });
  }
  const { sellerId } = request.caller;
  const check = () => checkUploader(context, sellerId, idempotencyKey);
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  await check();
  const slot = await slots.take(sellerId, gone.signal);
  try {
    // Whoever was ahead in the line may have used the last image.
    if (slot.waited) await check();
    return slot;
  } catch (error) {
    slot.leave();
    throw error;
  }
}
