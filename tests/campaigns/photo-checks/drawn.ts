/** Good photos of products that checks like to mistake: smooth, white, black, small, or on pure white. */
import { join } from 'node:path';
import sharp from 'sharp';
import { createRandom } from '#tests/campaigns/bench/cutout/backgrounds.ts';
import { addNoise, type Picture, readPicture } from './degrade.ts';
import { sampleFolder } from './photos.ts';

/** Coordinates of drawings go from 0 to this on both sides. */
const side = 1_024;
/** Pixels per side of a drawn photo, large enough not to be small. */
const drawnSide = 640;
const perPixel = side / drawnSide;
/** Noise of a good camera in good light, in values of 0 to 255. */
const noise = 1;

type Colour = readonly [number, number, number];

/** A part of a drawing. */
interface Shape {
  /** Distance from its outline, below 0 inside. */
  distance: (x: number, y: number) => number;
  /** From left to right of the frame. */
  colours: readonly [Colour, Colour];
  /** Distance over which its outline fades. */
  fade: number;
}

const grey = (level: number): Colour => [level, level, level];

/** @param lean by how much it moves to the right, relative to the way downwards */
function box(
  left: number,
  top: number,
  width: number,
  height: number,
  round = 0,
  lean = 0,
): Shape['distance'] {
  return (x, y) => {
    const aside = Math.abs(x - lean * (y - top) - left - width / 2) - width / 2 + round;
    const above = Math.abs(y - top - height / 2) - height / 2 + round;
    return Math.hypot(Math.max(aside, 0), Math.max(above, 0)) + Math.min(Math.max(aside, above), 0) - round;
  };
}

/** Around a point. */
const ellipse = (x0: number, y0: number, wide: number, high: number): Shape['distance'] => {
  return (x, y) => (Math.hypot((x - x0) / wide, (y - y0) / high) - 1) * Math.min(wide, high);
};

const sharpShape = (distance: Shape['distance'], from: Colour, to: Colour = from): Shape => ({
  distance,
  colours: [from, to],
  fade: perPixel,
});
const shadow = (distance: Shape['distance'], level: number): Shape => ({
  distance,
  colours: [grey(level), grey(level)],
  fade: 40,
});

const stool = (from: Colour, to: Colour): Shape[] => [
  shadow(ellipse(512, 870, 300, 30), 170),
  ...[
    box(262, 330, 500, 60, 18),
    box(300, 390, 40, 480, 0, -0.1),
    box(684, 390, 40, 480, 0, 0.1),
    box(285, 640, 455, 24),
  ].map((distance) => sharpShape(distance, from, to)),
];
const block = (from: Colour, to: Colour) => [sharpShape(box(212, 132, 600, 760, 60), from, to)];
const bars = (count: number, width: number, colour: Colour) =>
  Array.from({ length: count }, (_, index) => 120 + (index * 780) / count).flatMap((at) => [
    sharpShape(box(at, 120, width, 780), colour),
    sharpShape(box(120, at, 780, width), colour),
  ]);
/** Lines in the place of a word. */
const word = (left: number, top: number, colour: Colour) =>
  [0, 40, 75, 120, 160].map((right, index) =>
    sharpShape(box(left + right, top, 10 + index * 4, 70, 0, index % 2 === 0 ? 0 : 0.2), colour),
  );

const ball: Shape[] = [
  shadow(ellipse(530, 800, 260, 46), 150),
  ...Array.from({ length: 29 }, (_, index) =>
    sharpShape(
      ellipse(512 - index * 2.5, 512 - index * 3, 290 - index * 10, 290 - index * 10),
      grey(168 + index * 2.8),
    ),
  ),
];

