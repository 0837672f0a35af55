/** What makes another product of a product: other text, colour or lightness, a part less or more. */
import sharp from 'sharp';
import type { Random } from '#tests/campaigns/bench/cutout/backgrounds.ts';
import { between, oneOf, svg } from './pictures.ts';
import type { Cut } from './products.ts';

/** A rectangle in pixels. */
interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The photo with something printed on the product, and the photo with something else or nothing there. */
export interface PrintedPhotos {
  photo: Buffer;
  changed: Buffer;
}

/**
 * Prints on the product of a photo.
 * @param mask white where the product is; @param printed what the photo gets; @param changed what the image gets instead
 * @param share width of the print, as a fraction of the product's longer side; @param ratio its width by its height
 */
export async function printOn(
  random: Random,
  photo: Buffer,
  mask: Buffer,
  { printed, changed, share, ratio }: { printed: Print; changed: Print | null; share: number; ratio: number },
): Promise<PrintedPhotos | null> {
  const place = await calmPlace(random, photo, mask, share, ratio);
  if (place === null) return null;
  const { box, isLight } = place;
  const draw = (print: Print) =>
    sharp(photo)
      .composite([{ input: svg(box.width, box.height, print(box, isLight)), left: box.left, top: box.top }])
      .png()
      .toBuffer();
  return { photo: await draw(printed), changed: changed === null ? photo : await draw(changed) };
}

type Print = (box: Box, isLight: boolean) => string;

/** A line of text, as wide as its place. */
export const text =
  (words: string): Print =>
  ({ height }, isLight) =>
    `<text x="50%" y="80%" text-anchor="middle" font-family="Liberation Sans, sans-serif" ` +
    `font-size="${height * 0.9}" fill="${isLight ? '#262626' : '#f0f0f0'}">${words}</text>`;

/** A badge of two colours. */
export const badge: Print = ({ width, height }, isLight) =>
  `<ellipse cx="50%" cy="50%" rx="${width * 0.48}" ry="${height * 0.48}" fill="${isLight ? '#2b4c7e' : '#f1e9d2'}"/>` +
  `<path d="M${width * 0.28} ${height * 0.7} L${width * 0.5} ${height * 0.2} L${width * 0.72} ${height * 0.7} Z" fill="${isLight ? '#f4d35e' : '#b23a48'}"/>`;

/** Where a print fits on the product, away from its outline: of some places by chance the one with the least detail. */
async function calmPlace(random: Random, photo: Buffer, mask: Buffer, share: number, ratio: number) {
  const { data: grey, info } = await sharp(photo)
    .removeAlpha()
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const inside = await sharp(mask)
    .extractChannel(0)
    .resize(info.width, info.height, { fit: 'fill' })
    .raw()
    .toBuffer();
  const whole = boxOf(inside, info.width);
  const width = Math.round(share * Math.max(whole.width, whole.height));
  const height = Math.round(width / ratio);
  let best: { box: Box; isLight: boolean; detail: number } | null = null;
  for (let attempt = 0; attempt < 150; attempt += 1) {
    const left = whole.left + Math.floor(random() * Math.max(1, whole.width - width));
    const top = whole.top + Math.floor(random() * Math.max(1, whole.height - height));
    let [count, sum, squares] = [0, 0, 0];
    let isInside = left + width < info.width && top + height < info.height;
    for (let y = top; isInside && y < top + height; y += 2) {
      for (let x = left; x < left + width; x += 2) {
        const value = grey[y * info.width + x]!;
        if (inside[y * info.width + x]! < 250) isInside = false;
        count += 1;
        sum += value;
        squares += value * value;
      }
    }
    if (!isInside) continue;
    const mean = sum / count;
    const detail = squares / count - mean * mean;
    if (best === null || detail < best.detail) {
      best = { box: { left, top, width, height }, isLight: mean > 105, detail };
    }
  }
  return best;
}

