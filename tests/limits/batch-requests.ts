/** Requests about batches that attacks send. */

import { randomUUID } from 'node:crypto';
import { type BatchView, type CreateBatch, limits } from '#contract';
import { batchPaths } from '#contract/batch-paths.ts';
import { requestAs } from '#tests/support/api-client.ts';
import { sha256Of } from '#tests/support/batches.ts';

/** Rows of a batch, each with as many takes and photos as there may be. @param photos as many as the rows have, by SHA-256 */
export function rowsOf(count: number, photos: readonly string[], prompt = 'On oak'): CreateBatch['rows'] {
  return Array.from({ length: count }, (_, index) => ({
    sku: `SKU-${index + 1}`,
    name: `Cup ${index + 1}`,
    prompt,
    takes: limits.imagesPerRequest,
    photos: photos
      .slice(index * limits.photos, (index + 1) * limits.photos)
      .map((sha256) => ({ name: 'cup.jpg', sha256 })),
  }));
}

/** Makes a batch. @returns its reply, whatever its status */
export async function requestBatch(
  url: string,
  token: string,
  rows: CreateBatch['rows'],
): Promise<{ status: number; batch: BatchView | null }> {
  const body = { key: randomUUID(), name: 'Attack', rows };
  const reply = await requestAs(url, token, 'POST', batchPaths.batches, body);
  const made = await reply.json();
  return { status: reply.status, batch: reply.status === 201 ? (made as BatchView) : null };
}

/** Uploads a photo of a batch. @returns the status of the reply */
export async function sendPhoto(url: string, token: string, batchId: string, photo: Buffer): Promise<number> {
  const form = new FormData();
  form.append('images', new Blob([new Uint8Array(photo)]), 'photo.jpg');
  const reply = await fetch(url + batchPaths.batchPhoto(batchId, sha256Of(photo)), {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  await reply.arrayBuffer();
  return reply.status;
}
