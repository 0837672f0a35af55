/** Tells from a photo whether its product lies flat and was photographed from above, as clothes mostly are. */
import { boxMean } from '../../../../shared/cutout/box-blur.ts';
import type { Cutout } from '../../../../shared/cutout/cutout.ts';
import { decodePhoto, type Pixels, resizePixels } from '../../../../shared/cutout/pixels.ts';

/** What the judgement is made of; see `measureLying`. */
interface Lying {
  /** How much the colour around the product changes from its upper to its lower end, 0–255. */
  change: number;
  /** The brightness around the product, 0–255. */
  brightness: number;
  /** How well the outline matches its own mirror image, 0–1. */
  symmetry: number;
  /** The share of the outline's convex hull that the product fills, 0–1. */
  solidity: number;
  /** The share of the product that remains without its thin parts, 0–1. */
  thickness: number;
  /** How much darker the background is right below the product than right above it, 0–1; below 0: brighter. */
  contact: number;
}

/** Photos are measured at this size of the longer side, in pixels. */
const measuredSide = 256;

/** A product in its photo, both small. */
interface SmallPhoto {
  photo: Pixels;
  /** 1 where the product is. */
  inside: Float32Array;
}

/** Reads a photo and its cut-out product at the measured size. */
async function reduce(bytes: Uint8Array, { pixels, box, photoSide }: Cutout): Promise<SmallPhoto> {
  const photo = await decodePhoto(bytes, Math.min(measuredSide, photoSide));
  const factor = Math.max(photo.width, photo.height) / photoSide;
  const small = await resizePixels(
    pixels,
    Math.max(1, Math.round(box.width * factor)),
    Math.max(1, Math.round(box.height * factor)),
  );
  const inside = new Float32Array(photo.width * photo.height);
  const [left, top] = [Math.round(box.left * factor), Math.round(box.top * factor)];
  for (let y = 0; y < small.height && top + y < photo.height; y += 1) {
    for (let x = 0; x < small.width && left + x < photo.width; x += 1)
      inside[(top + y) * photo.width + left + x] = small.data[(y * small.width + x) * 4 + 3]! > 127 ? 1 : 0;
  }
  return { photo, inside };
}

/** Measures how a product lies in its photo. */
export async function measureLying(bytes: Uint8Array, cutout: Cutout): Promise<Lying> {
  const small = await reduce(bytes, cutout);
  return {
    ...surroundingsOf(small),
    ...shapeOf(small),
    contact: contactOf(small),
  };
}

const brightnessAt = (data: Uint8ClampedArray, index: number): number =>
  0.3 * data[index * 4]! + 0.6 * data[index * 4 + 1]! + 0.1 * data[index * 4 + 2]!;

function median(values: number[]): number {
  values.sort((first, second) => first - second);
  return values[values.length >> 1] ?? 0;
}

/** Around something that lies on a surface, the colour is the same everywhere; a horizon or a wall separates two. */
function surroundingsOf({ photo, inside }: SmallPhoto): Pick<Lying, 'change' | 'brightness'> {
  const { width, height, data } = photo;
  // The product's own shadow does not count as background.
  const near = boxMean(inside, width, height, Math.round(measuredSide * 0.025));
  const around = boxMean(inside, width, height, Math.round(measuredSide * 0.1));
  const rows = Array.from({ length: height }, (_, y) => y).filter((y) =>
    around.subarray(y * width, (y + 1) * width).some((share) => share > 0),
  );
  const bands = 4;
  const colours: number[][] = [];
  for (let band = 0; band < bands; band += 1) {
    const channels: number[][] = [[], [], []];
    const first = Math.floor((band * rows.length) / bands);
    for (const y of rows.slice(first, Math.floor(((band + 1) * rows.length) / bands))) {
      for (let x = 0; x < width; x += 1) {
        const index = y * width + x;
        if (near[index]! > 0.001 || around[index]! < 0.001) continue;
        for (let channel = 0; channel < 3; channel += 1) channels[channel]!.push(data[index * 4 + channel]!);
      }
    }
    if (channels[0]!.length > 60) colours.push(channels.map(median));
  }
  let most = 0;
  for (const [place, colour] of colours.entries()) {
    for (const other of colours.slice(0, place)) {
      const steps = colour.map((value, channel) => value - other[channel]!);
      const brighter = steps.reduce((sum, step) => sum + step, 0) / 3;
      // A light at one side makes a surface brighter there, but hardly changes its hue.
      most = Math.max(most, Math.hypot(...steps.map((step) => step - brighter)) + 0.35 * Math.abs(brighter));
    }
  }
  const brightness = median(colours.map((colour) => colour.reduce((sum, value) => sum + value, 0) / 3));
  return { change: most, brightness };
}

