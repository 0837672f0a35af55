/** Cutting is held against known masks: drawn photos, and the sample photo against a mask drawn by eye. */
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, test, vi } from 'vitest';
import { cutProduct, findProduct, hardMaskAt } from './cutout.ts';
import { decodePhoto, intersectionOverUnion, type Mask } from './pixels.ts';

// GrabCut is real work, and other test files may have the machine's cores.
vi.setConfig({ testTimeout: 60_000 });

/** Draws a product over a background with camera noise, and the mask of the product alone. */
async function drawPhoto(background: string, product: string, width = 600, height = 450) {
  const svg = (content: string) =>
    sharp(
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`,
      ),
    );
  const { data } = await svg(background + product)
    .flatten({ background: '#000' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  let state = 17;
  for (let index = 0; index < data.length; index += 1) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    data[index] = Math.min(255, Math.max(0, data[index]! + ((state >> 16) % 7) - 3));
  }
  const photo = await sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
  const alpha = await svg(product).ensureAlpha().extractChannel(3).raw().toBuffer();
  const truth: Mask = { width, height, data: new Uint8Array(alpha) };
  return { photo, truth };
}

async function scoreOf(photo: Buffer, truth: Mask) {
  const pixels = await decodePhoto(photo, 1200);
  const { mask, method } = await findProduct(pixels);
  const found = await hardMaskAt(mask, truth.width, truth.height);
  return { score: intersectionOverUnion(found, truth), method };
}

const bottle =
  '<path d="M270 60 h60 v90 q50 30 50 80 v160 q0 20 -20 20 h-120 q-20 0 -20 -20 v-160 q0 -50 50 -80z" fill="#2d6a4c"/>';
const box = '<path d="M180 190 l130 -40 130 45 v150 l-135 55 -125 -60z" fill="#b93f33"/>';

describe('a drawn photo', () => {
  test.each([
    ['a bottle before white', '<rect width="600" height="450" fill="#fbfbfb"/>', bottle, 'backdrop'],
    [
      'a box before a grey gradient',
      '<defs><linearGradient id="g" x2="0" y2="1"><stop stop-color="#8b8d90"/><stop offset="1" stop-color="#b3b5b8"/></linearGradient></defs><rect width="600" height="450" fill="url(#g)"/>',
      box,
      'backdrop',
    ],
    [
      'a dark thing before a dark backdrop',
      '<rect width="600" height="450" fill="#17171a"/>',
      '<rect x="200" y="90" width="190" height="290" rx="24" fill="#36363d"/>',
      'backdrop',
    ],
    [
      'a white thing before white',
      '<rect width="600" height="450" fill="#f8f8f8"/>',
      '<rect x="190" y="110" width="220" height="250" rx="30" fill="#e2e2e1"/>',
      'backdrop',
    ],
    [
      'a box on a table before a wall',
      '<rect width="600" height="450" fill="#d8cbb6"/><rect y="270" width="600" height="180" fill="#8d7350"/>',
      box,
      'grabcut',
    ],
  ])('%s is cut along its outline', async (_name, background, product, expectedMethod) => {
    const { photo, truth } = await drawPhoto(background, product);
    const { score, method } = await scoreOf(photo, truth);
    expect(method).toBe(expectedMethod);
    expect(score).toBeGreaterThanOrEqual(0.95);
  });

  test('a soft shadow on the backdrop is not the product', async () => {
    const shadow =
      '<defs><radialGradient id="s"><stop stop-color="#000" stop-opacity="0.3"/><stop offset="1" stop-color="#000" stop-opacity="0"/></radialGradient></defs><ellipse cx="330" cy="408" rx="150" ry="22" fill="url(#s)"/>';
    const { photo, truth } = await drawPhoto(
      `<rect width="600" height="450" fill="#fbfbfb"/>${shadow}`,
      bottle,
    );
    expect((await scoreOf(photo, truth)).score).toBeGreaterThanOrEqual(0.95);
  });

  test('its edge keeps no trace of a bright background', async () => {
    const { photo } = await drawPhoto(
      '<rect width="600" height="450" fill="#fbfbfb"/>',
      '<circle cx="300" cy="225" r="120" fill="#203060"/>',
    );
    const { pixels } = await cutProduct(photo);
    let brightest = 0;
    for (let index = 0; index < pixels.data.length; index += 4) {
      if (pixels.data[index + 3]! > 100) brightest = Math.max(brightest, pixels.data[index]!);
    }
    // The product's red is 0x20; half-mixed with white it would be near 0x8d.
    expect(brightest).toBeLessThan(0x60);
  });
});

test('a photo with alpha keeps its own alpha, cropped', async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><circle cx="150" cy="100" r="50" fill="red"/></svg>';
  const cutout = await cutProduct(await sharp(Buffer.from(svg)).png().toBuffer());
  expect(cutout.method).toBe('alpha');
  expect(cutout.pixels.width).toBeGreaterThanOrEqual(99);
  expect(cutout.pixels.width).toBeLessThanOrEqual(101);
});

test.each([
  ['one colour all over', '#446688'],
  ['nothing but white', '#ffffff'],
])('%s becomes a card, whole', async (_name, colour) => {
  const photo = await sharp({ create: { width: 200, height: 100, channels: 3, background: colour } })
    .png()
    .toBuffer();
  const cutout = await cutProduct(photo);
  expect(cutout.method).toBe('card');
  expect(cutout.pixels.width).toBeGreaterThan(200);
});

test('the sample photo is cut like a hand would, and always the same', async () => {
  const photo = await decodePhoto(
    await readFile(new URL('../../../sample/coffee-cup.png', import.meta.url)),
    1200,
  );
  const first = await findProduct(photo);
  const again = await findProduct(photo);
  expect(first.method).toBe('grabcut');
  expect(Buffer.compare(first.mask.data, again.mask.data)).toBe(0);
  // Saucer, cup and the spoon's end, drawn by eye.
  const outline =
    '<ellipse cx="278" cy="226" rx="201" ry="162"/><ellipse cx="291" cy="114" rx="118" ry="96"/><path d="M396 70 l20 -4 8 10 -14 34 -16 4z"/>';
  const drawn = await sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400">${outline}</svg>`),
  )
    .ensureAlpha()
    .extractChannel(3)
    .raw()
    .toBuffer();
  const found = await hardMaskAt(first.mask, 600, 400);
  const truth: Mask = { width: 600, height: 400, data: new Uint8Array(drawn) };
  expect(intersectionOverUnion(found, truth)).toBeGreaterThanOrEqual(0.94);
});
