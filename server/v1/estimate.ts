import type { FastifyRequest } from 'fastify';
import type { V1CreateForm, V1Estimate } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { countedNetwork } from '#shared/credits/unpaid-calls.ts';
import { findActiveProfile } from '#shared/data/profiles/find.ts';
import { checkRequest } from '#shared/generations/request.ts';
import { AppError } from '#shared/platform/errors.ts';
import { checkAgreed, fieldsOf } from './asked.ts';
import { presentBalance } from './present.ts';

/** What a request for images would use, and why it would be refused. Nothing is made, held or counted. */
export async function estimate(
  context: ServerContext,
  { caller: { sellerId }, network }: FastifyRequest,
  asked: V1CreateForm,
): Promise<V1Estimate> {
  const profile = await findActiveProfile(context.db, sellerId);
  if (!profile) throw new AppError('API_KEY_INVALID');
  const fields = fieldsOf(asked);
  let refusal: V1Estimate['refusal'] = null;
  try {
    checkAgreed(asked);
    const request = { kind: 'photos', sellerId, fields } as const;
    await checkRequest(context, request, profile, countedNetwork(profile, network));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    refusal = { code: error.code, message: error.message };
  }
  return {
    dryRun: true,
    images: fields.numImages,
    refusal,
    balance: presentBalance(profile, context.config),
  };
}
