/** How sharp the edges of a photo are, for `checkPhoto`. */

/** The luma of each pixel, 0 to 255, row by row. */
export interface Luma {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

/** Means of squares of pixels: they have next to no noise, and what is blurred still has edges there. */
export interface Coarse {
  luma: Float32Array;
  /** Means of each pixel's strongest and weakest channel. */
  strongest: Float32Array;
  weakest: Float32Array;
  width: number;
  height: number;
  /** Pixels of the photo per cell and side. */
  size: number;
}

/** An edge's least difference between two neighbouring cells, in luma: a soft shade on a smooth product is no edge. */
const leastStep = 6;
/** So many edges are measured, spread over the photo: more would only take time. */
const measuredEdges = 3_000;
/** Directions of edges are told apart, because a shaken photo is sharp along the movement. */
const directions = 8;
/** Edges of a direction from which on it is judged, and from which on it can clear a neighbouring one. */
const judgedEdges = 30;
const clearingEdges = 8;
/** The sharpest edges of a direction count: what lies behind or before the product may be out of focus. */
const sharpestPart = 0.1;
/** Neighbouring lines across an edge of which the mean is measured, so that noise is less. */
const linesPerEdge = 5;

/**
 * Measures how sharp the edges of a photo are (`sharpnessOf`). A photo is as sharp as its least sharp direction. Movement also
 * blurs one of the neighbouring directions, unlike the soft shadow below a product, so the sharper of a direction and its less
 * sharp neighbour counts; without neighbours, another direction has to be as blurred.
 * @returns about 2.8 for a step from one pixel to the next, 1.3 after a blur of two pixels; null if there are too few edges to
 * tell, as on a smooth product
 */
export function measureSharpness(luma: Luma, coarse: Coarse): number | null {
  const edges = findEdges(coarse);
  const noise = noiseOf(luma);
  const measured: number[][] = Array.from({ length: directions }, () => []);
  const stride = Math.max(1, edges.length / measuredEdges);
  for (let index = 0; index < edges.length; index += stride) {
    const edge = edges[Math.floor(index)]!;
    const profile = profileAcross(luma, edge, coarse.size);
    if (profile !== null) measured[edge.direction]!.push(sharpnessOf(profile, coarse.size, noise));
  }
  const sharpest = measured.map(upperPart);
  const having = (edgesLeast: number) => (direction: number) => measured[direction]!.length >= edgesLeast;
  const judged = [...measured.keys()].filter(having(judgedEdges));
  const sharpness = judged.map((direction) => {
    const neighbours = [(direction + 1) % directions, (direction + directions - 1) % directions];
    const near = neighbours.filter(having(clearingEdges));
    const others = near.length > 0 ? near : judged.filter((other) => other !== direction);
    const lessSharp = Math.min(...others.map((other) => sharpest[other]!));
    return others.length === 0 ? sharpest[direction]! : Math.max(sharpest[direction]!, lessSharp);
  });
  return judged.length === 0 ? null : Math.min(...sharpness);
}

/** What all but the sharpest part of some edges are below. */
function upperPart(values: readonly number[]): number {
  const sorted = values.toSorted((first, second) => second - first);
  return sorted[Math.floor(sorted.length * sharpestPart)] ?? 0;
}

/** A place in the photo, in pixels, and the unit vector across the edge towards what is brighter. */
interface Edge {
  x: number;
  y: number;
  right: number;
  down: number;
  /** Of the vector, or of its opposite: 0 to {@link directions} - 1. */
  direction: number;
}

/** Where neighbouring cells differ most across an edge. */
function findEdges({ luma, width, height, size }: Coarse): Edge[] {
  const rights = new Float32Array(luma.length);
  const downs = new Float32Array(luma.length);
  const steps = new Float32Array(luma.length);
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x;
      const [above, below] = [at - width, at + width];
      const right =
        (luma[above + 1]! +
          2 * luma[at + 1]! +
          luma[below + 1]! -
          luma[above - 1]! -
          2 * luma[at - 1]! -
          luma[below - 1]!) /
        8;
      const down =
        (luma[below - 1]! +
          2 * luma[below]! +
          luma[below + 1]! -
          luma[above - 1]! -
          2 * luma[above]! -
          luma[above + 1]!) /
        8;
      rights[at] = right;
      downs[at] = down;
      steps[at] = Math.hypot(right, down);
    }
  }
  const edges: Edge[] = [];
  for (let y = 2; y < height - 2; y += 1) {
    for (let x = 2; x < width - 2; x += 1) {
      const at = y * width + x;
      const step = steps[at]!;
      if (step < leastStep) continue;
      const right = rights[at]! / step;
      const down = downs[at]! / step;
      const next = Math.round(down) * width + Math.round(right);
      if (step < steps[at + next]! || step <= steps[at - next]!) continue;
      const middle = (size - 1) / 2;
      const turn = Math.round((Math.atan2(down, right) / Math.PI) * directions);
      edges.push({
        x: x * size + middle,
        y: y * size + middle,
        right,
        down,
        direction: (turn + directions) % directions,
      });
    }
  }
  return edges;
}

/** Pixels on each side within which the wider slope is measured, the contrast, and the bends. */
const [wideReach, contrastReach, bendReach] = [3, 4, 5];
/** Pixels on each side of an edge's place within which its steepest point lies. */
const reachOf = (size: number) => size + 1;