function boxOf(inside: Buffer, width: number): Box {
  let [left, top, right, bottom] = [width, Number.MAX_SAFE_INTEGER, 0, 0];
  for (let index = 0; index < inside.length; index += 1) {
    if (inside[index]! < 128) continue;
    const [x, y] = [index % width, Math.floor(index / width)];
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return { left, top, width: right - left + 1, height: bottom - top + 1 };
}

/** The product with its hue turned, and tinted: grey things change their colour as well. */
export async function turnHue(
  { data, width, height }: Cut,
  degrees: number,
  tint: readonly number[],
): Promise<Cut> {
  const alpha = await sharp(data, { raw: { width, height, channels: 4 } })
    .extractChannel(3)
    .raw()
    .toBuffer();
  const colours = await sharp(data, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .modulate({ hue: degrees })
    .linear([...tint], [0, 0, 0])
    .raw()
    .toBuffer();
  return { data: joined(colours, alpha), width, height };
}

function joined(colours: Buffer, alpha: Buffer): Buffer {
  const data = Buffer.alloc(alpha.length * 4);
  for (let pixel = 0; pixel < alpha.length; pixel += 1) {
    colours.copy(data, pixel * 4, pixel * 3, pixel * 3 + 3);
    data[pixel * 4 + 3] = alpha[pixel]!;
  }
  return data;
}

/** Pastel: the same shades around another hue, without a change of what is grey. */
export const turnPastel = (cut: Cut) => turnHue(softened(cut), 120, [1, 1, 1]);

/** The product in pale colours, as pastel goods have them. */
export function softened({ data, width, height }: Cut): Cut {
  return {
    data: mapped(data, (value, channel) => 150 + value * 0.35 + [14, 0, -4][channel]!),
    width,
    height,
  };
}

/** Dark products become grey, others much darker. */
export function changeLightness({ data, width, height }: Cut): Cut {
  const isDark = meanOf(data) < 100;
  return { data: mapped(data, (value) => (isDark ? 70 + value * 0.62 : value * 0.5)), width, height };
}

function mapped(data: Buffer, change: (value: number, channel: number) => number): Buffer {
  const result = Buffer.from(data);
  for (let index = 0; index < data.length; index += 1) {
    if (index % 4 === 3) continue;
    result[index] = Math.min(255, Math.max(0, Math.round(change(data[index]!, index % 4))));
  }
  return result;
}

function meanOf(data: Buffer): number {
  let [sum, count] = [0, 0];
  for (let index = 0; index < data.length; index += 4) {
    if (data[index + 3]! < 128) continue;
    sum += (data[index]! + data[index + 1]! + data[index + 2]!) / 3;
    count += 1;
  }
  return sum / count;
}

/** The product without 4 to 8 % of it, at one end. */
export function removePart(random: Random, { data, width, height }: Cut): Cut {
  const angle = between(random, 0, 2 * Math.PI);
  const [across, down] = [Math.cos(angle), Math.sin(angle)];
  const depths: number[] = [];
  for (let index = 0; index < width * height; index += 1) {
    if (data[index * 4 + 3]! > 127) depths.push((index % width) * across + Math.floor(index / width) * down);
  }
  const limit = depths.toSorted((one, other) => other - one)[
    Math.floor(depths.length * between(random, 0.04, 0.08))
  ]!;
  const left = Buffer.from(data);
  for (let index = 0; index < width * height; index += 1) {
    if ((index % width) * across + Math.floor(index / width) * down > limit) left[index * 4 + 3] = 0;
  }
  return { data: left, width, height };
}

/** The product with a leaf or a finger over its outline. */
export async function addPart(random: Random, cut: Cut): Promise<Cut> {
  const { data, width, height } = cut;
  const margin = Math.round(Math.max(width, height) * 0.15);
  const outline: number[] = [];
  for (let index = width; index < width * height; index += 1) {
    // In the middle of the edge: that of a soft mask is several pixels wide.
    if (data[index * 4 + 3]! >= 128 && (data[(index - 1) * 4 + 3]! < 128 || index % width === 0))
      outline.push(index);
  }
  const at = oneOf(random, outline);
  const [x, y] = [(at % width) + margin, Math.floor(at / width) + margin];
  const long = Math.max(width, height) * between(random, 0.13, 0.18);
  const angle = between(random, -50, 50);
  const leaf =
    `<path d="M${-long} 0 Q0 ${-long * 0.75} ${long} 0 Q0 ${long * 0.75} ${-long} 0 Z" fill="#3f7d33"/>` +
    `<path d="M${-long} 0 L${long} 0" stroke="#8db580" stroke-width="${long * 0.05}"/>`;
  const finger =
    `<rect x="${-long * 1.2}" y="${-long * 0.3}" width="${long * 2}" height="${long * 0.6}" rx="${long * 0.3}" fill="#d9a384"/>` +
    `<rect x="${long * 0.45}" y="${-long * 0.2}" width="${long * 0.3}" height="${long * 0.4}" rx="${long * 0.12}" fill="#ecc7b3"/>`;
  const drawn = `<g transform="translate(${x} ${y}) rotate(${angle})">${random() < 0.5 ? leaf : finger}</g>`;
  const [fullWidth, fullHeight] = [width + 2 * margin, height + 2 * margin];
  const full = await sharp(data, { raw: { width, height, channels: 4 } })
    .extend({
      top: margin,
      bottom: margin,
      left: margin,
      right: margin,
      background: { r: 0, g: 0, b: 0, alpha: 0 },
    })
    .png()
    .toBuffer();
  const added = await sharp(full)
    .composite([{ input: svg(fullWidth, fullHeight, drawn) }])
    .raw()
    .toBuffer();
  return { data: added, width: fullWidth, height: fullHeight };
}

/** Mean difference of a product and its mirror image, in steps of 255: what is symmetrical cannot be seen to be mirrored. */
export function asymmetry({ data, width, height }: Cut): number {
  let [sum, count] = [0, 0];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width / 2; x += 1) {
      const [here, there] = [(y * width + x) * 4, (y * width + width - 1 - x) * 4];
      if (data[here + 3]! < 128 && data[there + 3]! < 128) continue;
      count += 1;
      if (data[here + 3]! < 128 || data[there + 3]! < 128) sum += 120;
      else
        for (let channel = 0; channel < 3; channel += 1)
          sum += Math.abs(data[here + channel]! - data[there + channel]!) / 3;
    }
  }
  return sum / count;
}
