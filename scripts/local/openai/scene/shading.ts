/** Relights a product with the scene's light, on a shape that is estimated from its outline. */
import { gaussianBlur } from '../../../../shared/cutout/box-blur.ts';
import { type Pixels, type Plane, resizePixels, sampleAt } from '../../../../shared/cutout/pixels.ts';
import type { SceneLight } from './light.ts';

/** Factors for red, green and blue over a product, at lower resolution. */
export type Shading = Plane;

/** Longer side of the shading in pixels. */
const longestSide = 96;

/**
 * Calculates the shading of a product, which is treated as a rounded body: near its outline it faces outwards. The
 * photo's own shading remains, so the new light only changes the balance between the sides.
 * @param strength 0 leaves the product as photographed, 1 applies the scene's light fully
 */
export async function shadeProduct(pixels: Pixels, light: SceneLight, strength: number): Promise<Shading> {
  const factor = longestSide / Math.max(pixels.width, pixels.height);
  const width = Math.max(2, Math.round(pixels.width * factor));
  const height = Math.max(2, Math.round(pixels.height * factor));
  const small = await resizePixels(pixels, width, height);
  const margin = 16;
  const columns = width + 2 * margin;
  const rows = height + 2 * margin;
  const inside = new Float32Array(columns * rows);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1)
      inside[(y + margin) * columns + x + margin] = small.data[(y * width + x) * 4 + 3]! / 255;
  }
  // The wider blur rounds the whole body, the narrower one only its edges.
  const wide = gaussianBlur(inside, columns, rows, longestSide * 0.16);
  const narrow = gaussianBlur(inside, columns, rows, longestSide * 0.05);
  const body = wide.map((value, index) => Math.sqrt(value) * 26 + Math.sqrt(narrow[index]!) * 5);

  const data = new Float32Array(width * height * 3);
  const received: [number, number, number] = [0, 0, 0];
  const sums = [0, 0, 0];
  let weights = 0;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y + margin) * columns + x + margin;
      const across = (body[at - 1]! - body[at + 1]!) / 2;
      const up = (body[at + columns]! - body[at - columns]!) / 2;
      const length = Math.hypot(across, up, 1);
      light.receivedAt(across / length, up / length, 1 / length, received);
      data.set(received, (y * width + x) * 3);
      const weight = inside[at]!;
      for (let channel = 0; channel < 3; channel += 1)
        sums[channel] = sums[channel]! + received[channel]! * weight;
      weights += weight;
    }
  }
  // Each colour is relative to its own mean: one side is warmer than the other, but the product stays neutral.
  const means = sums.map((sum) => Math.max(1e-6, sum / Math.max(1e-6, weights)));
  for (let index = 0; index < data.length; index += 1) {
    const relative = Math.min(1.7, Math.max(0.5, data[index]! / means[index % 3]!));
    data[index] = 1 + (relative - 1) * strength;
  }
  return { width, height, data };
}

/** The factors at a position of the product, both coordinates from 0 to 1. */
export function shadingAt(shading: Shading, x: number, y: number, target: Float32Array): void {
  for (let channel = 0; channel < 3; channel += 1)
    target[channel] = sampleAt(shading, x * shading.width - 0.5, y * shading.height - 0.5, 3, channel);
}