const drawings: Readonly<Record<string, { background: Colour; shapes: readonly Shape[] }>> = {
  'a white stool on white': { background: grey(255), shapes: stool(grey(244), grey(222)) },
  'a white stool on grey': { background: [207, 210, 211], shapes: stool(grey(250), grey(226)) },
  'a matte ball on white': { background: grey(255), shapes: ball },
  'a tall bottle with a soft shadow': {
    background: grey(253),
    shapes: [
      shadow(box(180, 900, 640, 36), 136),
      sharpShape(box(462, 160, 100, 752, 40), [233, 228, 220], [184, 176, 164]),
    ],
  },
  'a black bottle on black': {
    background: [11, 11, 13],
    shapes: [
      sharpShape(box(330, 240, 360, 560, 50), [28, 28, 32], [46, 46, 52]),
      sharpShape(box(346, 290, 16, 460, 8), [200, 204, 212]),
      ...word(420, 500, [185, 188, 196]),
    ],
  },
  'a black block on white': { background: grey(255), shapes: block([12, 12, 14], [38, 38, 43]) },
  'a night-blue block on a lit wall': {
    background: [217, 212, 201],
    shapes: block([16, 22, 46], [35, 44, 84]),
  },
  'a pale block in a bright room': {
    background: [250, 249, 247],
    shapes: block([251, 243, 238], [240, 226, 218]),
  },
  'a red block': { background: [244, 241, 236], shapes: block([255, 42, 30], [212, 20, 12]) },
  'a yellow block': { background: grey(255), shapes: block([255, 212, 0], [242, 184, 0]) },
  'a white label on white': {
    background: grey(255),
    shapes: [
      ...block([60, 110, 88], [36, 70, 58]),
      sharpShape(box(212, 330, 600, 380), grey(255)),
      ...word(400, 480, grey(34)),
    ],
  },
  'a lattice on white': { background: grey(255), shapes: bars(12, 14, [122, 82, 48]) },
  'a white lattice on white': { background: grey(255), shapes: bars(9, 24, grey(233)) },
};

function draw({ background, shapes }: { background: Colour; shapes: readonly Shape[] }): Picture {
  const data = new Uint8Array(drawnSide ** 2 * 3);
  for (let at = 0; at < data.length; at += 1) data[at] = background[at % 3]!;
  for (const { distance, colours, fade } of shapes) {
    for (let pixel = 0; pixel < drawnSide ** 2; pixel += 1) {
      const x = (pixel % drawnSide) * perPixel;
      const cover = Math.max(
        0,
        Math.min(1, 0.5 - distance(x, Math.floor(pixel / drawnSide) * perPixel) / fade),
      );
      if (cover === 0) continue;
      for (let channel = 0; channel < 3; channel += 1) {
        const colour = colours[0][channel]! + ((colours[1][channel]! - colours[0][channel]!) * x) / side;
        const at = pixel * 3 + channel;
        data[at] = data[at]! + (colour - data[at]!) * cover;
      }
    }
  }
  return { data, width: drawnSide, height: drawnSide };
}

/** A good photo. */
interface GoodPhoto {
  name: string;
  picture: Picture;
}

/** Draws products that were lit and photographed well. */
export function* drawnPhotos(seed: number): Generator<GoodPhoto> {
  for (const [name, drawing] of Object.entries(drawings))
    yield { name: `drawn: ${name}`, picture: addNoise(draw(drawing), noise, createRandom(seed)) };
}

/** Part of the frame that a small product fills, by its longer side. */
const smallPart = 0.15;

/** The sample products on other backgrounds without a shadow, as shops show them, large and small. @param names of the samples */
export async function* cutOutPhotos(names: readonly string[]): AsyncGenerator<GoodPhoto> {
  for (const name of names) {
    const cut = await cutOut(name);
    const small = await sharp(cut)
      .trim({ background: { r: 0, g: 0, b: 0, alpha: 0 } })
      .resize(Math.round(side * smallPart), Math.round(side * smallPart), { fit: 'inside' })
      .png()
      .toBuffer();
    yield { name: `${name} on white`, picture: await putOn(cut, '#ffffff') };
    yield { name: `${name} on a pale colour`, picture: await putOn(cut, '#ffe9d0') };
    yield { name: `${name}, small, on white`, picture: await putOn(small, '#ffffff', side) };
  }
}

/** A sample product with a transparent background. */
async function cutOut(name: string): Promise<Buffer> {
  const photo = await readPicture(join(sampleFolder, `${name}.jpg`));
  const { width, height } = photo;
  const mask = await sharp(join(sampleFolder, 'masks', `${name}.png`))
    .extractChannel(0)
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer();
  return sharp(photo.data, { raw: { width, height, channels: 3 } })
    .joinChannel(mask, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer();
}

async function putOn(product: Buffer, background: string, frame?: number): Promise<Picture> {
  const { width = 0, height = 0 } = await sharp(product).metadata();
  const picture = await sharp({
    create: { width: frame ?? width, height: frame ?? height, channels: 3, background },
  })
    .composite([{ input: product }])
    .png()
    .toBuffer();
  return readPicture(picture);
}
