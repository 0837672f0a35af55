/** From the model's soft view to a clean membership of each pixel, at a working size of some hundred pixels. */
import { gaussianBlur } from './boxblur.ts';
import { colourEvidence } from './colours.ts';
import type { Location } from './locate.ts';
import { type Mask, type Pixels, type Plane, resizePixels } from './pixels.ts';
import { fillHoles, keepMainRegions } from './regions.ts';
import { settleUnsure } from './walker.ts';

const longestWorkSide = 640;
/** How much a pixel's colour counts beside the model's view. */
const colourWeight = 0.25;

/** The product's surroundings at the working size, and how much each of their pixels belongs to the product. */
export interface Refined {
  pixels: Pixels;
  /** 0–1; all that is not the product or touches it softly is 0. */
  membership: Plane;
  /** 255 for the product. */
  mask: Mask;
  /** Intersection over union of the mask and the model's view, 0–1. */
  fidelity: number;
}

/** Works out which pixels of the located surroundings are the product. @param crop the photo within the location's box */
export async function refineProduct(crop: Pixels, location: Location): Promise<Refined> {
  const scale = Math.min(1, longestWorkSide / Math.max(crop.width, crop.height));
  const width = Math.max(2, Math.round(crop.width * scale));
  const height = Math.max(2, Math.round(crop.height * scale));
  const pixels = scale === 1 ? crop : await resizePixels(crop, width, height);
  const prior = readPrior(location, width, height);
  const reach = Math.max(width, height) / 150;
  const soft = gaussianBlur(prior, width, height, reach);
  const unsure = Uint8Array.from(soft, (value) => (value > 0.03 && value < 0.97 ? 1 : 0));
  const evidence = colourEvidence(pixels, prior);
  const start = prior.map((belief, index) => {
    if (unsure[index] === 0) return belief > 0.5 ? 1 : 0;
    const bounded = Math.min(0.98, Math.max(0.02, belief));
    return 1 / (1 + Math.exp(-Math.log(bounded / (1 - bounded)) - colourWeight * evidence[index]!));
  });
  const settled = settleUnsure(pixels, start, unsure);
  const raw: Mask = { width, height, data: Uint8Array.from(settled, (value) => (value > 0.5 ? 255 : 0)) };
  const mask = fillHoles(keepMainRegions(raw, 0.05), 0.0015);
  const membership: Plane = { width, height, data: onlyNear(settled, mask) };
  return { pixels, membership, mask, fidelity: fidelityOf(mask, prior) };
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

/** Takes islands out of the membership and closes the filled holes. */
function onlyNear(settled: Float32Array, mask: Mask): Float32Array {
  const near = gaussianBlur(
    Float32Array.from(mask.data, (value) => value / 255),
    mask.width,
    mask.height,
    2,
  );
  return settled.map((value, index) => {
    if (mask.data[index] === 255) return Math.max(value, 0.51);
    return near[index]! > 0.02 ? Math.min(value, 0.5) : 0;
  });
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
