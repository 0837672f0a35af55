/** Classifies uncertain pixels: labels spread across even colours and stop at edges. */
import type { Pixels } from './pixels.ts';

const rounds = 60;
const overRelaxation = 1.6;
/** How fast the weight between two neighbours decreases with the square of their colour distance. */
const edgeSharpness = 0.004;
/** How strongly a pixel is tied to its prior; the weight between two neighbours of the same colour is 1. */
const priorPull = 0.15;

/**
 * Random walker with priors (Grady 2005): minimises the squared differences between neighbours, weighted by the
 * similarity of their colours, and from the prior.
 * @param prior 0–1 for each pixel
 * @param unsure 1 for the pixels to classify; all others keep their prior
 * @returns 0–1 for each pixel
 */
export function settleUnsure(pixels: Pixels, prior: Float32Array, unsure: Uint8Array): Float32Array {
  const { width, height } = pixels;
  const count = unsure.reduce((sum, value) => sum + value, 0);
  const places = new Int32Array(count);
  const weights = new Float32Array(count * 4);
  let place = 0;
  for (let index = 0; index < unsure.length; index += 1) {
    if (unsure[index] === 0) continue;
    const x = index % width;
    places[place] = index;
    if (x > 0) weights[place * 4] = edgeWeight(pixels, index, index - 1);
    if (x < width - 1) weights[place * 4 + 1] = edgeWeight(pixels, index, index + 1);
    if (index >= width) weights[place * 4 + 2] = edgeWeight(pixels, index, index - width);
    if (index < width * (height - 1)) weights[place * 4 + 3] = edgeWeight(pixels, index, index + width);
    place += 1;
  }
  const result = prior.slice();
  for (let round = 0; round < rounds; round += 1) {
    for (let at = 0; at < count; at += 1) {
      const index = places[at]!;
      const left = weights[at * 4]!;
      const right = weights[at * 4 + 1]!;
      const above = weights[at * 4 + 2]!;
      const below = weights[at * 4 + 3]!;
      // A neighbour outside of the image has weight 0, so its value does not matter.
      const sum =
        priorPull * prior[index]! +
        left * (result[index - 1] ?? 0) +
        right * (result[index + 1] ?? 0) +
        above * (result[index - width] ?? 0) +
        below * (result[index + width] ?? 0);
      const mean = sum / (priorPull + left + right + above + below);
      result[index]! += overRelaxation * (mean - result[index]!);
    }
  }
  return result;
}

function edgeWeight({ data }: Pixels, first: number, second: number): number {
  const red = data[first * 4]! - data[second * 4]!;
  const green = data[first * 4 + 1]! - data[second * 4 + 1]!;
  const blue = data[first * 4 + 2]! - data[second * 4 + 2]!;
  return Math.exp(-(red * red + green * green + blue * blue) * edgeSharpness) + 1e-4;
}
