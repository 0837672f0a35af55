import { labelRegions } from '#shared/cutout/regions.ts';
import { findSmallSaliency, loadSaliency } from '#shared/cutout/saliency.ts';
import { sharp } from '#shared/platform/sharp.ts';
import type { Box } from './geometry.ts';

/** RGB pixels. */
export interface Pixels {
  data: Buffer;
  width: number;
  height: number;
}

/** The product of a photo, cut out to its box and a margin. */
export interface ProductPhoto extends Pixels {
  /** 255 where the product is, one value for each pixel. */
  mask: Buffer;
  /** Where this is in the photo, in fractions of it. */
  box: Box;
  /** Pixels of the photo for one of these: below 1, its details are coarser than its pixels. */
  detail: number;
}

/** Side of the model's input: 320 would take twice the time, and the outlines do not need it. */
const maskSide = 224;
/** The longer side of the product, with its margin, in pixels. */
const productSide = 480;
/** The longer side of a photo before the product is cut out: a product that fills a third of it keeps its sharpness. */
const photoSide = 1_024;
/** Around the product's box, as a fraction of its sides: features at its outline need some of what is around them. */
const margin = 0.08;
/** Saliency from which a pixel belongs to the product, of 255. */
const salient = 128;
/** Fractions of the photo that a product covers; with less or more, the model has not found one. */
const [leastArea, mostArea] = [0.01, 0.95];

/** Reads an image to RGB, with a transparent background made grey, at most `side` pixels wide and high. */
export async function readPixels(image: Buffer, side: number): Promise<Pixels> {
  const { data, info } = await sharp(image)
    .flatten({ background: '#808080' })
    .toColourspace('srgb')
    .resize(side, side, { fit: 'inside', withoutEnlargement: true, fastShrinkOnLoad: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** Loads the model. It keeps its memory: the process compares one photo after another. */
export async function loadMask(): Promise<void> {
  await loadSaliency({ keepsMemory: true, side: maskSide });
}

/** What is remembered of a photo: how salient each part of it is, one value for each place of the model's input. */
export interface PhotoCutout {
  saliency: Buffer;
}

/** Cuts a photo out: this takes most of the time. */
export async function cutOut(photo: Buffer): Promise<PhotoCutout> {
  return { saliency: await saliencyOf(await readPixels(photo, photoSide)) };
}

/** The cutout as a file. */
export async function encodeCutout({ saliency }: PhotoCutout): Promise<Buffer> {
  return sharp(saliency, { raw: { width: maskSide, height: maskSide, channels: 1 } })
    .toColourspace('b-w')
    .png()
    .toBuffer();
}

/** @throws when the file is not one of `encodeCutout` */
export async function decodeCutout(file: Uint8Array): Promise<PhotoCutout> {
  const { data, info } = await sharp(file).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  if (info.width !== maskSide || info.height !== maskSide || info.channels !== 1)
    throw new Error(`a cutout of ${info.width} × ${info.height} pixels with ${info.channels} channels`);
  return { saliency: data };
}

/** Finds the product in a photo. @param cutout of it, if it is known @returns null if there is none */
export async function findProduct(photo: Buffer, cutout?: PhotoCutout): Promise<ProductPhoto | null> {
  const pixels = await readPixels(photo, photoSide);
  const { saliency } = cutout ?? { saliency: await saliencyOf(pixels) };
  const found = salientBox(saliency);
  if (found === null) return null;
  const box = {
    left: Math.floor((found.left / maskSide) * pixels.width),
    top: Math.floor((found.top / maskSide) * pixels.height),
    width: Math.max(1, Math.floor((found.width / maskSide) * pixels.width)),
    height: Math.max(1, Math.floor((found.height / maskSide) * pixels.height)),
  };
  const scale = productSide / Math.max(box.width, box.height);
  const width = Math.max(1, Math.round(box.width * scale));
  const height = Math.max(1, Math.round(box.height * scale));
  const [data, mask] = await Promise.all([
    sharp(pixels.data, { raw: { width: pixels.width, height: pixels.height, channels: 3 } })
      .extract(box)
      .resize(width, height, { fit: 'fill' })
      .raw()
      .toBuffer(),
    sharp(saliency, { raw: { width: maskSide, height: maskSide, channels: 1 } })
      .extract(found)
      .resize(width, height, { fit: 'fill' })
      .threshold(salient)
      .toColourspace('b-w')
      .raw()
      .toBuffer(),
  ]);
  return {
    data,
    width,
    height,
    mask,
    box: {
      x: box.left / pixels.width,
      y: box.top / pixels.height,
      width: box.width / pixels.width,
      height: box.height / pixels.height,
    },
    detail: 1 / scale,
  };
}

/** What stands out in an image, 255 most. */
export async function findOutline(image: Pixels): Promise<{ data: Buffer; width: number; height: number }> {
  const scale = maskSide / Math.max(image.width, image.height);
  const width = Math.max(1, Math.round(image.width * scale));
  const height = Math.max(1, Math.round(image.height * scale));
  const data = await sharp(await saliencyOf(image), {
    raw: { width: maskSide, height: maskSide, channels: 1 },
  })
    .resize(width, height, { fit: 'fill' })
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  return { data, width, height };
}

/** How salient each pixel is: values from 0 to 255, row by row, stretched over the photo. */
async function saliencyOf(pixels: Pixels): Promise<Buffer> {
  await loadMask();
  const { data } = await findSmallSaliency(pixels, maskSide);
  const saliency = Buffer.from(data.map((value) => value * 255));
  return withoutSmallParts(saliency);
}

/** Parts of what stands out that are smaller than this, as a fraction of the largest one, are something else: a picture behind. */
const leastPart = 0.15;

/** Removes salient parts that are not connected with the product. */
function withoutSmallParts(saliency: Buffer): Buffer {
  const inside = new Uint8Array(saliency.length);
  for (let at = 0; at < inside.length; at += 1) inside[at] = saliency[at]! >= salient ? 1 : 0;
  const { labels, regions } = labelRegions(inside, maskSide, maskSide);
  const least = leastPart * Math.max(...regions.map(({ area }) => area));
  for (let at = 0; at < saliency.length; at += 1)
    if (labels[at] !== 0 && regions[labels[at]!]!.area < least) saliency[at] = 0;
  return saliency;
}

/** The box of the salient pixels with a margin; null if they are too few or too many. */
function salientBox(saliency: Buffer): { left: number; top: number; width: number; height: number } | null {
  let count = 0;
  let [left, top, right, bottom] = [maskSide, maskSide, 0, 0];
  for (let y = 0; y < maskSide; y += 1) {
    for (let x = 0; x < maskSide; x += 1) {
      if (saliency[y * maskSide + x]! < salient) continue;
      count += 1;
      left = Math.min(left, x);
      right = Math.max(right, x + 1);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y + 1);
    }
  }
  const area = count / maskSide ** 2;
  if (area < leastArea || area > mostArea) return null;
  const across = Math.round((right - left) * margin);
  const down = Math.round((bottom - top) * margin);
  const box = { left: Math.max(0, left - across), top: Math.max(0, top - down) };
  return {
    ...box,
    width: Math.min(maskSide, right + across) - box.left,
    height: Math.min(maskSide, bottom + down) - box.top,
  };
}
