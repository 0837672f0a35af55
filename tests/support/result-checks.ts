/** What the worker says of images that the provider made from a sample photo. */
import { expect } from 'vitest';
import { createRandom } from '#tests/campaigns/bench/cutout/backgrounds.ts';
import { moveProduct } from '#tests/campaigns/match-report/pictures.ts';
import { readSample } from '#tests/campaigns/match-report/samples.ts';
import { checkResult, reducePhoto } from '#worker/generate/pixels.ts';
import { thumbnailOf } from '#worker/generate/thumbnail.ts';

export const seed = 8;
export const cushion = await readSample('cushion-1');
/** The product of the photo in a scene. */
export const moved = await moveProduct(createRandom(seed), cushion.png, cushion.mask!);

/** Checks an image made from the cushion's photo. */
export const check = async (
  image: Buffer,
  { photos = [cushion.png], original = null }: { photos?: Buffer[]; original?: Buffer | null } = {},
) => {
  const thumbnail = await thumbnailOf(image);
  const inputs = {
    photos: await Promise.all(photos.map(async (photo) => reducePhoto(await thumbnailOf(photo), thumbnail))),
    original: original && (await thumbnailOf(original)),
  };
  await checkResult(thumbnail, inputs, 'request');
};

/** The error of an image that is refused for such a reason. */
export const rejection = (reason: RegExp) => ({
  kind: 'invalid_response',
  requestId: 'request',
  message: expect.stringMatching(reason),
});
