/** How well a mask's outline follows something that can be seen. */
import { gaussianBlur } from './boxblur.ts';
import type { Mask, Pixels } from './pixels.ts';

const reach = 4;
const visibleDifference = 26;

/**
 * The share of the outline on whose two sides the photo has clearly different colours, 0–1. An outline drawn
 * across a clear sky has none: whatever was cut there is no thing.
 */
export function contourContrast(pixels: Pixels, mask: Mask): number {
  const { width, height } = mask;
  const soft = gaussianBlur(Float32Array.from(mask.data), width, height, 2);
  let visible = 0;
  let count = 0;
  for (let y = reach + 1; y < height - reach - 1; y += 1) {
    for (let x = reach + 1; x < width - reach - 1; x += 1) {
      const index = y * width + x;
      if (mask.data[index] === 0 || (mask.data[index + 1] !== 0 && mask.data[index + width] !== 0)) continue;
      const across = soft[index + 1]! - soft[index - 1]!;
      const down = soft[index + width]! - soft[index - width]!;
      const length = Math.hypot(across, down);
      if (length < 1) continue;
      const dx = Math.round((across / length) * reach);
      const dy = Math.round((down / length) * reach);
      const inner = (index + dy * width + dx) * 4;
      const outer = (index - dy * width - dx) * 4;
      let squares = 0;
      for (let channel = 0; channel < 3; channel += 1) {
        squares += (pixels.data[inner + channel]! - pixels.data[outer + channel]!) ** 2;
      }
      count += 1;
      if (squares > visibleDifference ** 2) visible += 1;
    }
  }
  return count === 0 ? 0 : visible / count;
}
