/** Pictures that no product can be cut out of, or only a part of it: drawn, and made from the photos of both folders. */
import sharp, { type Sharp } from 'sharp';
import { drawBackground } from '#tests/campaigns/bench/cutout/backgrounds.ts';
import type { Random } from '#tests/support/random.ts';
import type { Photo } from './photos.ts';

/** A photo that must not be cut, or not without a warning. */
export interface UnusablePicture {
  kind: string;
  picture: Buffer;
}

interface Sources {
  random: Random;
  /** Photos with a mask, from which products are taken. */
  masked: readonly Photo[];
  /** All photos of this half. */
  photos: readonly Photo[];
}

type Draw = (sources: Sources) => Promise<Buffer>;

const side = 900;
const jpeg = (image: Sharp) => image.flatten({ background: '#fff' }).jpeg({ quality: 88 }).toBuffer();
const svg = (content: string, width = side, height = side) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`);
const drawn = (content: string) => jpeg(sharp(svg(content)));

/** A product, cut out by its true mask, at most this large. */
async function cutOut({ bytes, mask }: Photo, width: number, height = width): Promise<Buffer> {
  const alpha = await sharp(mask!).extractChannel(0).raw().toBuffer({ resolveWithObject: true });
  // Sharp removes an alpha channel last, so a joined one would go as well.
  const opaque = await sharp(bytes).removeAlpha().raw().toBuffer();
  const size = { width: alpha.info.width, height: alpha.info.height };
  const png = await sharp(opaque, { raw: { ...size, channels: 3 } })
    .joinChannel(alpha.data, { raw: { ...size, channels: 1 } })
    .png()
    .toBuffer();
  const trimmed = await sharp(png).trim({ background: '#00000000', threshold: 0 }).png().toBuffer();
  return sharp(trimmed).resize(width, height, { fit: 'inside' }).png().toBuffer();
}

async function background(name: string, { random, photos }: Sources): Promise<Buffer> {
  const rows = await drawBackground(name, {
    width: side,
    height: side,
    random: random.next,
    productColour: [random.between(60, 220), random.between(60, 220), random.between(60, 220)],
    otherPhoto: random.pick(photos).bytes,
  });
  return sharp(rows, { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();
}

const only =
  (name: string): Draw =>
  async (sources) =>
    jpeg(sharp(await background(name, sources)));

interface Spot {
  left: number;
  top: number;
}

/** Products on a background. @param same whether all are the same */
async function arranged(
  sources: Sources,
  { on, size, spots, same }: { on: string; size: number; spots: readonly Spot[]; same: boolean },
): Promise<Buffer> {
  const { random, masked } = sources;
  const first = random.pick(masked);
  const layers = [];
  for (const [index, { left, top }] of spots.entries()) {
    const product = same ? first : masked[(masked.indexOf(first) + index) % masked.length]!;
    layers.push({ input: await cutOut(product, size), left: Math.round(left), top: Math.round(top) });
  }
  return jpeg(sharp(await background(on, sources)).composite(layers));
}

const grid = (columns: number, rows: number, size: number): Spot[] =>
  Array.from({ length: columns * rows }, (_, index) => ({
    left: ((index % columns) * (side - size)) / Math.max(1, columns - 1),
    top: (Math.floor(index / columns) * (side - size)) / Math.max(1, rows - 1),
  }));

const resized = ({ bytes }: Photo, width: number, height: number) =>
  sharp(bytes).resize(width, height, { fit: 'cover' }).png().toBuffer();

/** The part of a photo, in fractions of its sides. */
async function part({ bytes }: Photo, left: number, top: number, width: number, height: number) {
  const { data, info } = await sharp(bytes).autoOrient().png().toBuffer({ resolveWithObject: true });
  const at = (fraction: number, length: number) => Math.round(fraction * length);
  return sharp(data).extract({
    left: at(left, info.width),
    top: at(top, info.height),
    width: at(width, info.width),
    height: at(height, info.height),
  });
}

/** Text over the whole picture, as picture agencies do it. */
async function watermarked({ bytes }: Photo, random: Random): Promise<Buffer> {
  const { data, info } = await sharp(bytes).autoOrient().png().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const word = random.pick(['SAMPLE', 'shutterpix', 'PREVIEW ONLY', '© stockhouse', 'alamode']);
  const size = Math.max(width, height) / random.between(14, 22);
  const lines = [];
  for (let y = -height; y < height * 2; y += size * 3) {
    for (let x = -width; x < width * 2; x += size * word.length)
      lines.push(`<text x="${x + (y % 2) * size}" y="${y}">${word}</text>`);
  }
  const style = `font-family="sans-serif" font-weight="bold" font-size="${size}" fill="${random.pick(['#fff', '#fff', '#777'])}" fill-opacity="${0.35 + random.next() * 0.25}"`;
  const turned = `<g ${style} transform="rotate(-30 ${width / 2} ${height / 2})">${lines.join('')}</g>`;
  return jpeg(sharp(data).composite([{ input: svg(turned, width, height) }]));
}

/** A forearm from a side of the frame with fingers around the product, in a random tone of skin. */
async function held(sources: Sources): Promise<Buffer> {
  const { random, masked } = sources;
  const size = random.between(420, 560);
  const product = await cutOut(random.pick(masked), size);
  const { width = 0, height = 0 } = await sharp(product).metadata();
  const [left, top] = [Math.round((side - width) / 2), Math.round((side - height) / 2)];
  const tone = random.pick(['#e3b394', '#c98d68', '#8d5a3c', '#f0c7ab', '#6b4430']);
  const grip = top + height * (0.45 + random.next() * 0.2);
  const reach = left + width * 0.35;
  const shade = `<linearGradient id="skin" x1="0" x2="0" y1="0" y2="1"><stop stop-color="${tone}"/><stop offset="1" stop-color="${tone}" stop-opacity="0.93"/></linearGradient>`;
  const arm = `<path d="M0 ${side * 0.62} L${left + 20} ${grip - 60} L${left + 30} ${grip + 110} L0 ${side}z" fill="url(#skin)"/>`;
  const fingers = [0, 1, 2, 3].map(
    (finger) =>
      `<rect x="${left - 40}" y="${grip - 70 + finger * 42}" width="${reach - left + 40 - finger * 8}" height="38" rx="19" fill="${tone}" stroke="#0002" stroke-width="2"/>`,
  );
  const on = await background(random.pick(['greySweep', 'tiles', 'photo', 'white']), sources);
  return jpeg(
    sharp(on).composite([
      { input: svg(`<defs>${shade}</defs>${arm}`) },
      { input: product, left, top },
      { input: svg(fingers.join('')) },
    ]),
  );
}

async function glass(sources: Sources): Promise<Buffer> {
  const { random } = sources;
  const on = await background(random.pick(['wallpaper', 'cloth', 'photo']), sources);
  const outline =
    random.next() < 0.5
      ? '<path d="M330 200 h240 l-30 330 q-90 60 -180 0z"/><path d="M435 560 v180 M350 745 h200" />'
      : '<path d="M380 150 h140 v120 q90 60 90 180 v270 q-160 60 -320 0 v-270 q0 -120 90 -180z"/>';
  const glassy = `<g fill="#fff" fill-opacity="0.10" stroke="#fff" stroke-opacity="0.45" stroke-width="5">${outline}</g><path d="M400 300 q-40 120 -20 260" stroke="#fff" stroke-opacity="0.7" stroke-width="9" fill="none"/>`;
  return jpeg(sharp(on).composite([{ input: svg(glassy) }]));
}

/** A product whose colours come close to those around it. @param keep how much of its own colours stays */
async function faint(sources: Sources, level: number, keep: number): Promise<Buffer> {
  const product = await sharp(await cutOut(sources.random.pick(sources.masked), 520))
    .linear([keep, keep, keep, 1], [level, level, level, 0])
    .png()
    .toBuffer();
  const grey = { r: level + 250 * keep, g: level + 250 * keep, b: level + 250 * keep };
  const noise = { type: 'gaussian', mean: 0, sigma: 2 } as const;
  const on = await sharp({ create: { width: side, height: side, channels: 3, background: grey } })
    .composite([
      {
        input: await sharp({ create: { width: side, height: side, channels: 3, background: '#000', noise } })
          .png()
          .toBuffer(),
        blend: 'add',
      },
    ])
    .png()
    .toBuffer();
  return jpeg(sharp(on).composite([{ input: product, gravity: 'centre' }]));
}

/** A shape filled with the pattern that is around it. */
async function camouflaged(sources: Sources): Promise<Buffer> {
  const pattern = await background('wallpaper', sources);
  const filled = await sharp(pattern)
    .rotate(180)
    .composite([
      {
        input: await sharp({
          create: { width: side, height: side, channels: 4, background: '#00000000' },
        })
          .composite([{ input: await cutOut(sources.random.pick(sources.masked), 520), gravity: 'centre' }])
          .png()
          .toBuffer(),
        blend: 'dest-in',
      },
    ])
    .png()
    .toBuffer();
  return jpeg(sharp(pattern).composite([{ input: filled }]));
}

const words = (random: Random, count: number) =>
  Array.from(
    { length: count },
    () => 'lorem ipsum dolor sit amet offer basket delivery terms'.split(' ')[random.below(9)],
  ).join(' ');

function page({ random }: Sources): string {
  const lines = Array.from(
    { length: 24 },
    (_, row) =>
      `<text x="70" y="${120 + row * 32}" font-family="serif" font-size="20" fill="#222">${words(random, random.between(5, 11))}</text>`,
  );
  return `<rect width="100%" height="100%" fill="#fdfdfb"/>${lines.join('')}`;
}

async function screenshot(sources: Sources): Promise<Buffer> {
  const { random, photos } = sources;
  const bar =
    '<rect width="100%" height="100%" fill="#fff"/><rect width="100%" height="64" fill="#233"/><rect x="90" y="14" width="640" height="36" rx="18" fill="#f2f2f2"/>';
  const cards = grid(3, 2, 260).map(
    ({ left, top }) =>
      `<text x="${left}" y="${top * 0.8 + 380}" font-size="19" font-family="sans-serif">${words(random, 3)}</text><rect x="${left}" y="${top * 0.8 + 392}" width="110" height="30" rx="6" fill="#e6b31e"/>`,
  );
  const pictures = [];
  for (const { left, top } of grid(3, 2, 260)) {
    const input = await resized(random.pick(photos), 240, 240);
    pictures.push({ input, left: Math.round(left), top: Math.round(top * 0.8 + 110) });
  }
  return jpeg(sharp(svg(bar + cards.join(''))).composite(pictures));
}

async function collage({ random, photos }: Sources): Promise<Buffer> {
  const pictures = [];
  for (const { left, top } of grid(2, 2, side / 2 - 4)) {
    const input = await resized(random.pick(photos), side / 2 - 4, side / 2 - 4);
    pictures.push({ input, left: Math.round(left), top: Math.round(top) });
  }
  return jpeg(
    sharp({ create: { width: side, height: side, channels: 3, background: '#fff' } }).composite(pictures),
  );
}

/** The kinds, in the order of their tables. */
const kinds: Readonly<Record<string, Draw>> = {
  pattern: only('cloth'),
  wallpaper: only('wallpaper'),
  boards: only('boards'),
  linen: only('linen'),
  wall: only('greySweep'),
  'dark wall': only('darkSweep'),
  'counter without a product': only('tiles'),
  'table without a product': only('table'),
  shelf: (sources) => arranged(sources, { on: 'boards', size: 210, spots: grid(4, 4, 210), same: false }),
  crowd: (sources) => arranged(sources, { on: 'linen', size: 230, spots: grid(4, 3, 230), same: true }),
  several: (sources) =>
    arranged(sources, {
      on: 'table',
      size: 280,
      spots: grid(3, 1, 280).map(({ left }) => ({ left, top: 360 })),
      same: false,
    }),
  heap: (sources) =>
    arranged(sources, {
      on: 'cloth',
      size: 330,
      spots: Array.from({ length: 14 }, () => ({
        left: sources.random.below(570),
        top: sources.random.below(570),
      })),
      same: false,
    }),
  tiny: (sources) =>
    arranged(sources, { on: 'linen', size: 46, spots: [{ left: 430, top: 420 }], same: true }),
  'cut off on two sides': async ({ random, masked }) => {
    const photo = random.pick(masked);
    const left = random.next() < 0.5 ? 0 : 0.5;
    return jpeg(await part(photo, left, random.next() < 0.5 ? 0 : 0.5, 0.5, 0.5));
  },
  'detail of a product': async ({ random, masked }) =>
    jpeg(await part(random.pick(masked), 0.42, 0.44, 0.16, 0.16)),
  'background of a photo': async ({ random, photos }) => {
    const corner = random.next() < 0.5 ? 0 : 0.72;
    return jpeg(await part(random.pick(photos), corner, 0, 0.28, 0.28));
  },
  'held in a hand': held,
  watermark: ({ random, photos }) => watermarked(random.pick(photos), random),
  'glass on a busy background': glass,
  'white on white': (sources) => faint(sources, 236, 0.06),
  'black on black': (sources) => faint(sources, 2, 0.05),
  camouflage: camouflaged,
  collage,
  screenshot,
  'page of text': (sources) => drawn(page(sources)),
};

/** Pictures of every kind. @param each how many of a kind */
export async function* unusablePictures(sources: Sources, each: number): AsyncGenerator<UnusablePicture> {
  for (const [kind, draw] of Object.entries(kinds)) {
    for (let turn = 0; turn < each; turn += 1) yield { kind, picture: await draw(sources) };
  }
}
