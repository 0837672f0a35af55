/** The processor time of the image work of a generation alone, with Packshot's own functions, one after the other. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { imageSizes } from '#contract';
import { normalise } from '#server/decoder/normalise.ts';
import { storageKeys } from '#shared/storage/storage.ts';
import type { CampaignStack } from '#tests/campaigns/support/stack.ts';
import { verifiedImage } from '#worker/generate/check-image.ts';
import { smallPreview } from '#worker/generate/previews.ts';
import { defectOf, type ReducedPhoto, reducedPhoto } from '#worker/generate/result-checks.ts';
import { thumbnailOf } from '#worker/generate/thumbnail.ts';

/** Processor time of each step for one generation, in ms. */
export type ImageWork = Map<string, number>;

/**
 * Measures what a generation with one photo and two previews needs at least: nothing is uploaded, sent, or written to a database.
 * @param id a succeeded generation of the stack; its image also stands for its previews, which have the same size
 * @param photoFile the photo as it was uploaded
 */
export async function measureImageWork(
  { storageFolder }: CampaignStack,
  id: string,
  photoFile: string,
): Promise<ImageWork> {
  const target = join(storageFolder, 'incoming', 'image-work.photo');
  await normalise({ path: photoFile, target });
  const [photo, image] = await Promise.all([
    readFile(target),
    readFile(join(storageFolder, storageKeys.image(id, 1))),
  ]);
  const reduced = await reducePhoto(photo);
  const steps: [string, () => Promise<unknown>][] = [
    ['normalise and check the photo', () => normalise({ path: photoFile, target })],
    ['decode the stored photo', () => reducePhoto(photo)],
    ['scale two previews down', async () => [await smallPreview(image), await smallPreview(image)]],
    ['decode and check the image', () => checkImage(image, reduced)],
  ];
  const work: ImageWork = new Map();
  for (const [name, step] of steps) work.set(name, await cpuTimeOf(step));
  return work;
}

/** @param photo as it is stored @returns what an image is compared with */
export async function reducePhoto(photo: Uint8Array): Promise<ReducedPhoto> {
  return reducedPhoto(await thumbnailOf(photo), imageSizes.square);
}

/** What a worker does with the provider's image, which it compares with its photo. */
export async function checkImage(image: Buffer, photo: ReducedPhoto): Promise<void> {
  const { thumbnail } = await verifiedImage(image, imageSizes.square, null);
  defectOf(thumbnail, { photos: [photo], original: null });
}

/** Processor time of this process for one call, in ms: the mean of 30 calls after five for warm-up. */
async function cpuTimeOf(step: () => Promise<unknown>): Promise<number> {
  for (let index = 0; index < 5; index += 1) await step();
  const before = process.cpuUsage();
  for (let index = 0; index < 30; index += 1) await step();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / 30;
}
