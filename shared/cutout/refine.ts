/** Refines the model's soft result to a clean mask, at a working size of some hundred pixels. */

import { boxMean } from './box-blur.ts';
import type { Location } from './locate.ts';
import { createMask, type Mask, type Pixels, resizePixels } from './pixels.ts';
import { fillHoles, keepProductRegions, removeIntruders, removeSpurs } from './regions.ts';

const levels = 16;
const step = 256 / levels;
/** The limit for colours that occur on one side only, as a logarithm. */
const maxEvidence = 3;

/**
 * How much more likely the colour of each pixel is in the product than in the background.
 * @param prior 0–1 for each pixel; only those near 0 and 1 are used for learning
 * @returns natural logarithms of the ratio, from -3 to 3; 0 where the colour is unknown on both sides
 */
function colourEvidence(pixels: Pixels, prior: Float32Array): Float32Array {
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
function settleUnsure(pixels: Pixels, prior: Float32Array, unsure: Uint8Array): Float32Array {
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

const longestWorkSide = 640;
/** The model misses more often than it adds, so its logit is raised by this much where it is uncertain. */
const logitShift = 0.4;
/** The weight of a pixel's colour evidence; colours of the product have more weight than those of the background. */
const productColourWeight = 0.7;
const backgroundColourWeight = 0.25;
/** Above this value, colour alone may assign a pixel to the product; thin legs get such low values. */
const faintest = 0.05;
/** Holes smaller than this share of the product are reflections and gaps in the model's result. */
const largestFilledHole = 0.0015;

/** The area around the product at working size, and which of its pixels belong to the product. */
export interface Refined {
  pixels: Pixels;
  /** 255 for the product, 0 for the rest. */
  mask: Mask;
  /** Intersection over union of the mask and the model's result, 0–1. */
  fidelity: number;
}

/**
 * Determines which pixels of the located area belong to the product. @param crop the photo within the location's box
 */
export async function refineProduct(crop: Pixels, location: Location): Promise<Refined> {
  const scale = Math.min(1, longestWorkSide / Math.max(crop.width, crop.height));
  const width = Math.max(2, Math.round(crop.width * scale));
  const height = Math.max(2, Math.round(crop.height * scale));
  const pixels = scale === 1 ? crop : await resizePixels(crop, width, height);
  const prior = readPrior(location, width, height);
  const soft = boxMean(prior, width, height, Math.ceil(Math.max(width, height) / 100));
  const unsure = new Uint8Array(prior.length);
  for (let index = 0; index < unsure.length; index += 1) {
    const around = soft[index]!;
    if (around < 0.97 && (around > 0.03 || prior[index]! > faintest)) unsure[index] = 1;
  }
  const evidence = colourEvidence(pixels, prior);
  const start = prior.map((belief, index) => {
    if (unsure[index] === 0) return belief > 0.5 ? 1 : 0;
    const bounded = Math.min(0.98, Math.max(0.02, belief));
    const fromColour = evidence[index]!;
    const counts = fromColour > 0 && belief > faintest ? productColourWeight : backgroundColourWeight;
    const logit = Math.log(bounded / (1 - bounded)) + logitShift + counts * fromColour;
    return 1 / (1 + Math.exp(-logit));
  });
  const settled = settleUnsure(pixels, start, unsure);
  const raw = createMask(width, height);
  for (let index = 0; index < settled.length; index += 1) if (settled[index]! > 0.5) raw.data[index] = 255;
  const whole = removeSpurs(removeIntruders(raw), prior);
  const mask = fillHoles(keepProductRegions(whole), largestFilledHole);
  return { pixels, mask, fidelity: fidelityOf(mask, prior) };
}

function readPrior({ box, priorAt }: Location, width: number, height: number): Float32Array {
  const prior = new Float32Array(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const column = box.left + ((x + 0.5) * box.width) / width - 0.5;
      const row = box.top + ((y + 0.5) * box.height) / height - 0.5;
      prior[y * width + x] = priorAt(column, row);
    }
  }
  return prior;
}

function fidelityOf(mask: Mask, prior: Float32Array): number {
  let both = 0;
  let either = 0;
  for (let index = 0; index < prior.length; index += 1) {
    const inMask = mask.data[index] === 255;
    const inPrior = prior[index]! > 0.5;
    if (inMask && inPrior) both += 1;
    if (inMask || inPrior) either += 1;
  }
  return either === 0 ? 0 : both / either;
}
