import sharp, { type FitEnum } from 'sharp';
import { expect, test } from 'vitest';
import { createRandom } from '#scripts/bench/cutout/backgrounds.ts';
import { moveProduct } from '#scripts/match-report/pictures.ts';
import { readSample } from '#scripts/match-report/samples.ts';
import { flatImage } from '#tests/support/photos.ts';
import { checkResult, reducedPhoto } from './result-checks.ts';
import { thumbnailOf } from './thumbnail.ts';

const seed = 8;
const cushion = await readSample('cushion-1');
const moved = await moveProduct(createRandom(seed), cushion.png, cushion.mask!);

/** Checks an image made from the cushion's photo. */
const check = async (
  image: Buffer,
  { photos = [cushion.png], original = null }: { photos?: Buffer[]; original?: Buffer | null } = {},
) => {
  const thumbnail = await thumbnailOf(image);
  const inputs = {
    photos: (await Promise.all(photos.map(thumbnailOf))).map((photo) => reducedPhoto(photo, thumbnail)),
    original: original && (await thumbnailOf(original)),
  };
  checkResult(thumbnail, inputs, 'request');
};
const rejection = (reason: RegExp) => ({
  kind: 'invalid_response',
  requestId: 'request',
  message: expect.stringMatching(reason),
});

/** Draws one shape on a square of 1,024 pixels. */
const drawn = (background: string, shape: string) =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="1024" height="1024"><rect width="100%" height="100%" fill="${background}"/>${shape}</svg>`,
    ),
  )
    .png()
    .toBuffer();

test.for<[string, string, string]>([
  ['of one colour', '#d8d2c8', ''],
  ['of nearly one colour', '#fdfdfd', '<rect width="512" height="1024" fill="#f9f9f9"/>'],
  ['fully transparent', 'none', ''],
  ['with a speck of dust', '#ffffff', '<rect x="200" y="200" width="3" height="3" fill="#ddd"/>'],
])('an image %s is blank', async ([, background, shape]) => {
  await expect(check(await drawn(background, shape))).rejects.toMatchObject(rejection(/blank/));
});

test.for<[string, string, string]>([
  ['a white product on white', '#ffffff', '<circle cx="512" cy="512" r="200" fill="#f2f2f2"/>'],
  ['a small product', '#ffffff', '<circle cx="512" cy="512" r="30" fill="#404040"/>'],
  ['a black product without a background', 'none', '<circle cx="512" cy="512" r="200" fill="#000"/>'],
])('an image of %s is not', async ([, background, shape]) => {
  await expect(check(await drawn(background, shape))).resolves.toBeUndefined();
});

test.for<[keyof FitEnum, number, number]>([
  ['fill', 1_024, 1_536],
  ['cover', 1_024, 1_536],
  ['contain', 1_536, 1_024],
  ['cover', 1_536, 1_024],
  ['contain', 1_024, 1_536],
])('a photo scaled with %s to %i × %i is a copy, also as a JPEG file', async ([fit, width, height]) => {
  const copy = await sharp(cushion.png).resize(width, height, { fit, background: '#fff' }).jpeg().toBuffer();
  const png = await sharp(copy).png().toBuffer();
  await expect(check(png)).rejects.toMatchObject(rejection(/copy/));
  await expect(check(png, { photos: [moved, cushion.png] })).rejects.toMatchObject(rejection(/copy/));
  await expect(check(png, { photos: [moved] })).resolves.toBeUndefined();
});

test('the product in a scene is no copy, and a photo of one colour is no obstacle', async () => {
  await expect(check(moved), `seed ${seed}`).resolves.toBeUndefined();
  await expect(check(moved, { photos: [await flatImage().png().toBuffer()] })).resolves.toBeUndefined();
});

test('a change must be visible; a small one is enough', async () => {
  const encodedAgain = await sharp(await sharp(moved).jpeg({ quality: 90 }).toBuffer())
    .png()
    .toBuffer();
  await expect(check(encodedAgain, { original: moved })).rejects.toMatchObject(rejection(/not changed/));
  const dot = await drawn('none', '<circle cx="300" cy="700" r="12" fill="#d22"/>');
  const changed = await sharp(moved)
    .composite([{ input: dot }])
    .png()
    .toBuffer();
  await expect(check(changed, { original: moved }), `seed ${seed}`).resolves.toBeUndefined();
});
