/**
 * The cases of the cutout benchmark: the sample photos with their true masks, and their products on other
 * backgrounds.
 */
import { readdirSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { gaussianBlur } from '#shared/cutout/box-blur.ts';
import type { Mask } from '#shared/cutout/pixels.ts';
import { backgroundNames, createRandom, drawBackground, type Random } from './backgrounds.ts';
import { drawnProducts } from './drawn-products.ts';

/** A photo to cut out and the expected mask, at the photo's size. */
export interface CutoutCase {
  name: string;
  photo: Buffer;
  truth: Mask;
}

const folder = new URL('../../../../scripts/local/photos/', import.meta.url);
const backgroundsPerProduct = 4;
const sizes = [
  [1200, 900],
  [900, 1200],
  [1600, 1200],
  [1000, 1000],
] as const;

/** A product in RGBA, not premultiplied; its edge pixels have the product's own colour. */
interface Product {
  name: string;
  width: number;
  height: number;
  data: Buffer;
  colour: [number, number, number];
}

/**
 * Yields the sample photos, then sample and drawn products on four other backgrounds each; the same for the same
 * seed.
 */
export async function* cutoutCases(seed: number): AsyncGenerator<CutoutCase> {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.jpg'))
    .map((file) => file.slice(0, -4))
    .sort();
  for (const name of names) yield await sampleCase(name);
  const random = createRandom(seed);
  const products = [...names, ...Object.keys(drawnProducts)];
  for (const [productIndex, name] of products.entries()) {
    const product = name in drawnProducts ? await rasterise(name) : await loadProduct(name);
    for (let turn = 0; turn < backgroundsPerProduct; turn += 1) {
      const background =
        backgroundNames[(productIndex * backgroundsPerProduct + turn) % backgroundNames.length]!;
      const other = readFileSync(new URL(`${names[(productIndex + turn + 1) % names.length]}.jpg`, folder));
      yield await compositeCase(product, background, other, random);
    }
  }
}

/** An unchanged sample photo. @param name of a file in scripts/local/photos, without its extension */
async function sampleCase(name: string): Promise<CutoutCase> {
  const { data, info } = await sharp(readFileSync(new URL(`masks/${name}.png`, folder)))
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true });
  return {
    name,
    photo: readFileSync(new URL(`${name}.jpg`, folder)),
    truth: { width: info.width, height: info.height, data: new Uint8Array(data) },
  };
}

async function loadProduct(name: string): Promise<Product> {
  const { photo, truth } = await sampleCase(name);
  const { width, height } = truth;
  const rgb = await sharp(photo).removeAlpha().raw().toBuffer();
  // Edge pixels are mixed with the sample's own background, so they get the colour of the product next to them.
  const inner = Float32Array.from(truth.data, (value) => (value === 255 ? 1 : 1e-6));
  const weights = gaussianBlur(inner, width, height, 2);
  const data = Buffer.alloc(width * height * 4);
  const colour: [number, number, number] = [0, 0, 0];
  const count = truth.data.reduce((sum, value) => sum + (value === 255 ? 1 : 0), 0);
  for (let channel = 0; channel < 3; channel += 1) {
    const spread = gaussianBlur(
      inner.map((weight, index) => weight * rgb[index * 3 + channel]!),
      width,
      height,
      2,
    );
    for (let index = 0; index < truth.data.length; index += 1) {
      const own = rgb[index * 3 + channel]!;
      const opaque = truth.data[index] === 255;
      data[index * 4 + channel] = opaque ? own : Math.min(255, Math.max(0, spread[index]! / weights[index]!));
      if (opaque) colour[channel]! += own / count;
    }
  }
  truth.data.forEach((value, index) => {
    data[index * 4 + 3] = value;
  });
  return { name, width, height, data, colour };
}

