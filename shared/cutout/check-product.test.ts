/** Tests what is said of photos before anything is made of them. */
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { photoCheckLimits } from '#contract';
import { checkProduct } from './check-product.ts';

const photos = new URL('../../scripts/local/photos/', import.meta.url);
const side = 640;

/** A drawing on a grey wall, with noise as from a camera. */
async function draw(content: string, wall = '#c9cdd2'): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 0, sigma: 3 } as const;
  const grain = await sharp({ create: { width: side, height: side, channels: 3, background: '#000', noise } })
    .png()
    .toBuffer();
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><rect width="100%" height="100%" fill="${wall}"/>${content}</svg>`;
  return sharp(Buffer.from(svg))
    .composite([{ input: grain, blend: 'add' }])
    .flatten()
    .jpeg()
    .toBuffer();
}

const carton = (left: number, top: number) =>
  `<rect x="${left}" y="${top}" width="200" height="330" rx="8" fill="#20457c"/><rect x="${left + 30}" y="${top + 60}" width="140" height="120" fill="#f4e7b0"/>`;

const warningsOf = async (bytes: Uint8Array) => (await checkProduct(bytes))?.warnings;

test('nothing is said of a mug on a table', async () => {
  expect(await warningsOf(await readFile(new URL('mug-1.jpg', photos)))).toEqual([]);
});

test('a wall has nothing that could be separated', async () => {
  expect(await warningsOf(await draw(''))).toEqual(['background']);
});

test('a product at the edge of the photo is cut off', async () => {
  expect(await warningsOf(await draw(carton(490, 150)))).toEqual(['cut-off']);
});

test('an arm that reaches from the frame to the product holds it; a wooden board behind it does not', async () => {
  const arm = '<path d="M0 430 L225 330 L225 400 L130 640 L0 640z" fill="#e0a184"/>';
  expect(await warningsOf(await draw(arm + carton(220, 140)))).toContain('held');
  const held = await draw(arm + carton(220, 140));
  // A cutout that somebody waits for does not wait for the look for hands.
  const first = (await checkProduct(held, { cutout: true, hands: false }))!;
  expect(first.warnings).not.toContain('held');
  expect(first.cutout).toEqual((await checkProduct(held, { cutout: true }))!.cutout);
  const board = '<path d="M0 400 h640 v240 h-640z" fill="#b07c49"/>';
  expect(await warningsOf(await draw(board + carton(220, 140)))).not.toContain('held');
});

test('a small product is said to be distant', async () => {
  expect(await warningsOf(await draw('<circle cx="320" cy="320" r="16" fill="#a02030"/>'))).toContain(
    'distant',
  );
});

test('what is no photo, or says that it has billions of pixels, is not checked', async () => {
  expect(await checkProduct(Buffer.from('no photo'))).toBeNull();
  const large = await sharp({ create: { width: 4_000, height: 4_000, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  expect(await checkProduct(large)).toBeNull();
});

test('a product is cut out when that is asked for, small and without its background', async () => {
  const mug = await readFile(new URL('mug-1.jpg', photos));
  expect((await checkProduct(mug))!.cutout).toBeNull();
  const cut = sharp((await checkProduct(mug, { cutout: true }))!.cutout!);
  const { format, width, height } = await cut.metadata();
  expect(format).toBe('webp');
  expect(Math.max(width, height)).toBeLessThanOrEqual(photoCheckLimits.cutoutSide);
  // Between the box and a round product there is nothing, and the product is opaque.
  const alpha = await cut.extractChannel(3).raw().toBuffer();
  expect(alpha[0]).toBe(0);
  expect(alpha[Math.floor(height / 2) * width + Math.floor(width / 3)]).toBe(255);
  expect((await checkProduct(await draw(''), { cutout: true }))!.cutout).toBeNull();
});