/** The darkness along the lower outline, less that along the upper one. */
function contactOf({ photo, inside }: SmallPhoto): number {
  const { width, height, data } = photo;
  const [near, far] = [Math.round(measuredSide * 0.02), Math.round(measuredSide * 0.07)];
  const darkness = (from: number, step: 1 | -1): number => {
    const ratios: number[] = [];
    for (let x = 0; x < width; x += 1) {
      let y = from;
      while (y >= 0 && y < height && inside[y * width + x] === 0) y += step;
      if (y < 0 || y >= height) continue;
      const at = (distance: number) => {
        const row = y - step * distance;
        return row < 0 || row >= height ? undefined : brightnessAt(data, row * width + x);
      };
      const [close, away] = [at(near), at(far)];
      if (close !== undefined && away !== undefined) ratios.push(close / Math.max(1, away));
    }
    return 1 - median(ratios);
  };
  return darkness(height - 1, -1) - darkness(0, 1);
}

/** Symmetry, solidity and thickness of the outline. */
function shapeOf({ photo, inside }: SmallPhoto): Pick<Lying, 'symmetry' | 'solidity' | 'thickness'> {
  const { width, height } = photo;
  let [area, sumX, sumY] = [0, 0, 0];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (inside[y * width + x] === 0) continue;
      area += 1;
      sumX += x;
      sumY += y;
    }
  }
  if (area === 0) return { symmetry: 0, solidity: 0, thickness: 0 };
  const [middleX, middleY] = [sumX / area, sumY / area];
  let symmetry = 0;
  for (let degrees = -24; degrees <= 24; degrees += 4) {
    const angle = (2 * degrees * Math.PI) / 180;
    const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
    for (const shift of [-0.03, 0, 0.03]) {
      let both = 0;
      for (let y = 0; y < height; y += 2) {
        for (let x = 0; x < width; x += 2) {
          if (inside[y * width + x] === 0) continue;
          // Mirrored at an axis through the centre that is turned by the angle from upright.
          const [across, down] = [x - middleX - shift * width, y - middleY];
          const otherX = Math.round(middleX + shift * width - cosine * across + sine * down);
          const otherY = Math.round(middleY + sine * across + cosine * down);
          if (otherX < 0 || otherY < 0 || otherX >= width || otherY >= height) continue;
          if (inside[otherY * width + otherX] === 1) both += 4;
        }
      }
      symmetry = Math.max(symmetry, both / (2 * area - both));
    }
  }
  const radius = Math.max(1, Math.round(Math.sqrt(area) * 0.035));
  const eroded = boxMean(inside, width, height, radius).map((share) => (share > 0.98 ? 1 : 0));
  const opened = boxMean(eroded, width, height, radius).map((share) => (share > 0.004 ? 1 : 0));
  const kept = opened.reduce((sum, value, index) => sum + value * inside[index]!, 0);
  return {
    symmetry: Math.min(1, symmetry),
    solidity: area / hullArea(inside, width, height),
    thickness: kept / area,
  };
}

function hullArea(inside: Float32Array, width: number, height: number): number {
  const points: [number, number][] = [];
  for (let y = 0; y < height; y += 1) {
    const row = inside.subarray(y * width, (y + 1) * width);
    const first = row.indexOf(1);
    if (first >= 0) points.push([first, y], [row.lastIndexOf(1) + 1, y]);
  }
  points.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  const half = (ordered: [number, number][]) => {
    const hull: [number, number][] = [];
    for (const point of ordered) {
      while (hull.length >= 2) {
        const [before, last] = [hull.at(-2)!, hull.at(-1)!];
        const turn =
          (last[0] - before[0]) * (point[1] - before[1]) - (last[1] - before[1]) * (point[0] - before[0]);
        if (turn > 0) break;
        hull.pop();
      }
      hull.push(point);
    }
    return hull.slice(0, -1);
  };
  const hull = [...half(points), ...half(points.toReversed())];
  const twice = hull.reduce((sum, [x, y], index) => {
    const [nextX, nextY] = hull[(index + 1) % hull.length]!;
    return sum + x * nextY - nextX * y;
  }, 0);
  return Math.max(1, Math.abs(twice) / 2);
}

/**
 * Whether a product lies flat and was photographed from above: the surface is the same all around it, it throws no shadow
 * below itself, and it has the outline of clothing, nearly symmetric, with notches, and without thin parts. In front of
 * pure white nothing is known about a surface, and something perfectly symmetric was turned on a lathe: both stand.
 */
export function liesFlat({ change, brightness, symmetry, solidity, thickness, contact }: Lying): boolean {
  const isOnSurface = change < 50 && brightness < 240;
  const isCloth = symmetry > 0.78 && symmetry < 0.96 && solidity < 0.955 && thickness > 0.95;
  const hasSleeves = symmetry > 0.88 && solidity < 0.9;
  // A skirt has no notches: then the surface must be even, and nothing darker below the product than above it.
  const isSheet = symmetry > 0.88 && symmetry < 0.96 && thickness > 0.95 && change < 25 && contact < 0.02;
  return isOnSurface && ((isCloth && (contact < 0.1 || hasSleeves)) || isSheet);
}
