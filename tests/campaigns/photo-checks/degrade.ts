/** Makes photos worse, as cameras, hands and programs do it. */
import sharp from 'sharp';
import type { PhotoWarning } from '#contract';
import { createRandom, type Random } from '#tests/campaigns/bench/cutout/backgrounds.ts';

/** Pixels of a photo: RGB, eight bits. */
export interface Picture {
  data: Uint8Array;
  width: number;
  height: number;
}

/** What is done to a photo, and the warning that it deserves then; null where it stays good enough. */
interface Degradation {
  warning: Exclude<PhotoWarning, 'small'> | null;
  apply: (picture: Picture, random: Random) => Picture | Promise<Picture>;
  /** Quality of the JPEG that the photo is stored as; 92 unless given. */
  quality?: number;
}

/** Noise of a sensor, standard deviation in values of 0 to 255. */
const darkNoise = 3;

export const degradations: Readonly<Record<string, Degradation>> = {
  'as it is': { warning: null, apply: (picture) => picture },
  'JPEG of quality 20': { warning: null, apply: (picture) => picture, quality: 20 },
  'noise 6': { warning: null, apply: (picture, random) => addNoise(picture, 6, random) },
  'blur 2 px': { warning: 'blurry', apply: (picture) => blur(picture, 2) },
  'blur 2 px of 1,024': { warning: 'blurry', apply: (picture) => blur(picture, 2 * usedScale(picture)) },
  'blur 4 px': { warning: 'blurry', apply: (picture) => blur(picture, 4) },
  'blur 8 px': { warning: 'blurry', apply: (picture) => blur(picture, 8) },
  'blur 4 px, noise 6': {
    warning: 'blurry',
    apply: async (picture, random) => addNoise(await blur(picture, 4), 6, random),
  },
  'motion 9 to 15 px': { warning: 'blurry', apply: (picture, random) => shake(picture, 9, 15, random) },
  'motion 16 to 25 px': { warning: 'blurry', apply: (picture, random) => shake(picture, 16, 25, random) },
  'enlarged × 4': { warning: 'blurry', apply: enlarge },
  'dark by 2 stops': { warning: 'dark', apply: (picture, random) => darken(picture, 2, random) },
  'dark by 3 stops': { warning: 'dark', apply: (picture, random) => darken(picture, 3, random) },
  'dark by 4 stops': { warning: 'dark', apply: (picture, random) => darken(picture, 4, random) },
  'bright by 1.5 stops': { warning: 'bright', apply: (picture) => expose(picture, 1.5) },
  'bright by 2 stops': { warning: 'bright', apply: (picture) => expose(picture, 2) },
  'bright by 3 stops': { warning: 'bright', apply: (picture) => expose(picture, 3) },
};

/** A photo after a degradation, as the JPEG that a seller uploads. The same seed gives the same file. */
export async function degradedJpeg(
  picture: Picture,
  { apply, quality = 92 }: Degradation,
  seed: number,
): Promise<Buffer> {
  return encode(await apply(picture, createRandom(seed)), quality);
}

/** @param file path or bytes of a photo; what is transparent becomes white */
export async function readPicture(file: string | Buffer): Promise<Picture> {
  const { data, info } = await sharp(file)
    .rotate()
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

const toSharp = ({ data, width, height }: Picture) => sharp(data, { raw: { width, height, channels: 3 } });

const encode = (picture: Picture, quality: number) => toSharp(picture).jpeg({ quality }).toBuffer();

/** How many pixels of a photo become one at the size at which it is used: images have about 1,024 pixels per side. */
const usedScale = ({ width, height }: Picture) => Math.max(1, Math.max(width, height) / 1_024);

async function blur(picture: Picture, sigma: number): Promise<Picture> {
  return { ...picture, data: await toSharp(picture).blur(sigma).raw().toBuffer() };
}

/** Reduced to a quarter of its sides and enlarged again. */
async function enlarge(picture: Picture, random: Random): Promise<Picture> {
  const { width, height } = picture;
  const kernel = random() < 0.5 ? 'cubic' : 'lanczos3';
  const reduced = await toSharp(picture)
    .resize(Math.round(width / 4), Math.round(height / 4), { fit: 'fill', kernel })
    .png()
    .toBuffer();
  return {
    ...picture,
    data: await sharp(reduced).resize(width, height, { fit: 'fill', kernel }).raw().toBuffer(),
  };
}

/** A camera that moves along a line while the shutter is open. */
function shake(picture: Picture, least: number, most: number, random: Random): Picture {
  const length = least + (most - least) * random();
  const angle = Math.PI * random();
  const { data, width, height } = picture;
  const cells = lineCells(length, angle);
  const shaken = new Uint8Array(data.length);
  const clamp = (value: number, size: number) => Math.max(0, Math.min(size - 1, value));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      let [red, green, blue] = [0.5, 0.5, 0.5];
      for (const { right, down, weight } of cells) {
        const from = (clamp(y + down, height) * width + clamp(x + right, width)) * 3;
        red += weight * data[from]!;
        green += weight * data[from + 1]!;
        blue += weight * data[from + 2]!;
      }
      const at = (y * width + x) * 3;
      shaken[at] = red;
      shaken[at + 1] = green;
      shaken[at + 2] = blue;
    }
  }
  return { data: shaken, width, height };
}

/** The pixels that a line through the middle of one covers, each with its share of the line. */
function lineCells(length: number, angle: number) {
  const weights = new Map<string, { right: number; down: number; weight: number }>();
  const steps = Math.ceil(length * 4);
  for (let step = 0; step <= steps; step += 1) {
    const along = (step / steps - 0.5) * length;
    const right = Math.round(along * Math.cos(angle));
    const down = Math.round(along * Math.sin(angle));
    const cell = weights.get(`${right} ${down}`) ?? { right, down, weight: 0 };
    cell.weight += 1 / (steps + 1);
    weights.set(`${right} ${down}`, cell);
  }
  return [...weights.values()];
}

/** Less light, with the noise that remains. */
const darken = (picture: Picture, stops: number, random: Random) =>
  addNoise(expose(picture, -stops), darkNoise, random);

/** More or less light: values are multiplied in linear light and clipped. */
function expose(picture: Picture, stops: number): Picture {
  const table = Uint8Array.from({ length: 256 }, (_, value) => {
    const light = value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
    const exposed = Math.min(1, light * 2 ** stops);
    const encoded = exposed <= 0.003_130_8 ? exposed * 12.92 : 1.055 * exposed ** (1 / 2.4) - 0.055;
    return Math.round(encoded * 255);
  });
  return { ...picture, data: picture.data.map((value) => table[value]!) };
}

/** @param deviation standard deviation, in values of 0 to 255 */
export function addNoise(picture: Picture, deviation: number, random: Random): Picture {
  const data = new Uint8ClampedArray(picture.data);
  for (let at = 0; at < data.length; at += 2) {
    const radius = deviation * Math.sqrt(-2 * Math.log(1 - random()));
    const angle = 2 * Math.PI * random();
    data[at] = data[at]! + radius * Math.cos(angle);
    data[at + 1] = data[at + 1]! + radius * Math.sin(angle);
  }
  return { ...picture, data: new Uint8Array(data.buffer) };
}