/**
 * The luma along a line across an edge, one value per pixel, its place in the middle.
 * @returns null if it would leave the photo
 */
function profileAcross(
  { data, width, height }: Luma,
  { x, y, right, down }: Edge,
  size: number,
): Float32Array | null {
  const half = reachOf(size) + contrastReach;
  const margin = half + linesPerEdge;
  if (x < margin || y < margin || x >= width - margin - 1 || y >= height - margin - 1) return null;
  const profile = new Float32Array(2 * half + 1);
  for (let line = 0; line < linesPerEdge; line += 1) {
    const aside = line - (linesPerEdge - 1) / 2;
    for (let index = 0; index < profile.length; index += 1) {
      const along = index - half;
      const column = x + right * along - down * aside;
      const row = y + down * along + right * aside;
      const [left, top] = [Math.floor(column), Math.floor(row)];
      const [ofRight, ofBelow] = [column - left, row - top];
      const at = top * width + left;
      const above = data[at]! + (data[at + 1]! - data[at]!) * ofRight;
      const below = data[at + width]! + (data[at + width + 1]! - data[at + width]!) * ofRight;
      profile[index]! += (above + (below - above) * ofBelow) / linesPerEdge;
    }
  }
  return profile;
}

/**
 * An edge's steepest slope over two pixels relative to the contrast around it, without what noise adds; less if it bends too
 * little from one pixel to the next: a blur leaves no bends of single pixels, whatever it blurs.
 */
function sharpnessOf(profile: Float32Array, size: number, noise: number): number {
  const middle = (profile.length - 1) / 2;
  const reach = reachOf(size);
  let steepest = middle;
  let wide = 0;
  for (let at = middle - reach; at <= middle + reach; at += 1) {
    const slope = slopeAt(profile, at, wideReach);
    if (slope > wide) [wide, steepest] = [slope, at];
  }
  if (wide === 0) return 0;
  let narrow = 0;
  for (let at = steepest - 2; at <= steepest + 2; at += 1) narrow = Math.max(narrow, slopeAt(profile, at, 1));
  const byNoise = (noise * Math.SQRT1_2) / Math.sqrt(linesPerEdge);
  // Texture goes up and down within the wide slope, which would be too small then.
  const around = profile.subarray(steepest - contrastReach, steepest + contrastReach + 1);
  const contrast = Math.max(...around) - Math.min(...around) - 2 * byNoise;
  const steepness = (narrow - byNoise) / Math.max(wide, contrast / (2 * wideReach));
  return steepness * Math.min(1, detailOf(profile, steepest, noise) / fullDetail);
}

/** From this detail on an edge is as sharp as it is steep; a blur of two pixels leaves 0.30 and hardly more. */
const fullDetail = 0.33;

/** The bends of a profile from one pixel to the next, without those of noise, relative to its bends over two pixels. */
function detailOf(profile: Float32Array, place: number, noise: number): number {
  const first = Math.max(2, place - bendReach);
  const last = Math.min(profile.length - 3, place + bendReach);
  let [single, double] = [0, 0];
  for (let at = first; at <= last; at += 1) {
    single += (profile[at - 1]! + profile[at + 1]! - 2 * profile[at]!) ** 2;
    double += (profile[at - 2]! + profile[at + 2]! - 2 * profile[at]!) ** 2;
  }
  const byNoise = ((last - first + 1) * 6 * noise ** 2) / linesPerEdge;
  return double > 0 ? Math.sqrt(Math.max(0, single - byNoise) / double) : 0;
}

/** The mean slope within `reach` pixels on both sides. */
const slopeAt = (profile: Float32Array, at: number, reach: number) =>
  (profile[at + reach]! - profile[at - reach]!) / (2 * reach);

/** Tiles per side in which noise is estimated: the quietest show it, because what a photo shows counts as noise elsewhere. */
const noiseTiles = 16;
const quietPart = 0.1;
/** Rows of which one is read. */
const noiseRows = 3;

/** The standard deviation of the noise, by Immerkær's mask, which edges and shades do not answer to. */
function noiseOf({ data, width, height }: Luma): number {
  const tileWidth = Math.floor((width - 2) / noiseTiles);
  const tileHeight = Math.floor((height - 2) / noiseTiles);
  const deviations: number[] = [];
  for (let tile = 0; tile < noiseTiles ** 2; tile += 1) {
    const left = 1 + (tile % noiseTiles) * tileWidth;
    const top = 1 + Math.floor(tile / noiseTiles) * tileHeight;
    let [squares, sum, count] = [0, 0, 0];
    for (let y = top; y < top + tileHeight; y += noiseRows) {
      for (let at = y * width + left; at < y * width + left + tileWidth; at += 1) {
        const [above, below] = [at - width, at + width];
        const value =
          data[above - 1]! +
          data[above + 1]! +
          data[below - 1]! +
          data[below + 1]! -
          2 * (data[above]! + data[below]! + data[at - 1]! + data[at + 1]!) +
          4 * data[at]!;
        squares += value * value;
        sum += data[at]!;
        count += 1;
      }
    }
    // What is clipped to black or white has no noise.
    const mean = sum / count;
    if (mean > 8 && mean < 247) deviations.push(Math.sqrt(squares / count) / 6);
  }
  deviations.sort((first, second) => first - second);
  return deviations[Math.floor(deviations.length * quietPart)] ?? 0;
}
