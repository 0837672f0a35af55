import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type GenerationRequest, limits } from '#contract';
import type { Db } from '#shared/data/db.ts';
import { findByIdempotencyKey } from '#shared/data/generations/receive.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { AppError } from '#shared/platform/errors.ts';
import type { Upload } from './uploads.ts';

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

/** A hash of form and files: tells a repeated request from another one under the same key. */
export function fingerprintOf(request: GenerationRequest, files: Upload['files']): string {
  const fields = Object.entries(request).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const hashes = files.map((file) => file.sha256);
  return createHash('sha256')
    .update(JSON.stringify([fields, hashes]))
    .digest('hex');
}

/** How long a repeated request waits for the first one to be queued or refused, in ms. */
const firstRequestMs = 10_000;
const pollMs = 25;

/**
 * The generation of the first request under a key. While that request is under way, this waits for its outcome, because
 * no other request may place its hold (docs/decisions/0003-insert-the-row-before-placing-the-hold.md).
 * @returns the row, no longer in `receiving`; undefined when the key is free
 * @throws AppError IDEMPOTENCY_MISMATCH, or UNAVAILABLE when the first request takes too long
 */
export async function findFirstUnderKey(
  db: Db,
  sellerId: string,
  key: string,
  fingerprint: string,
): Promise<GenerationRow | undefined> {
  const deadline = Date.now() + firstRequestMs;
  for (;;) {
    const row = await findByIdempotencyKey(db, sellerId, key);
    if (!row) return undefined;
    if (row.fingerprint !== fingerprint) throw new AppError('IDEMPOTENCY_MISMATCH');
    if (row.state !== 'receiving') return row;
    if (Date.now() > deadline) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 5 });
    await wait(pollMs);
  }
}