async function rasterise(name: string): Promise<Product> {
  const { data, info } = await sharp(Buffer.from(drawnProducts[name]!))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const colour: Product['colour'] = [0, 0, 0];
  let count = 0;
  for (let index = 0; index < data.length; index += 4) {
    if (data[index + 3] !== 255) continue;
    count += 1;
    for (let channel = 0; channel < 3; channel += 1) colour[channel]! += data[index + channel]!;
  }
  return {
    name: `drawn ${name}`,
    width: info.width,
    height: info.height,
    data,
    colour: [colour[0] / count, colour[1] / count, colour[2] / count],
  };
}

async function compositeCase(
  product: Product,
  background: string,
  otherPhoto: Buffer,
  random: Random,
): Promise<CutoutCase> {
  const [width, height] = sizes[Math.floor(random() * sizes.length)]!;
  const gain = 0.88 + random() * 0.2;
  const warmth = (random() - 0.5) * 0.12;
  const image = await sharp(product.data, {
    raw: { width: product.width, height: product.height, channels: 4 },
  })
    .trim({ background: { r: 0, g: 0, b: 0, alpha: 0 }, threshold: 0 })
    .rotate((random() - 0.5) * 10, { background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .linear([gain * (1 + warmth), gain, gain * (1 - warmth), 1], [0, 0, 0, 0])
    .png()
    .toBuffer();
  const share = 0.4 + random() * 0.4;
  const placed = await sharp(image)
    .resize(Math.round(width * share), Math.round(height * share), { fit: 'inside' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width: across, height: down } = placed.info;
  const left = Math.round((width - across) * (0.35 + random() * 0.3));
  const top = Math.round((height - down) * (0.35 + random() * 0.35));
  const photo = await drawBackground(background, {
    width,
    height,
    random,
    productColour: product.colour,
    otherPhoto,
  });
  const shadow = await drawShadow(width, height, left + across / 2, top + down, across * 0.5, random);
  const placement = { data: placed.data, left, top, across, down };
  const truth = blend(photo, { width, height, data: shadow }, placement);
  const bytes = await sharp(photo, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 82 })
    .toBuffer();
  return { name: `${product.name} / ${background}`, photo: bytes, truth };
}

/** A product's RGBA pixels and their position in the photo. */
interface Placement {
  data: Buffer;
  left: number;
  top: number;
  across: number;
  down: number;
}

/** Draws a shadow and a product into an RGB photo. @returns the product's mask */
function blend(photo: Buffer, shadow: Mask, { data, left, top, across, down }: Placement): Mask {
  const { width, height } = shadow;
  const truth: Mask = { width, height, data: new Uint8Array(width * height) };
  for (let index = 0; index < truth.data.length; index += 1) {
    const x = (index % width) - left;
    const y = Math.floor(index / width) - top;
    const inside = x >= 0 && y >= 0 && x < across && y < down;
    const from = (y * across + x) * 4;
    const alpha = inside ? data[from + 3]! : 0;
    truth.data[index] = alpha;
    for (let channel = 0; channel < 3; channel += 1) {
      const behind = photo[index * 3 + channel]! * (1 - shadow.data[index]! / 255);
      const own = inside ? data[from + channel]! : 0;
      photo[index * 3 + channel] = Math.round(behind + ((own - behind) * alpha) / 255);
    }
  }
  return truth;
}

/** The darkness, 0–255, of a soft contact shadow under a product at a position. */
async function drawShadow(
  width: number,
  height: number,
  x: number,
  y: number,
  radius: number,
  random: Random,
): Promise<Buffer> {
  const strength = 0.25 + random() * 0.35;
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}"/>` +
    `<filter id="soft" x="-50%" y="-200%" width="200%" height="500%"><feGaussianBlur stdDeviation="${radius * 0.08}"/></filter>` +
    `<ellipse cx="${x + radius * (random() - 0.5) * 0.5}" cy="${y - radius * 0.08}" rx="${radius}" ry="${radius * 0.18}" fill="white" opacity="${strength}" filter="url(#soft)"/></svg>`;
  return sharp(Buffer.from(svg)).extractChannel(0).raw().toBuffer();
}
