/** Places a product more exactly than by its features: by where the textures of its parts lie. */
import { cellsOf, deviationIn, findShift, type Plane } from './cells.ts';
import type { Matrix } from './geometry.ts';
import { type OpenCv, Scope } from './opencv.ts';

/** Width and height of a part, in pixels of the product; each is compared at every second pixel. */
const size = 32;
const step = 2;
/** Standard deviation from which a part has enough texture, and correlation from which its place counts. */
const [textured, similar] = [6, 0.6];
/** Parts that must agree, and how far a part may lie from where the others say, in pixels. */
const [leastParts, tolerance] = [8, 2];
/** Perspective is assumed if this many times as many parts agree as without it. */
const perspectiveGain = 1.1;

/** Where the parts of a product lie in an image. */
export interface Parts {
  /** From the photo to the image; null if too few parts agree. */
  matrix: Matrix | null;
  /** Parts with texture. */
  textured: number;
  /** Those that were found again near their place. */
  found: number;
  /** Those of them that lie where the whole product says. */
  agreeing: number;
}

/** @param photo, image without shading; @param reach how far parts are searched, in pixels */
export function refine(cv: OpenCv, photo: Plane, image: Plane, mask: Uint8Array, reach: number): Parts {
  const from: number[] = [];
  const to: number[] = [];
  let count = 0;
  for (const cell of cellsOf(mask, photo, { size, room: reach, coverage: 0.6 })) {
    if (deviationIn(photo, cell, size) < textured) continue;
    count += 1;
    const { dx, dy, likeness } = findShift(photo, image, cell, { size, reach, step });
    if (likeness < similar || Math.max(Math.abs(dx), Math.abs(dy)) === reach) continue;
    from.push(cell.x + size / 2, cell.y + size / 2);
    to.push(cell.x + size / 2 + dx, cell.y + size / 2 + dy);
  }
  const parts = { matrix: null, textured: count, found: from.length / 2, agreeing: 0 };
  if (parts.found < leastParts) return parts;
  const scope = new Scope();
  try {
    const points = (coordinates: number[]) =>
      scope.add(cv.matFromArray(coordinates.length / 2, 1, cv.CV_32FC2, coordinates));
    const agreeing = scope.add(new cv.Mat());
    const flat = scope.add(
      cv.estimateAffine2D(points(from), points(to), agreeing, cv.RANSAC, tolerance, 2_000, 0.995, 10),
    );
    const flatCount = flat.empty() ? 0 : cv.countNonZero(agreeing);
    const found = scope.add(
      cv.findHomography(points(from), points(to), cv.RANSAC, tolerance, agreeing, 2_000, 0.995),
    );
    const foundCount = found.empty() ? 0 : cv.countNonZero(agreeing);
    const most = Math.max(foundCount, flatCount);
    if (most < leastParts) return { ...parts, agreeing: most };
    const isTilted = foundCount > perspectiveGain * flatCount;
    return {
      ...parts,
      matrix: isTilted ? Array.from(found.data64F) : [...flat.data64F, 0, 0, 1],
      agreeing: isTilted ? foundCount : flatCount,
    };
  } finally {
    scope.end();
  }
}
