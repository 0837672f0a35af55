/** Refines the model's soft result to a clean mask, at a working size of some hundred pixels. */
import { boxMean } from './box-blur.ts';
import { colourEvidence } from './colours.ts';
import type { Location } from './locate.ts';
import { createMask, type Mask, type Pixels, resizePixels } from './pixels.ts';
import { fillHoles, keepProductRegions, removeIntruders, removeSpurs } from './regions.ts';
import { settleUnsure } from './walker.ts';

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
