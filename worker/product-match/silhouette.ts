/** Places a product by its outline: what has no texture has no features. */
import type { Matrix } from './geometry.ts';

/** A mask: above 0 where the product is. */
export interface Silhouette {
  data: Uint8Array | Buffer;
  width: number;
  height: number;
}

/** Where an outline fits best. */
export interface Fit {
  /** From the first silhouette to the second. */
  matrix: Matrix;
  /** Intersection over union, 0 to 1. */
  overlap: number;
  mirrored: boolean;
}

/** Points along the longer side at which two silhouettes are compared. */
const grid = 72;

/**
 * Finds the place, size and turn, mirrored or not, in which one silhouette covers another one best.
 * @returns null if one is empty
 */
export function fitSilhouette(
  product: Silhouette,
  image: Silhouette,
): { straight: Fit; mirrored: Fit } | null {
  const [one, other] = [momentsOf(product), momentsOf(image)];
  if (one === null || other === null) return null;
  const best = (mirrored: boolean) => {
    const turnOf = mirrored ? -one.turn : one.turn;
    const turns = [0, other.turn - turnOf, other.turn - turnOf + Math.PI];
    const fits = turns.map((turn) => climb(product, image, { one, other, mirrored, turn }));
    return fits.toSorted((first, second) => second.overlap - first.overlap)[0]!;
  };
  return { straight: best(false), mirrored: best(true) };
}

interface Moments {
  x: number;
  y: number;
  /** Square root of the area. */
  size: number;
  /** Direction of its longer axis, in radians. */
  turn: number;
}

function momentsOf({ data, width, height }: Silhouette): Moments | null {
  let [count, sumX, sumY, xx, xy, yy] = [0, 0, 0, 0, 0, 0];
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      if (data[y * width + x]! < 128) continue;
      count += 1;
      sumX += x;
      sumY += y;
      xx += x * x;
      xy += x * y;
      yy += y * y;
    }
  }
  if (count === 0) return null;
  const [x, y] = [sumX / count, sumY / count];
  const [a, b, c] = [xx / count - x * x, xy / count - x * y, yy / count - y * y];
  return { x, y, size: Math.sqrt(count * 4), turn: 0.5 * Math.atan2(2 * b, a - c) };
}

interface Start {
  one: Moments;
  other: Moments;
  mirrored: boolean;
  turn: number;
}

/** Improves place, size and turn in smaller and smaller steps. */
function climb(product: Silhouette, image: Silhouette, { one, other, mirrored, turn }: Start): Fit {
  const scale = other.size / one.size;
  const flip = mirrored ? -1 : 1;
  const matrixOf = ([moveX, moveY, grow, rotate]: readonly number[]): number[] => {
    const factor = scale * Math.exp(grow!);
    const [cos, sin] = [Math.cos(turn + rotate!) * factor, Math.sin(turn + rotate!) * factor];
    const [x, y] = [other.x + moveX! * other.size, other.y + moveY! * other.size];
    const [a, b, c, d] = [cos * flip, -sin, sin * flip, cos];
    return [a, b, x - a * one.x - b * one.y, c, d, y - c * one.x - d * one.y, 0, 0, 1];
  };
  let current = [0, 0, 0, 0];
  let overlap = overlapOf(product, image, matrixOf(current));
  for (let step = 0.08; step > 0.004; step /= 2) {
    for (let isBetter = true, round = 0; isBetter && round < 4; round += 1) {
      isBetter = false;
      for (let index = 0; index < 8; index += 1) {
        const next = [...current];
        next[index >> 1]! += index % 2 ? step : -step;
        const reached = overlapOf(product, image, matrixOf(next));
        if (reached <= overlap) continue;
        [current, overlap, isBetter] = [next, reached, true];
      }
    }
  }
  return { matrix: matrixOf(current), overlap, mirrored };
}

function overlapOf(product: Silhouette, image: Silhouette, matrix: Matrix): number {
  const step = Math.max(product.width, product.height) / grid;
  const area = Math.abs(matrix[0]! * matrix[4]! - matrix[1]! * matrix[3]!);
  let [inProduct, both] = [0, 0];
  for (let y = step / 2; y < product.height; y += step) {
    for (let x = step / 2; x < product.width; x += step) {
      if (product.data[Math.floor(y) * product.width + Math.floor(x)]! < 128) continue;
      inProduct += 1;
      const column = Math.floor(matrix[0]! * x + matrix[1]! * y + matrix[2]!);
      const row = Math.floor(matrix[3]! * x + matrix[4]! * y + matrix[5]!);
      const isInside = column >= 0 && row >= 0 && column < image.width && row < image.height;
      if (isInside && image.data[row * image.width + column]! >= 128) both += 1;
    }
  }
  const inImage = areaOf(image) / (area * step * step);
  return both / (inProduct + inImage - both);
}

const areas = new WeakMap<Silhouette, number>();

function areaOf(image: Silhouette): number {
  let area = areas.get(image);
  if (area === undefined) {
    area = 0;
    for (const value of image.data) if (value >= 128) area += 1;
    areas.set(image, area);
  }
  return area;
}
