import type { EditPixels } from './edit-geometry.ts';
import { visitBorder } from './image-border.ts';

/** Where the product of an image is: for each place how likely it belongs to it, 0 to 255, stretched over the image. */
export interface ProductPlane {
  data: Uint8Array | Uint8ClampedArray;
  width: number;
  height: number;
}

/** What is nearly white: all channels are at least the first, and differ by at most the second. */
const [lightLeast, chromaMost] = [215, 24];
/** At least this fraction of the border must be nearly white, or there is no background to whiten. */
const whiteShareLeast = 0.5;
/** How much darker than the darkest part of the border a background may be. */
const darkerMost = 10;
/** Up to the first value of a product plane a pixel is background, from the second on it is product. */
const [outside, inside] = [128, 230];

/** The nearly white part of an image's border. */
interface WhiteBorder {
  /** Fraction of the border that it is. */
  share: number;
  /** From these values of red, green and blue on, the background becomes 255. */
  white: readonly [number, number, number];
}

/** Whether a pixel is nearly white. @param at the index of its red */
export function isNearlyWhite(data: EditPixels['data'], at: number): boolean {
  const [red, green, blue] = [data[at]!, data[at + 1]!, data[at + 2]!];
  const least = Math.min(red, green, blue);
  return least >= lightLeast && Math.max(red, green, blue) - least <= chromaMost;
}

/** @param pixels without transparency; @param product as `planeOver` gives it: the border is what is beside it */
export function whiteBorder(pixels: EditPixels, product?: EditPixels): WhiteBorder {
  const { data } = pixels;
  const values: number[][] = [[], [], []];
  let count = 0;
  visitBorder(pixels, (pixel) => {
    const at = pixel * 4;
    if (product && product.data[at]! > outside) return;
    count += 1;
    if (!isNearlyWhite(data, at)) return;
    for (const [channel, ofChannel] of values.entries()) ofChannel.push(data[at + channel]!);
  });
  const white = values.map((channel) => {
    if (channel.length === 0) return 255;
    const sorted = channel.sort((first, second) => first - second);
    const [darkest, middle] = [sorted[0]!, sorted[sorted.length >> 1]!];
    // As uneven as the border is, the background beside the product may be too. An even border needs no such margin.
    return Math.max(lightLeast, darkest - Math.min(darkerMost, middle - darkest));
  });
  return { share: count === 0 ? 0 : values[0]!.length / count, white: white as [number, number, number] };
}

/**
 * Makes a nearly white background pure white, in place. What is darker becomes less lighter, so that shadows fade as
 * smoothly as before; the product keeps its pixels. Transparent parts become white first. On a background that is
 * pure white already, and in a scene, nothing else changes.
 * @param product as `planeOver` gives it
 */
export function whitenBackground(pixels: EditPixels, product?: EditPixels): void {
  putOnWhite(pixels.data);
  const { share, white } = whiteBorder(pixels, product);
  if (share >= whiteShareLeast) whiten(pixels, white, product);
}

/** Makes what is around a product lighter, in place: `white` becomes 255. Colours and what is dark stay as they are. */
export function whiten({ data }: EditPixels, white: WhiteBorder['white'], product?: EditPixels): void {
  if (white.every((value) => value === 255)) return;
  const gains = white.map((value) => 255 / value) as [number, number, number];
  for (let at = 0; at < data.length; at += 4) {
    const around = product ? ramp(product.data[at]!, inside, outside) : 1;
    if (around === 0) continue;
    // Most of a background.
    if (around === 1 && data[at]! >= white[0] && data[at + 1]! >= white[1] && data[at + 2]! >= white[2]) {
      data[at] = 255;
      data[at + 1] = 255;
      data[at + 2] = 255;
      continue;
    }
    const red = Math.min(255, data[at]! * gains[0]);
    const green = Math.min(255, data[at + 1]! * gains[1]);
    const blue = Math.min(255, data[at + 2]! * gains[2]);
    const least = Math.min(red, green, blue);
    const chroma = Math.max(red, green, blue) - least;
    // Least of all where it is dark: that is rather a part of the product than its shadow.
    const weight = around * ramp(chroma, 2 * chromaMost, chromaMost) * (least / 255);
    data[at] = data[at]! + (red - data[at]!) * weight;
    data[at + 1] = data[at + 1]! + (green - data[at + 1]!) * weight;
    data[at + 2] = data[at + 2]! + (blue - data[at + 2]!) * weight;
  }
}

/** 0 at the first limit and beyond, 1 at the second. */
function ramp(value: number, none: number, all: number): number {
  return Math.min(1, Math.max(0, (value - none) / (all - none)));
}

/** Puts an image on white, in place. */
export function putOnWhite(data: Uint8ClampedArray): void {
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] === 255) continue;
    const opacity = data[at + 3]! / 255;
    for (let channel = at; channel < at + 3; channel += 1) {
      data[channel] = data[channel]! * opacity + 255 * (1 - opacity);
    }
    data[at + 3] = 255;
  }
}

/** A product plane at the size of its image, as grey: so it is turned and cropped like the image. */
export function planeOver(
  { data: values, ...plane }: ProductPlane,
  width: number,
  height: number,
): EditPixels {
  const data = new Uint8ClampedArray(width * height * 4).fill(255);
  const [lefts, rights] = [new Uint32Array(width), new Uint32Array(width)];
  const across = new Float32Array(width);
  for (let x = 0; x < width; x += 1) {
    const column = Math.min(plane.width - 1, Math.max(0, ((x + 0.5) * plane.width) / width - 0.5));
    [lefts[x], rights[x], across[x]] = [Math.floor(column), Math.ceil(column), column % 1];
  }
  const between = new Float32Array(plane.width);
  let at = 0;
  for (let y = 0; y < height; y += 1) {
    const row = Math.min(plane.height - 1, Math.max(0, ((y + 0.5) * plane.height) / height - 0.5));
    const upper = Math.floor(row) * plane.width;
    const lower = Math.ceil(row) * plane.width;
    const down = row % 1;
    for (let x = 0; x < plane.width; x += 1)
      between[x] = values[upper + x]! + (values[lower + x]! - values[upper + x]!) * down;
    for (let x = 0; x < width; x += 1, at += 4) {
      const left = between[lefts[x]!]!;
      const value = left + (between[rights[x]!]! - left) * across[x]!;
      data[at] = value;
      data[at + 1] = value;
      data[at + 2] = value;
    }
  }
  return { data, width, height };
}
