/** Makes the pictures that product match has to tell apart: a product in another picture, with another label or colour. */
import sharp from 'sharp';
import type { Random } from '#tests/campaigns/bench/cutout/backgrounds.ts';
import type { Place } from './samples.ts';

/** Width and height of a picture, in pixels. */
const side = 1_024;
const transparent = { r: 0, g: 0, b: 0, alpha: 0 };
const colours = ['#e8e2d8', '#9fb4c0', '#5b4636', '#f4f4f4', '#2e3a34'] as const;
const words = ['VELORA', 'Kinsa 42', 'Mist and Co', 'Nordic', 'Bruma', 'Tarn No. 3'] as const;
/** Factors for red, green and blue, so that grey products change their colour as well. */
export const tints: readonly (readonly [number, number, number])[] = [
  [1.25, 0.85, 0.75],
  [0.75, 1.1, 1.2],
  [0.8, 1.2, 0.8],
  [1.15, 0.8, 1.2],
];

/** A number between two others. */
export const between = (random: Random, least: number, most: number) => least + (most - least) * random();

/** One of several, each as likely. */
export function oneOf<Item>(random: Random, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)]!;
}

/** An SVG of a size in pixels. */
export const svg = (width: number, height: number, content: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`);

/**
 * A product moved, scaled (45 to 80 % of the picture), turned by up to 8° and relit, in front of a drawn background.
 * @param photo encoded; @param mask white where the product is; @returns PNG, 1024 × 1024
 */
export async function moveProduct(random: Random, photo: Buffer, mask: Buffer): Promise<Buffer> {
  const product = await relight(random, await cutOutByMask(photo, mask));
  const turned = await sharp(product)
    .rotate(between(random, -8, 8), { background: transparent })
    .png()
    .toBuffer();
  const longest = Math.round(between(random, 0.45, 0.8) * side);
  const { data, info } = await sharp(turned)
    .resize(longest, longest, { fit: 'inside' })
    .png()
    .toBuffer({ resolveWithObject: true });
  const left = Math.round(between(random, 0.05, 0.95) * (side - info.width));
  const top = Math.round(between(random, 0.3, 0.95) * (side - info.height));
  return sharp(drawBackground(random))
    .composite([{ input: data, left, top }])
    .png()
    .toBuffer();
}

/** The product of a photo by its mask with a transparent background, as a PNG cropped to what is visible. */
export async function cutOutByMask(photo: Buffer, mask: Buffer): Promise<Buffer> {
  const { data, info } = await sharp(photo).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const alpha = await sharp(mask).extractChannel(0).resize(width, height, { fit: 'fill' }).raw().toBuffer();
  const cut = await sharp(data, { raw: { width, height, channels: 3 } })
    .joinChannel(alpha, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer();
  return sharp(cut).trim({ background: transparent, threshold: 1 }).png().toBuffer();
}

/** Up to 25 % brighter or darker, up to 8 % warmer or cooler, and shaded from one side to the other. */
async function relight(random: Random, product: Buffer): Promise<Buffer> {
  const brightness = between(random, 0.75, 1.25);
  const warmth = between(random, -0.08, 0.08);
  const factors = [brightness * (1 + warmth), brightness, brightness * (1 - warmth), 1];
  const { data, info } = await sharp(product)
    .linear(factors, [0, 0, 0, 0])
    .png()
    .toBuffer({ resolveWithObject: true });
  const [from, to] = random() < 0.5 ? [1, 0] : [0, 1];
  const shade = svg(
    info.width,
    info.height,
    `<defs><linearGradient id="shade" x1="${from}" x2="${to}"><stop stop-color="#fff" stop-opacity="0.18"/>` +
      '<stop offset="0.5" stop-opacity="0"/><stop offset="1" stop-opacity="0.3"/></linearGradient></defs>' +
      '<rect width="100%" height="100%" fill="url(#shade)"/>',
  );
  return sharp(data)
    .composite([{ input: shade, blend: 'atop' }])
    .png()
    .toBuffer();
}

/** A wall with spots, and a table. */
function drawBackground(random: Random): Buffer {
  const [wall, table] = [oneOf(random, colours), oneOf(random, colours)];
  const edge = between(random, 0.5, 0.75) * side;
  const spots = Array.from({ length: 6 }, () => {
    const [x, y] = [between(random, 0, side), between(random, 0, edge)];
    const radius = between(random, 10, 60);
    return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${oneOf(random, colours)}" opacity="0.6"/>`;
  });
  return svg(
    side,
    side,
    `<defs><linearGradient id="wall" x2="1" y2="1"><stop stop-color="${wall}"/><stop offset="1" stop-color="${table}"/>` +
      `</linearGradient></defs><rect width="100%" height="100%" fill="url(#wall)"/>${spots.join('')}` +
      `<rect y="${edge}" width="100%" height="${side - edge}" fill="${table}"/>`,
  );
}

/** The photo with another word on the product's label. @returns PNG */
export async function changeLabel(random: Random, photo: Buffer, label: Place): Promise<Buffer> {
  const { width, height } = await sharp(photo).metadata();
  const box = {
    left: Math.round(label.left * width),
    top: Math.round(label.top * height),
    width: Math.round(label.width * width),
    height: Math.round(label.height * height),
  };
  const old = sharp(photo).extract(box);
  const { channels } = await old.clone().stats();
  const ink = channels[0]!.mean > 110 ? '#222' : '#eee';
  const word = oneOf(random, words);
  const size = Math.min(box.height * 0.7, box.width / (word.length * 0.62));
  const text = svg(
    box.width,
    box.height,
    `<text x="50%" y="72%" text-anchor="middle" font-family="Liberation Sans, sans-serif" font-weight="bold" ` +
      `font-size="${size}" fill="${ink}">${word}</text>`,
  );
  const { left, top } = box;
  return sharp(photo)
    .composite([
      { input: await old.blur(14).toBuffer(), left, top },
      { input: text, left, top },
    ])
    .png()
    .toBuffer();
}

/** The photo with its hue turned by 60° to 300°, and tinted. @returns PNG */
export async function changeColour(random: Random, photo: Buffer): Promise<Buffer> {
  const hue = Math.round(between(random, 60, 300));
  const turned = await sharp(photo).removeAlpha().modulate({ hue }).png().toBuffer();
  return sharp(turned)
    .linear([...oneOf(random, tints)], [0, 0, 0])
    .png()
    .toBuffer();
}
