/** OpenCV's GrabCut, loaded once a thread. */
import { createRequire } from 'node:module';
import type { Mask, Pixels } from './pixels.ts';

// Required, not imported: the module has a `then` of its own, so whoever awaits an import of it waits for ever.
const openCv: typeof import('@techstark/opencv-js') = createRequire(import.meta.url)('@techstark/opencv-js');

let loading: Promise<void> | undefined;

/** Loads OpenCV (some 0.3 s the first time). */
export function loadOpenCv(): Promise<void> {
  loading ??= new Promise((resolve) => {
    if (openCv.Mat !== undefined) resolve();
    else openCv.onRuntimeInitialized = resolve;
  });
  return loading;
}

/** What is known of a pixel before cutting; the values are OpenCV's own. */
export const trimap = { background: 0, product: 1, probablyBackground: 2, probablyProduct: 3 } as const;

/**
 * Cuts the product out by its colours and edges.
 * @param hints a trimap value for each pixel
 * @param randomSeed chooses the clusters it starts from
 * @returns 255 for the product, 0 for the rest
 */
export async function grabCut(
  pixels: Pixels,
  hints: Uint8Array,
  iterations: number,
  randomSeed = 53,
): Promise<Mask> {
  await loadOpenCv();
  const cv = openCv;
  const { width, height } = pixels;
  const image = new cv.Mat(height, width, cv.CV_8UC3);
  const mask = new cv.Mat(height, width, cv.CV_8UC1);
  const background = new cv.Mat();
  const foreground = new cv.Mat();
  try {
    const target = image.data as Uint8Array;
    for (let from = 0, to = 0; to < target.length; from += 4, to += 3) {
      target[to] = pixels.data[from]!;
      target[to + 1] = pixels.data[from + 1]!;
      target[to + 2] = pixels.data[from + 2]!;
    }
    (mask.data as Uint8Array).set(hints);
    // GrabCut starts from random clusters: without a seed of our own no two runs would be alike.
    cv.setRNGSeed(randomSeed);
    const whole = new cv.Rect(0, 0, width, height);
    cv.grabCut(image, mask, whole, background, foreground, iterations, cv.GC_INIT_WITH_MASK);
    // Odd values (product, probably product) are the product.
    return {
      width,
      height,
      data: Uint8Array.from(mask.data as Uint8Array, (value) => ((value & 1) === 1 ? 255 : 0)),
    };
  } finally {
    for (const matrix of [image, mask, background, foreground]) matrix.delete();
  }
}

/** Starts of the random choices in GrabCut, one a vote, so that the same photo always gives the same cut. */
const voteSeeds = [53, 66, 79];

/**
 * Cuts once from each of three starts and takes what at least two agree on: a single unlucky start can take a shadow
 * for the product, or lose a part of it.
 * @param hints one trimap a vote
 * @returns the mask, and how much of what any of them took all three took, from 0 to 1
 */
export async function grabCutByVote(
  pixels: Pixels,
  hints: readonly Uint8Array[],
  iterations: number,
): Promise<{ mask: Mask; agreement: number }> {
  const votes = new Uint8Array(pixels.width * pixels.height);
  for (const [vote, randomSeed] of voteSeeds.entries()) {
    const mask = await grabCut(pixels, hints[vote]!, iterations, randomSeed);
    for (let index = 0; index < votes.length; index += 1)
      votes[index] = votes[index]! + (mask.data[index]! >> 7);
  }
  const taken = (atLeast: number) => votes.reduce((sum, count) => sum + (count >= atLeast ? 1 : 0), 0);
  return {
    mask: {
      width: pixels.width,
      height: pixels.height,
      data: votes.map((count) => (count >= 2 ? 255 : 0)),
    },
    agreement: taken(3) / Math.max(1, taken(1)),
  };
}
