import type { FastifyReply, FastifyRequest } from 'fastify';
import { limits, uploadBytesMost } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { disconnectedOf } from '#server/http/disconnected.ts';
import { checkDailyBudgets } from '#shared/credits/daily-budgets.ts';
import { checkDailyLimit } from '#shared/credits/daily-limit.ts';
import { checkCanGenerate } from '#shared/credits/holds.ts';
import { checkUnmade } from '#shared/credits/unmade.ts';
import { countedNetwork } from '#shared/credits/unpaid-calls.ts';
import { findByIdempotencyKey } from '#shared/data/generations/receive.ts';
import { findActiveProfile } from '#shared/data/profiles/find.ts';
import type { Admitted } from '#shared/generations/admission.ts';
import { AppError } from '#shared/platform/errors.ts';
import type { Slot, Slots } from './slots.ts';

interface UploadParts {
  context: ServerContext;
  slots: Slots;
}

/**
 * Admission control: checks type and length of a form, plan and balance of its seller, and takes an upload slot, all
 * before a byte of the form is read (docs/decisions/0013-admit-uploads-before-reading-them.md).
 * @returns the slot, to be released when the files of the upload are removed, and what admitted it; null if only its key did
 * @throws AppError
 */
export async function admitUpload(
  parts: UploadParts,
  request: FastifyRequest,
  reply: FastifyReply,
  idempotencyKey: string,
): Promise<{ slot: Slot; admitted: Admitted | null }> {
  if (!request.isMultipart()) throw new AppError('MEDIA_TYPE_UNSUPPORTED');
  return admitRequest(parts, request, reply, idempotencyKey);
}

/**
 * As {@link admitUpload}, of a body of any type.
 * @param mayAsk whether the body may be only a question what it would use: then plan and balance refuse it once it was read
 * @returns also why they would refuse it; null if they do not
 */
export async function admitRequest(
  { context, slots }: UploadParts,
  request: FastifyRequest,
  reply: FastifyReply,
  idempotencyKey: string,
  mayAsk = false,
): Promise<{ slot: Slot; admitted: Admitted | null; refusal: AppError | null }> {
  if (Number(request.headers['content-length']) > uploadBytesMost) {
    throw new AppError('BODY_TOO_LARGE', {
      message: `Please upload at most ${limits.photos} photos of at most ${limits.photoBytes / 1024 / 1024} MB each.`,
    });
  }
  const { sellerId } = request.caller;
  const check = async () => {
    try {
      const admitted = await checkSeller(context, sellerId, idempotencyKey, request.network);
      return { admitted, refusal: null };
    } catch (error) {
      if (!mayAsk || !(error instanceof AppError)) throw error;
      return { admitted: null, refusal: error };
    }
  };
  // Who has to wait for uploads of their own, which were admitted, is asked after that only.
  const checked = slots.areOwnTaken(sellerId) ? null : await check();
  const slot = await slots.take(sellerId, disconnectedOf(reply));
  try {
    // While it waited, another upload of the seller may have used the last image.
    return { slot, ...(checked === null || slot.waited ? await check() : checked) };
  } catch (error) {
    slot.release();
    throw error;
  }
}

/**
 * Refuses early what `submit` would refuse whatever the form contains.
 * @throws AppError as `checkCanGenerate`, `checkDailyLimit`, `checkUnmade` and `checkDailyBudgets`, unless the key was used: then the answer is that of
 *   the first request
 */
async function checkSeller(
  context: ServerContext,
  sellerId: string,
  key: string,
  network: string,
): Promise<Admitted | null> {
  const { db, config } = context;
  const at = performance.now();
  const profile = await findActiveProfile(db, sellerId);
  if (!profile) throw new AppError('UNAUTHENTICATED');
  try {
    // How many images the form asks for is not known yet: `submit` checks that.
    checkCanGenerate(profile, 1, config.billing.fairUse);
    checkDailyLimit(profile, 1, config.dailyImages);
    await checkUnmade(db, profile);
    await checkDailyBudgets(context, profile, countedNetwork(profile, network));
    return { profile, at };
  } catch (refusal) {
    if (!(await findByIdempotencyKey(db, sellerId, key))) throw refusal;
    return null;
  }
}
