/** How many bytes a seller can have stored in batches that are never started. */

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import sharp from 'sharp';
import { limits } from '#contract';
import type { CampaignStack } from '#tests/campaigns/support/stack.ts';
import { sha256Of } from '#tests/support/batches.ts';
import { signInWithImages } from './accounts.ts';
import { requestBatch, rowsOf, sendPhoto } from './batch-requests.ts';
import { atMost, countStatuses, type Figure, megabytes, shown, testAttack } from './runner.ts';

const photoCount = 80;
/** Requests at the same time: more than the server reads. */
const atOnce = 12;

testAttack(
  `sellers without a plan upload ${photoCount} photos for batches that they never start`,
  async (stack) => {
    const photos = await noisePhotos();
    return [
      ...(await uploads(stack, photos, 'without an image', 0, 0)),
      ...(await uploads(stack, photos, 'with 3 free images', 3, limits.unstartedBytesWithoutPlan)),
    ];
  },
);

/** JPEGs with low quality of what compresses worst: stored, they are several times as large. */
async function noisePhotos(): Promise<Buffer[]> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const side = limits.photoSide;
  const photo = await sharp({ create: { width: side, height: side, channels: 3, background: '#fff', noise } })
    .jpeg({ quality: 50 })
    .toBuffer();
  // Bytes after the end of a JPEG do not change the picture.
  return Array.from({ length: photoCount }, (_, index) => Buffer.concat([photo, Buffer.from([index])]));
}

async function uploads(
  stack: CampaignStack,
  photos: readonly Buffer[],
  who: string,
  images: number,
  mostBytes: number,
): Promise<Figure[]> {
  const token = await signInWithImages(stack, images);
  const before = await storedBytes(stack);
  const rows = rowsOf(Math.ceil(photos.length / limits.photos), photos.map(sha256Of));
  const { status, batch } = await requestBatch(stack.url, token, rows);
  const statuses: number[] = [];
  if (batch) {
    await pLimit(atOnce).map(photos, async (photo) => {
      statuses.push(await sendPhoto(stack.url, token, batch.id, photo));
    });
  }
  const stored = (await storedBytes(stack)) - before;
  const sent = batch ? photos.reduce((sum, { length }) => sum + length, 0) : 0;
  const measured = batch ? `${megabytes(sent)}: ${countStatuses(statuses)}` : `batch: ${status}`;
  return [shown(`${who}: photos sent`, measured), atMost(`${who}: stored`, stored, mostBytes, megabytes)];
}

async function storedBytes({ storageFolder }: CampaignStack): Promise<number> {
  const entries = await readdir(join(storageFolder, 'photo-sets'), {
    recursive: true,
    withFileTypes: true,
  }).catch(() => []);
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map((entry) => stat(join(entry.parentPath, entry.name)).then(({ size }) => size));
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
