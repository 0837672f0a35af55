/** Tests the cutout with the true masks of sample photos and with drawn photos. */
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Cutout, cutProduct, loadCutter, UncuttableError } from './cutout.ts';
import { intersectionOverUnion, type Mask } from './pixels.ts';

const products = new URL('../../scripts/local/photos/', import.meta.url);

beforeAll(() => loadCutter());

async function trueMask(name: string): Promise<Mask> {
  const { data, info } = await sharp(await readFile(new URL(`masks/${name}.png`, products)))
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(data) };
}

/** The alpha of a cutout at its position in the photo. */
function maskOf({ pixels, box }: Cutout, width: number, height: number): Mask {
  const data = new Uint8Array(width * height);
  for (let index = 0; index < box.width * box.height; index += 1) {
    const x = box.left + (index % box.width);
    const y = box.top + Math.floor(index / box.width);
    data[y * width + x] = pixels.data[index * 4 + 3]!;
  }
  return { width, height, data };
}

/** A drawn photo with a little noise, as from a camera. */
async function drawPhoto(content: string, width = 640, height = 480): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`;
  const data = await sharp(Buffer.from(svg)).flatten().removeAlpha().raw().toBuffer();
  let state = 17;
  for (let index = 0; index < data.length; index += 1) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    data[index] = Math.min(255, Math.max(0, data[index]! + ((state >> 16) % 7) - 3));
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}

const backdrop = (colour: string) => `<rect width="100%" height="100%" fill="${colour}"/>`;
const bottle = (x: number, y: number, colour = '#2d6a4c') =>
  `<path transform="translate(${x} ${y})" d="M60 0 h60 v80 q50 30 50 80 v150 q0 20 -20 20 h-120 q-20 0 -20 -20 v-150 q0 -50 50 -80z" fill="${colour}"/>`;

describe('thin parts', () => {
  test('a faint leg is kept after a close-up; joints of the floor are not', async () => {
    const chair = `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="960">${backdrop('#cfcac0')}
      <rect y="560" width="100%" height="400" fill="#8d6a48"/>
      <g stroke="#93714b" stroke-width="2"><path d="M0 640h960M0 740h960M0 850h960"/></g>
      <ellipse cx="480" cy="880" rx="270" ry="24" fill="#000" opacity=".25"/>
      <rect x="250" y="200" width="460" height="190" rx="50" fill="#e0603f"/>
      <rect x="210" y="480" width="540" height="110" rx="46" fill="#d4553a"/>
      <g stroke="#3a2a1f" stroke-width="10"><path d="M320 380v120M640 380v120M270 580L235 880M690 580L725 870"/></g></svg>`;
    const cutout = await cutProduct(await sharp(Buffer.from(chair)).flatten().png().toBuffer());
    const { data } = maskOf(cutout, 960, 960);
    const at = (x: number, y: number) => data[y * 960 + x]!;
    expect([at(718, 820) > 127, at(320, 440) > 127, at(640, 440) > 127]).toEqual([true, true, true]);
    expect([at(480, 740), at(480, 440), at(860, 640)]).toEqual([0, 0, 0]);
  });

  test('a cable and the edge of a picture frame are removed', async () => {
    const headphones = await cutProduct(await readFile(new URL('headphones-1.jpg', products)));
    const perfume = await cutProduct(await readFile(new URL('perfume-1.jpg', products)));
    const trueLeft = (await trueMask('headphones-1')).data.reduce(
      (left, value, index) => (value > 127 ? Math.min(left, index % 1200) : left),
      1200,
    );
    expect(headphones.box.left).toBeGreaterThan(trueLeft - 60);
    expect(perfume.touches).toEqual({ left: false, top: false, right: false, bottom: false });
  });
});

describe('a sample photo', () => {
  test.each([
    ['soap-1', 0.985],
    ['tea-tin-1', 0.975],
    ['headphones-1', 0.93],
    ['pump-bottle-2', 0.975],
  ])('%s is cut out along its true outline', async (name, smallest) => {
    const truth = await trueMask(name);
    const cutout = await cutProduct(await readFile(new URL(`${name}.jpg`, products)));
    const found = maskOf(cutout, truth.width, truth.height);
    expect(intersectionOverUnion(found, truth)).toBeGreaterThanOrEqual(smallest);
    expect(Object.values(cutout.touches)).not.toContain(true);
    expect(cutout.photoSide).toBe(Math.max(truth.width, truth.height));
  });

  test('of a mug keeps the opening of the handle, and is the same each time', async () => {
    const photo = await readFile(new URL('mug-1.jpg', products));
    const first = await cutProduct(photo);
    const truth = await trueMask('mug-1');
    const found = maskOf(first, truth.width, truth.height);
    expect(intersectionOverUnion(found, truth)).toBeGreaterThanOrEqual(0.985);
    expect(found.data[475 * 1200 + 783]).toBe(0);
    const again = await cutProduct(photo);
    expect(Buffer.from(again.pixels.data.buffer).equals(Buffer.from(first.pixels.data.buffer))).toBe(true);
    expect(first.confidence).toBeGreaterThan(0.8);
  });
});

describe('a drawn photo', () => {
  test('is cut out without the shadow', async () => {
    const shadow =
      '<filter id="soft" x="-1" y="-1" width="3" height="3"><feGaussianBlur stdDeviation="8"/></filter><ellipse cx="370" cy="405" rx="150" ry="22" opacity="0.45" filter="url(#soft)"/>';
    const cutout = await cutProduct(await drawPhoto(backdrop('#d9d6d0') + shadow + bottle(230, 80)));
    const found = maskOf(cutout, 640, 480);
    // In the shadow, right of the bottle's foot.
    expect(found.data[405 * 640 + 440]).toBe(0);
    expect(found.data[300 * 640 + 320]).toBe(255);
  });

  test('has no green rim from its background', async () => {
    const { pixels } = await cutProduct(await drawPhoto(backdrop('#20c040') + bottle(230, 70, '#a03048')));
    let greenest = -255;
    for (let index = 0; index < pixels.data.length; index += 4) {
      if (pixels.data[index + 3]! < 64) continue;
      greenest = Math.max(greenest, pixels.data[index + 1]! - pixels.data[index]!);
    }
    // The product's green is 112 below its red; a half-mixed pixel would have 24 more green than red.
    expect(greenest).toBeLessThan(-50);
  });

  test('can be cropped by the frame on one side', async () => {
    const { touches } = await cutProduct(await drawPhoto(backdrop('#e4e0d8') + bottle(230, 200)));
    expect(touches).toEqual({ left: false, top: false, right: false, bottom: true });
  });

  test('can come close to the frame', async () => {
    const { touches } = await cutProduct(await drawPhoto(backdrop('#e4e0d8') + bottle(230, 70), 640, 412));
    expect(Object.values(touches)).not.toContain(true);
  });
});

test('a photo with alpha keeps its own alpha, cropped', async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><circle cx="150" cy="100" r="50" fill="red" opacity="0.8"/></svg>';
  const { pixels, box } = await cutProduct(await sharp(Buffer.from(svg)).png().toBuffer());
  expect(Math.abs(box.left - 100)).toBeLessThanOrEqual(1);
  expect(Math.abs(pixels.width - 100)).toBeLessThanOrEqual(1);
  expect(pixels.data[(50 * pixels.width + 50) * 4 + 3]).toBe(204);
});

describe('a photo that cannot be cut out has a reason', () => {
  test.each([
    ['a plain wall', 'nothing-salient', drawPhoto(backdrop('#b8b4ac'))],
    [
      'a gradient',
      'nothing-salient',
      drawPhoto(
        `<defs><linearGradient id="g" x2="0" y2="1"><stop stop-color="#346"/><stop offset="1" stop-color="#abc"/></linearGradient></defs>${backdrop('url(#g)')}`,
      ),
    ],
    ['a product in the corner', 'cropped', drawPhoto(backdrop('#e4e0d8') + bottle(510, 230))],
    [
      'three products',
      'inseparable',
      drawPhoto(
        backdrop('#e4e0d8') + bottle(20, 90) + bottle(230, 90, '#8a3b2a') + bottle(440, 90, '#2a4a8a'),
      ),
    ],
    [
      'a tiny product',
      'too-small',
      drawPhoto(`${backdrop('#e4e0d8')}<circle cx="300" cy="240" r="28" fill="#a03048"/>`),
    ],
    [
      'a tiny photo',
      'too-small',
      drawPhoto(`${backdrop('#e4e0d8')}<circle cx="30" cy="20" r="15" fill="#a03048"/>`, 60, 40),
    ],
  ])('%s', async (_name, reason, photo) => {
    const failure = await cutProduct(await photo).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(UncuttableError);
    expect(failure).toMatchObject({ reason });
  });

  test('bytes that are not an image cause another error than UncuttableError', async () => {
    const failure = await cutProduct(Buffer.from('no image')).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(failure).not.toBeInstanceOf(UncuttableError);
  });
});
