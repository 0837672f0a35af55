import sharp from 'sharp';
import { expect, test } from 'vitest';
import { flatImage } from '#tests/support/photos.ts';
import { check, cushion, moved, rejection, seed } from '#tests/support/result-checks.ts';

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

test('a photo in another shape is a copy', async () => {
  const copy = await sharp(cushion.png).resize(1_024, 1_536, { fit: 'cover' }).png().toBuffer();
  await expect(check(copy, { photos: [moved, cushion.png] })).rejects.toMatchObject(rejection(/copy/));
  await expect(check(copy, { photos: [moved] })).resolves.toBeUndefined();
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
