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

/** The product small on pure white, as sellers send it. */
async function onWhite({ left = 437, longest = 150, shadow = '' } = {}): Promise<Buffer> {
  const size = { width: longest, height: longest, fit: 'inside' } as const;
  const [colours, alpha] = await Promise.all([
    sharp(cushion.png).removeAlpha().resize(size).raw().toBuffer({ resolveWithObject: true }),
    sharp(cushion.mask!).extractChannel(0).resize(size).raw().toBuffer(),
  ]);
  const { width, height } = colours.info;
  const product = await sharp(colours.data, { raw: { width, height, channels: 3 } })
    .joinChannel(alpha, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer();
  return sharp(await drawn('#ffffff', shadow))
    .composite([{ input: product, left, top: 440 }])
    .removeAlpha()
    .png()
    .toBuffer();
}

test.for<[string, Parameters<typeof onWhite>[0]]>([
  ['moved', { left: 400 }],
  ['enlarged', { longest: 190 }],
  ['with a new shadow', { shadow: '<ellipse cx="512" cy="590" rx="90" ry="22" fill="#bbb"/>' }],
])('a small product on pure white, %s on pure white, is no copy', async ([, made]) => {
  const photos = [await onWhite()];
  await expect(check(await onWhite(made), { photos })).resolves.toBeUndefined();
});

test.for<[string, (photo: Buffer) => Promise<Buffer>]>([
  ['unchanged', async (photo) => photo],
  [
    'as a JPEG file',
    async (photo) =>
      sharp(await sharp(photo).jpeg({ quality: 60 }).toBuffer())
        .png()
        .toBuffer(),
  ],
  ['half as large', (photo) => sharp(photo).resize(512).png().toBuffer()],
  ['2 lighter', (photo) => sharp(photo).linear(1, 2).png().toBuffer()],
  ['2 darker', (photo) => sharp(photo).linear(1, -2).png().toBuffer()],
])('a small product on pure white, %s, is a copy', async ([, again]) => {
  const photo = await onWhite();
  await expect(check(await again(photo), { photos: [photo] })).rejects.toMatchObject(rejection(/copy/));
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
