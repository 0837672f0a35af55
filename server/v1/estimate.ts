import type { FastifyRequest } from 'fastify';
import type { V1CreateForm, V1Estimate } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { countedNetwork } from '#shared/credits/unpaid-calls.ts';
import { findActiveProfile } from '#shared/data/profiles/find.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { checkRequest } from '#shared/generations/request.ts';
import { AppError } from '#shared/platform/errors.ts';
import { presentBalance } from '#shared/views/v1.ts';
import { checkAgreed, sentFields, wholeRequest } from './asked.ts';

/** A request that would use images. */
interface Asked {
  /** How many it would use, and how many a person has agreed to. */
  images: number;
  maxImages: number | undefined;
  /** Refuses what the request itself would refuse. @param network as of `countedNetwork` */
  check(profile: ProfileRow, network: string | undefined): Promise<void>;
}

/**
 * What a request would use, and why it would be refused. Nothing is made, held or counted.
 * @throws AppError of `check` that says nothing about the request: what it is about does not exist, or the server is busy
 */
export async function estimate(
  { db, config }: Pick<ServerContext, 'db' | 'config'>,
  { caller: { sellerId }, network }: FastifyRequest,
  { images, maxImages, check }: Asked,
): Promise<V1Estimate> {
  const profile = await findActiveProfile(db, sellerId);
  if (!profile) throw new AppError('API_KEY_INVALID');
  let refusal: V1Estimate['refusal'] = null;
  try {
    checkAgreed(images, maxImages);
    await check(profile, countedNetwork(profile, network));
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'NOT_FOUND' || error.status >= 500) throw error;
    refusal = { code: error.code, message: error.message };
  }
  return { dryRun: true, images, refusal, balance: presentBalance(profile, config) };
}

/**
 * The same of images that are made from photos.
 * @param body as it was sent @throws AppError also as `wholeRequest`
 */
export async function estimateForm(
  context: ServerContext,
  request: FastifyRequest,
  asked: V1CreateForm,
  body: object,
): Promise<V1Estimate> {
  const { sellerId } = request.caller;
  const fields = await wholeRequest(context.db, sellerId, sentFields(asked, body));
  return estimate(context, request, {
    images: fields.numImages,
    maxImages: asked.maxImages,
    check: (profile, network) =>
      checkRequest(context, { kind: 'photos', sellerId, fields }, profile, network),
  });
}
