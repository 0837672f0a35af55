/**
 * Turns the mask at working size into a fine matte at the photo's size, and removes the old background's colour from
 * the edge. Each edge pixel is treated as a mixture of the product's and the background's colour, both estimated from
 * nearby pixels; their ratio gives the alpha.
 */
import { boxMean, gaussianBlur } from './box-blur.ts';
import { type Pixels, type Plane, sampleAt } from './pixels.ts';
import type { Refined } from './refine.ts';

type Colour = [number, number, number];

/** The distance from an edge pixel, at working size, within which its two colours are estimated. */
const nearRadius = 6;

/**
 * @param crop the photo around the product, at the photo's size
 * @param refined which of its pixels belong to the product
 * @returns the crop with the matte as alpha and clean colours along the edge
 */
export function cutWithMatte(crop: Pixels, { pixels, mask }: Refined): Pixels {
  const { width, height } = crop;
  const across = mask.width / width;
  const down = mask.height / height;
  const hard = new Float32Array(mask.data).map((value) => value / 255);
  const soft: Plane = { ...mask, data: gaussianBlur(hard, mask.width, mask.height, 1.3) };
  const product = nearColours(pixels, soft, (value) => smoothStep(0.86, 0.97, value));
  const background = nearColours(pixels, soft, (value) => smoothStep(0.14, 0.03, value));

  const alpha = new Float32Array(width * height);
  const guesses = new Float32Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const row = (y + 0.5) * down - 0.5;
    for (let x = 0; x < width; x += 1) {
      const index = y * width + x;
      const column = (x + 0.5) * across - 0.5;
      const guess = sampleAt(soft, column, row);
      guesses[index] = guess;
      if (guess > 0.985) alpha[index] = 1;
      else if (guess > 0.015) {
        const inner = colourAt(product, column, row);
        const outer = colourAt(background, column, row);
        alpha[index] = mixtureAlpha(crop, index, inner, outer, guess);
      }
    }
  }
  const smooth = boxMean(alpha, width, height, 1);
  const data = new Uint8ClampedArray(crop.data);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const index = y * width + x;
      // A steeper ramp, shifted inwards by a fraction of a pixel, leaves no halo of the old background.
      const value = smoothStep(0.15, 0.9, smooth[index]!);
      data[index * 4 + 3] = Math.round(value * 255);
      const guess = guesses[index]!;
      if (value === 0 || guess > 0.97) continue;
      const inner = colourAt(product, (x + 0.5) * across - 0.5, (y + 0.5) * down - 0.5);
      const trust = smoothStep(0.6, 1, value) * smoothStep(0.7, 0.97, guess);
      for (let channel = 0; channel < 3; channel += 1) {
        const own = crop.data[index * 4 + channel]!;
        data[index * 4 + channel] = Math.round(inner[channel]! + (own - inner[channel]!) * trust);
      }
    }
  }
  return { width, height, data };
}

/** For each pixel, the weighted mean colour of the pixels around it. */
function nearColours(pixels: Pixels, soft: Plane, weigh: (membership: number) => number): Plane[] {
  const { width, height, data } = pixels;
  const weights = soft.data.map((value) => weigh(value) + 1e-5);
  const total = boxMean(weights, width, height, nearRadius);
  return [0, 1, 2].map((channel) => {
    const weighted = weights.map((weight, index) => weight * data[index * 4 + channel]!);
    const sums = boxMean(weighted, width, height, nearRadius);
    return { width, height, data: sums.map((value, index) => value / total[index]!) };
  });
}

function colourAt(planes: Plane[], x: number, y: number): Colour {
  return [sampleAt(planes[0]!, x, y), sampleAt(planes[1]!, x, y), sampleAt(planes[2]!, x, y)];
}

/**
 * The alpha of an edge pixel. Where product and background have similar colours, the guess from the mask has more
 * weight.
 */
function mixtureAlpha(crop: Pixels, index: number, inner: Colour, outer: Colour, guess: number): number {
  let along = 0;
  let length = 0;
  for (let channel = 0; channel < 3; channel += 1) {
    const span = inner[channel]! - outer[channel]!;
    along += (crop.data[index * 4 + channel]! - outer[channel]!) * span;
    length += span * span;
  }
  const straight = smoothStep(0.25, 0.75, guess);
  const trust = smoothStep(500, 4000, length) * 0.4;
  const mixture = Math.min(1, Math.max(0, along / Math.max(1, length)));
  // The mixture may shift the edge, but must not add distant pixels to the product.
  const bounded = Math.min(Math.max(mixture, guess * 2 - 1.1), guess * 2.4);
  return straight + (bounded - straight) * trust;
}

/** 0 below `from`, 1 above `to`, smooth in between; `from` may be the larger one. */
export function smoothStep(from: number, to: number, value: number): number {
  const t = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return t * t * (3 - 2 * t);
}
