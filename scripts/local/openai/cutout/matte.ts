/**
 * Turns a small hard mask into a fine matte at the photo's size, and frees the edge of the old background's
 * colour. Along the edge each pixel is taken for a mixture of the product's colour and the background's, both
 * known from near by; how much of each there is gives the alpha.
 */
import { gaussianBlur } from './boxblur.ts';
import { type Mask, type Pixels, resizeMask } from './pixels.ts';

/** @returns the photo's pixels with the matte as alpha and clean colours along the edge */
export async function cutWithMatte(photo: Pixels, mask: Mask): Promise<Pixels> {
  const { width, height } = photo;
  const scale = Math.max(width / mask.width, height / mask.height);
  const fine = await resizeMask(mask, width, height);
  const band = Math.max(1.4, scale * 1.3);
  const soft = gaussianBlur(toUnit(fine.data), width, height, band);

  const near = await nearColours(photo, soft, band * 2.2);
  const data = new Uint8ClampedArray(photo.data);
  const alpha = new Float32Array(soft.length);
  for (let index = 0; index < soft.length; index += 1) {
    const guess = soft[index]!;
    alpha[index] = guess > 0.985 ? 1 : guess < 0.015 ? 0 : mixtureAlpha(photo, near, index, guess);
  }
  const smooth = gaussianBlur(alpha, width, height, 0.7);
  for (let index = 0; index < smooth.length; index += 1) {
    // The steeper ramp, moved inwards by a fraction of a pixel, leaves no rim of the old background.
    const value = smoothStep(0.22, 0.92, smooth[index]!);
    data[index * 4 + 3] = Math.round(value * 255);
    if (soft[index]! < 0.02 || soft[index]! > 0.97) continue;
    const trust = smoothStep(0.6, 1, value) * smoothStep(0.7, 0.97, soft[index]!);
    for (let channel = 0; channel < 3; channel += 1) {
      const inner = near.product[channel]![index]!;
      data[index * 4 + channel] = Math.round(inner + (photo.data[index * 4 + channel]! - inner) * trust);
    }
  }
  return { width, height, data };
}

interface NearColours {
  product: Float32Array[];
  background: Float32Array[];
}

/** For each pixel the mean colour of surely product and surely background pixels around it. */
async function nearColours(photo: Pixels, soft: Float32Array, sigma: number): Promise<NearColours> {
  const { width, height, data } = photo;
  const inner = soft.map((value) => smoothStep(0.86, 0.97, value) + 1e-5);
  const outer = soft.map((value) => smoothStep(0.14, 0.03, value) + 1e-5);
  const means = (weights: Float32Array): Float32Array[] => {
    const total = gaussianBlur(weights, width, height, sigma);
    return [0, 1, 2].map((channel) => {
      const weighted = weights.map((weight, index) => weight * data[index * 4 + channel]!);
      return gaussianBlur(weighted, width, height, sigma).map((value, index) => value / total[index]!);
    });
  };
  return { product: means(inner), background: means(outer) };
}

/** Where on the line from background to product the pixel's colour lies; the mask's guess where they are alike. */
function mixtureAlpha(photo: Pixels, near: NearColours, index: number, guess: number): number {
  let along = 0;
  let length = 0;
  for (let channel = 0; channel < 3; channel += 1) {
    const background = near.background[channel]![index]!;
    const span = near.product[channel]![index]! - background;
    along += (photo.data[index * 4 + channel]! - background) * span;
    length += span * span;
  }
  const straight = smoothStep(0.25, 0.75, guess);
  const confidence = smoothStep(500, 4000, length) * 0.75;
  const mixture = Math.min(1, Math.max(0, along / Math.max(1, length)));
  // The mixture may move the edge, but never make far pixels the product.
  const bounded = Math.min(Math.max(mixture, guess * 2 - 1.1), guess * 2.4);
  return straight + (bounded - straight) * confidence;
}

/** 0 below `from`, 1 above `to`, smooth between; `from` may be the larger one. */
export function smoothStep(from: number, to: number, value: number): number {
  const t = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return t * t * (3 - 2 * t);
}

function toUnit(data: Uint8Array): Float32Array {
  return Float32Array.from(data, (value) => value / 255);
}
