/** What a cut-out product's outline tells: where it stands, and from how far above it was photographed. */
import type { Pixels } from '../cutout/pixels.ts';
import type { Silhouette } from './arrange.ts';

/** For each column the lowest row of the product, or −1 where there is none. */
export function bottomProfile(pixels: Pixels): Int32Array {
  const { width, height, data } = pixels;
  const profile = new Int32Array(width).fill(-1);
  for (let x = 0; x < width; x += 1) {
    for (let y = height - 1; y >= 0; y -= 1) {
      if (data[(y * width + x) * 4 + 3]! > 120) {
        profile[x] = y;
        break;
      }
    }
  }
  return profile;
}

/**
 * Measures a product. A round foot seen from above is an ellipse, and how high that is in relation to its
 * width is the sine of the camera's pitch: from the lowest point upwards the outline widens until the
 * ellipse's middle. A foot that is at its widest at once was photographed level.
 */
export function measureSilhouette(pixels: Pixels): Silhouette {
  const { width, height, data } = pixels;
  const widths = new Float32Array(height);
  for (let y = 0; y < height; y += 1) {
    let first = -1;
    let last = -1;
    for (let x = 0; x < width; x += 1) {
      if (data[(y * width + x) * 4 + 3]! > 120) {
        if (first < 0) first = x;
        last = x;
      }
    }
    widths[y] = first < 0 ? 0 : last - first + 1;
  }
  // Up from the foot to the first place at which the outline stops growing.
  const patience = Math.max(3, Math.round(height * 0.05));
  let widest = 0;
  let at = height - 1;
  for (let y = height - 1; y >= Math.max(0, height - 1 - width * 0.6); y -= 1) {
    if (widths[y]! > widest * 1.004) {
      widest = widths[y]!;
      at = y;
    } else if (at - y > patience) break;
  }
  let start = at;
  for (let y = at; y < height; y += 1) if (widths[y]! > widest * 0.96) start = at;
  for (let y = height - 1; y >= at; y -= 1) {
    if (widths[y]! >= widest * 0.97) {
      start = y;
      break;
    }
  }
  const rise = height - 1 - start;
  const fromAbove = widest === 0 ? 0.2 : rise / (widest * 0.5) / 0.76;
  return { width, height, fromAbove: Math.min(0.8, Math.max(0.08, fromAbove)) };
}
