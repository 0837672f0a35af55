/** Batches by the API: what a tool of an assistant does with one. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ToolAccount } from '#shared/assistants/account.ts';
import { answerOf, type Packshot } from './client.ts';
import { bodyOf, formOf, isAddress } from './images.ts';

/** The batches of an account, whose photos are files or addresses. */
export function batchesOf(packshot: Packshot): ToolAccount['batches'] {
  const pathOf = (id: string) => ({ params: { path: { id } } });
  return {
    async create({ name, rows }, key) {
      const photos = new Map<string, string>();
      const photoOf = async (photo: string) => {
        const sha256 = await sha256Of(photo);
        photos.set(sha256, photo);
        return isAddress(photo) ? { url: photo } : { sha256, name: basename(photo) };
      };
      const asked = await Promise.all(
        rows.map(async (row) => ({ ...row, photos: await Promise.all(row.photos.map(photoOf)) })),
      );
      const headers = { 'idempotency-key': key };
      // Texts of options are checked by the API.
      const body = { name, rows: asked } as never;
      const batch = await answerOf(() => packshot.POST('/api/v1/batches', { headers, body }));
      return { batch, sendPhotos: (signal) => sendPhotos(packshot, batch.id, photos, signal) };
    },
    async start(id, maxImages) {
      const started = await answerOf(() =>
        packshot.POST('/api/v1/batches/{id}/start', { ...pathOf(id), body: { maxImages } }),
      );
      if (!('state' in started)) throw new Error('An estimate was not asked for.');
      return started;
    },
    get: (id, signal) =>
      answerOf(() => packshot.GET('/api/v1/batches/{id}', { ...pathOf(id), signal }), signal),
  };
}

/** Sends the photos that a batch misses. @param photos by what stands for them */
async function sendPhotos(
  packshot: Packshot,
  id: string,
  photos: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<void> {
  const { missing } = await answerOf(
    () => packshot.GET('/api/v1/batches/{id}/photos', { params: { path: { id } }, signal }),
    signal,
  );
  for (const { sha256 } of missing) {
    const photo = photos.get(sha256)!;
    const body = isAddress(photo) ? { url: photo } : await formOf([photo]);
    const params = { path: { id, sha256 } };
    await answerOf(
      () => packshot.PUT('/api/v1/batches/{id}/photos/{sha256}', { params, ...bodyOf(body), signal }),
      signal,
    );
  }
}

/** What stands for a photo: the SHA-256 of its bytes, or of the text of its address. */
async function sha256Of(photo: string): Promise<string> {
  const hash = createHash('sha256');
  if (isAddress(photo)) hash.update(photo);
  else await pipeline(createReadStream(photo), hash);
  return hash.digest('hex');
}
