/** The place of a picture that was moved, turned and enlarged, but neither stretched nor seen from the side. */
import type { Matrix } from './geometry.ts';

/** Pairs of points that are closer together say too little about turn and size, in pixels. */
const leastDistance = 20;
/** So many points are paired with each other; more would take too long. */
const mostPoints = 200;

/**
 * Finds the similarity in which most points agree, by trying each pair of the first ones.
 * @param from, to their coordinates, x and y in turn, the surest first; @param tolerance how far a point may be from where the others say
 */
export function fitSimilarity(
  from: readonly number[],
  to: readonly number[],
  tolerance: number,
): { matrix: Matrix; inliers: number } {
  const count = from.length / 2;
  let best = { matrix: [1, 0, 0, 0, 1, 0, 0, 0, 1] as Matrix, inliers: 0 };
  const paired = Math.min(count, mostPoints);
  for (let one = 0; one < paired; one += 1) {
    for (let other = one + 1; other < paired; other += 1) {
      const [x, y] = [from[other * 2]! - from[one * 2]!, from[other * 2 + 1]! - from[one * 2 + 1]!];
      const [u, v] = [to[other * 2]! - to[one * 2]!, to[other * 2 + 1]! - to[one * 2 + 1]!];
      const square = x * x + y * y;
      if (square < leastDistance ** 2 || u * u + v * v < leastDistance ** 2) continue;
      const [a, b] = [(u * x + v * y) / square, (v * x - u * y) / square];
      const c = to[one * 2]! - a * from[one * 2]! + b * from[one * 2 + 1]!;
      const d = to[one * 2 + 1]! - b * from[one * 2]! - a * from[one * 2 + 1]!;
      let inliers = 0;
      for (let index = 0; index < count; index += 1) {
        const across = a * from[index * 2]! - b * from[index * 2 + 1]! + c - to[index * 2]!;
        const down = b * from[index * 2]! + a * from[index * 2 + 1]! + d - to[index * 2 + 1]!;
        if (across * across + down * down < tolerance * tolerance) inliers += 1;
      }
      if (inliers > best.inliers) best = { matrix: [a, -b, c, b, a, d, 0, 0, 1], inliers };
    }
  }
  return best;
}
