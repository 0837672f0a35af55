import { createHash, randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { type GenerationRequest, limits } from '#contract';
import { AppError } from '#shared/platform/errors.ts';

/** @returns the request's `Idempotency-Key`, or a new one if it has none @throws AppError VALIDATION */
export function idempotencyKeyOf(header: string | string[] | undefined): string {
  if (header === undefined) return randomUUID();
  const valid =
    typeof header === 'string' &&
    header.length > 0 &&
    header.length <= limits.idempotencyKeyCharacters &&
    /^[\x21-\x7e]+$/.test(header);
  if (valid) return header;
  throw new AppError('VALIDATION', {
    message: 'The Idempotency-Key must have 1 to 200 visible ASCII characters.',
    field: 'Idempotency-Key',
  });
}

/** What the document says of a request that makes something new each time. */
export const takesNoKey =
  'It takes no `Idempotency-Key`, and is 400 `VALIDATION` with one: after no answer, read what is there before you repeat it.';

/**
 * Refuses an `Idempotency-Key` where a repeated request makes something new: ignored, it would promise what is not kept.
 * @throws AppError VALIDATION
 */
export async function refuseIdempotencyKey({ headers }: Pick<FastifyRequest, 'headers'>): Promise<void> {
  if (headers['idempotency-key'] === undefined) return;
  throw new AppError('VALIDATION', {
    message:
      'This request takes no Idempotency-Key: repeated, it makes something new. Read what is there before you repeat it.',
    field: 'Idempotency-Key',
  });
}

/**
 * A hash of fields and photos: tells a repeated request from another one under the same key.
 * @param photos what tells them from others: the hashes of files, or addresses
 */
export function fingerprintOf(request: Partial<GenerationRequest>, photos: readonly string[]): string {
  const fields = Object.entries(request).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([fields, photos]))
    .digest('hex');
}
