/** Batches as an API client sends them. */

import { createHash, randomUUID } from 'node:crypto';
import { type BatchAction, type BatchItems, type BatchView, type CreateBatch, withoutItems } from '#contract';
import { batchPaths } from '#contract/batch-paths.ts';
import { samplePhoto } from './photos.ts';
import type { Answer, Seller } from './seller.ts';

/** SHA-256 as the API names photos. */
export const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Rows that show the sample photo. @param details fields that differ, in all rows */
export async function sampleRows(
  count: number,
  details: Partial<CreateBatch['rows'][number]> = {},
): Promise<CreateBatch['rows']> {
  const photos = [{ name: 'cup.png', sha256: sha256Of(await samplePhoto()) }];
  return Array.from({ length: count }, (_, index) => ({
    sku: `SKU-${index + 1}`,
    name: `Cup ${index + 1}`,
    prompt: 'On oak',
    photos,
    ...details,
  }));
}

/** Posts a batch. */
export function postBatch<Body = BatchView>(
  seller: Seller,
  batch: Partial<CreateBatch>,
): Promise<Answer<Body>> {
  return seller.request<Body>(batchPaths.batches, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key: randomUUID(), name: 'Autumn', ...batch }),
  });
}

/** Uploads a photo of a batch. */
export function putPhoto<Body = { photosMissing: number }>(
  seller: Seller,
  id: string,
  bytes: Buffer,
  sha256 = sha256Of(bytes),
  { name, type } = { name: 'photo.png', type: 'image/png' },
): Promise<Answer<Body>> {
  const body = new FormData();
  body.append('images', new File([new Uint8Array(bytes)], name, { type }));
  return seller.request<Body>(batchPaths.batchPhoto(id, sha256), { method: 'PUT', body });
}

/** Carries out an action on a batch. */
export const actOn = <Body = BatchView>(seller: Seller, id: string, action: BatchAction) =>
  seller.request<Body>(batchPaths.batchAction(id, action), { method: 'POST' });

const postJson = <Body>(seller: Seller, path: string, body: object) =>
  seller.request<Body>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Approves images of a batch, or takes that back. */
export const review = <Body = BatchView>(seller: Seller, id: string, images: string[], approved: boolean) =>
  postJson<Body>(seller, batchPaths.batchReview(id), { images, approved });

/** Makes images of a batch again. */
export const makeAgain = <Body = BatchView>(seller: Seller, id: string, images: string[]) =>
  postJson<Body>(seller, batchPaths.batchAgain(id), { images });

/** Reads a batch and its rows, as the web app does. */
export async function readBatch(seller: Seller, id: string): Promise<BatchView> {
  const read = async <Body>(path: string) => {
    const { status, body } = await seller.request<Body>(path);
    if (status !== 200) throw new Error(`the batch answered ${status}: ${JSON.stringify(body)}`);
    return body;
  };
  const view = await read<BatchView>(batchPaths.batch(id) + withoutItems);
  for (let from: number | null = 0; from !== null; ) {
    const page: BatchItems = await read(`${batchPaths.batchItems(id)}?from=${from}`);
    view.items.push(...page.items);
    from = page.next;
  }
  return view;
}

/** Makes a batch whose photo is uploaded. @returns its id */
export async function uploadedBatch(
  seller: Seller,
  rows: CreateBatch['rows'],
  name?: string,
): Promise<string> {
  const { status, body } = await postBatch(seller, { rows, ...(name !== undefined && { name }) });
  if (status !== 201) throw new Error(`the batch was refused: ${JSON.stringify(body)}`);
  const upload = await putPhoto(seller, body.id, await samplePhoto());
  if (upload.status !== 200) throw new Error(`the photo was refused: ${JSON.stringify(upload.body)}`);
  return body.id;
}

/** Makes and starts a batch. @returns its id */
export async function startedBatch(
  seller: Seller,
  rows: CreateBatch['rows'],
  name?: string,
): Promise<string> {
  const id = await uploadedBatch(seller, rows, name);
  const { status, body } = await actOn(seller, id, 'start');
  if (status !== 200) throw new Error(`the start was refused: ${JSON.stringify(body)}`);
  return id;
}
