import { type Alignment, align, productFeaturesOf } from './align.ts';
import { type Comparison, compare } from './compare.ts';
import { loadOpenCv, type Mat, type OpenCv, Scope } from './opencv.ts';
import { type Pixels, type ProductPhoto, readPixels } from './product-photo.ts';

/** A point in fractions of an image's width and height. */
interface Point {
  x: number;
  y: number;
}

/** What was measured about the product of a photo and an image. */
export interface Measurement {
  /** Features of the product that were looked for. */
  features: number;
  /** Those that agree about where the product lies. */
  inliers: number;
  /** Null if the product was not found in the image. */
  found: (Comparison & { corners: Point[] }) | null;
}

/** The longer side at which images are searched, in pixels. */
const imageSide = 768;
/** Inliers without which there is nothing to go on with, of a first look. */
const leastAtFirst = 5;
/** Inliers from which a product counts as found: of other products, at most 10 agree by chance. */
const leastInliers = 12;
/** Inliers from which another pass would not place the product more exactly. */
const enoughInliers = 150;
const mostPasses = 4;

/** Where a product was found. */
interface Placement {
  inliers: number;
  homography: number[];
  corners: Point[];
  /** The image as it looks from where the photo was taken, in the size of the photo. */
  front: Mat;
}

/** Looks for the product in an image, and compares the two. */
export async function measure(product: ProductPhoto, image: Buffer): Promise<Measurement> {
  const { cv } = await loadOpenCv();
  const pixels = await readPixels(image, imageSide);
  const scope = new Scope();
  try {
    const [ofProduct, ofImage] = [rgbMat(cv, scope, product), rgbMat(cv, scope, pixels)];
    const mask = scope.add(
      cv.matFromArray(product.height, product.width, cv.CV_8UC1, product.mask as unknown as number[]),
    );
    const search = { grey: toGrey(cv, scope, ofProduct), mask, size: product, image: ofImage };
    const { placement, features, inliers } = place(cv, scope, search);
    if (!placement || placement.inliers < leastInliers) return { features, inliers, found: null };
    const comparison = compare(cv, ofProduct, mask, placement.front);
    const corners = placement.corners.map(({ x, y }) => ({ x: x / pixels.width, y: y / pixels.height }));
    return { features, inliers, found: { ...comparison, corners } };
  } finally {
    scope.end();
  }
}

interface Search {
  /** The product. */
  grey: Mat;
  mask: Mat;
  size: Pixels;
  /** RGB. */
  image: Mat;
}

/**
 * Finds the place of a product in an image. Seen from the front, more features agree than from the side, so each pass
 * places it more exactly.
 */
function place(
  cv: OpenCv,
  scope: Scope,
  { grey, mask, size, image }: Search,
): { placement: Placement | null; features: number; inliers: number } {
  const ofProduct = productFeaturesOf(cv, scope, grey, mask);
  let placement: Placement | null = null;
  let [features, inliers] = [0, 0];
  for (let pass = 0; pass < mostPasses; pass += 1) {
    const seen: Mat = placement?.front ?? image;
    const found: Alignment = align(cv, ofProduct, toGrey(cv, scope, seen));
    features = found.features;
    inliers = Math.max(inliers, found.inliers);
    if (!found.homography || found.inliers < Math.max(leastAtFirst, (placement?.inliers ?? 0) + 1)) break;
    const homography: number[] = placement
      ? multiply(placement.homography, found.homography)
      : found.homography;
    const corners = cornersOf(homography, size);
    if (!isPlausible(corners, size)) break;
    const front = seenFromTheFront(cv, scope, image, homography, size);
    placement = { inliers: found.inliers, homography, corners, front };
    if (found.inliers > enoughInliers) break;
  }
  return { placement, features, inliers };
}

function rgbMat(cv: OpenCv, scope: Scope, { data, width, height }: Pixels): Mat {
  const mat = scope.add(new cv.Mat(height, width, cv.CV_8UC3));
  mat.data.set(data);
  return mat;
}

function toGrey(cv: OpenCv, scope: Scope, rgb: Mat): Mat {
  const grey = scope.add(new cv.Mat());
  cv.cvtColor(rgb, grey, cv.COLOR_RGB2GRAY);
  return grey;
}

function seenFromTheFront(
  cv: OpenCv,
  scope: Scope,
  image: Mat,
  homography: number[],
  { width, height }: Pixels,
): Mat {
  const matrix = scope.add(cv.matFromArray(3, 3, cv.CV_64F, homography));
  const front = scope.add(new cv.Mat());
  const flags = cv.INTER_LINEAR | cv.WARP_INVERSE_MAP;
  cv.warpPerspective(image, front, matrix, new cv.Size(width, height), flags, cv.BORDER_REPLICATE);
  return front;
}

/** The product of two 3 × 3 matrices. */
function multiply(one: readonly number[], other: readonly number[]): number[] {
  return Array.from({ length: 9 }, (_, index) => {
    const [row, column] = [Math.floor(index / 3) * 3, index % 3];
    return (
      one[row]! * other[column]! + one[row + 1]! * other[column + 3]! + one[row + 2]! * other[column + 6]!
    );
  });
}

/** Where the corners of the product's photo lie in the image, in pixels. */
function cornersOf(matrix: readonly number[], { width, height }: Pixels): Point[] {
  const corners: [number, number][] = [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ];
  return corners.map(([x, y]) => {
    const depth = matrix[6]! * x + matrix[7]! * y + matrix[8]!;
    return {
      x: (matrix[0]! * x + matrix[1]! * y + matrix[2]!) / depth,
      y: (matrix[3]! * x + matrix[4]! * y + matrix[5]!) / depth,
    };
  });
}

/** Scales at which a product is still recognised. */
const [smallest, largest] = [0.15, 4];

/** Whether corners can be those of a product: neither mirrored nor crossed, nor far too large or small. */
function isPlausible(corners: readonly Point[], { width, height }: Pixels): boolean {
  const turns = corners.map((corner, index) => {
    const [next, after] = [corners[(index + 1) % 4]!, corners[(index + 2) % 4]!];
    return (next.x - corner.x) * (after.y - next.y) - (next.y - corner.y) * (after.x - next.x);
  });
  const scale = Math.sqrt((turns[0]! + turns[2]!) / 2 / (width * height));
  return turns.every((turn) => turn > 0) && scale > smallest && scale < largest;
}
