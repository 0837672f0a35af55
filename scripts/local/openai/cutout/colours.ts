/** Learns the colours of product and background from the pixels that are certain. */
import type { Pixels } from './pixels.ts';

const levels = 16;
const step = 256 / levels;
/** The limit for colours that occur on one side only, as a logarithm. */
const maxEvidence = 3;

/**
 * How much more likely the colour of each pixel is in the product than in the background.
 * @param prior 0–1 for each pixel; only those near 0 and 1 are used for learning
 * @returns natural logarithms of the ratio, from -3 to 3; 0 where the colour is unknown on both sides
 */
export function colourEvidence(pixels: Pixels, prior: Float32Array): Float32Array {
  const product = new Float32Array(levels ** 3);
  const background = new Float32Array(levels ** 3);
  let productTotal = 1;
  let backgroundTotal = 1;
  for (let index = 0; index < prior.length; index += 1) {
    const belief = prior[index]!;
    if (belief > 0.9) {
      product[binOf(pixels, index)]! += 1;
      productTotal += 1;
    } else if (belief < 0.05) {
      background[binOf(pixels, index)]! += 1;
      backgroundTotal += 1;
    }
  }
  const smoothProduct = smoothBins(product);
  const smoothBackground = smoothBins(background);
  const floor = 0.0005;
  const ratios = smoothProduct.map((count, bin) => {
    const ratio = (count / productTotal + floor) / (smoothBackground[bin]! / backgroundTotal + floor);
    return Math.min(maxEvidence, Math.max(-maxEvidence, Math.log(ratio)));
  });
  return prior.map((_, index) => ratios[binOf(pixels, index)]!);
}

function binOf({ data }: Pixels, index: number): number {
  const red = Math.floor(data[index * 4]! / step);
  const green = Math.floor(data[index * 4 + 1]! / step);
  const blue = Math.floor(data[index * 4 + 2]! / step);
  return (red * levels + green) * levels + blue;
}

/** Spreads each bin to its neighbours, so that noise does not split a colour. */
function smoothBins(bins: Float32Array): Float32Array {
  let smooth = bins;
  for (const stride of [1, levels, levels * levels]) {
    const from = smooth;
    smooth = from.map((value, bin) => {
      const place = Math.floor(bin / stride) % levels;
      const before = place > 0 ? from[bin - stride]! : 0;
      const after = place < levels - 1 ? from[bin + stride]! : 0;
      return (before + 2 * value + after) / 4;
    });
  }
  return smooth;
}
