/** Where the product of a photo stands in an image: by its features, or else by its outline. */
import { align, type Features, imageFeaturesOf } from './align.ts';
import { cornersOf, isPlausible, type Matrix, multiply } from './geometry.ts';
import { type Mat, type OpenCv, Scope } from './opencv.ts';
import type { Pixels } from './product-photo.ts';

/** Inliers without which there is nothing to go on with, of a first look. */
const leastAtFirst = 5;
/** Inliers from which another pass would not place the product more exactly. */
const enoughInliers = 100;
const mostPasses = 3;

/** Where a product was found by its features. */
export interface Place {
  features: number;
  /** Those that agree about the place. */
  inliers: number;
  /** From the product to the image; null if too few agree. */
  matrix: Matrix | null;
}

/**
 * Finds the place of a product in an image by its features. Seen from the front, more features agree than from the side, so each
 * pass places it more exactly.
 * @param size of the product; @param ofProduct its features; @param image grey; @param ofImage its features
 * @param isRigid whether it is assumed to be neither stretched nor seen from the side
 */
export function placeByFeatures(
  cv: OpenCv,
  {
    size,
    ofProduct,
    image,
    ofImage,
    isRigid = false,
    passes = mostPasses,
  }: {
    size: Pixels;
    ofProduct: Features;
    image: Mat;
    ofImage: Features;
    isRigid?: boolean;
    passes?: number;
  },
): Place {
  const scope = new Scope();
  try {
    let place: Place = { features: 0, inliers: 0, matrix: null };
    for (let pass = 0; pass < passes; pass += 1) {
      const seen = place.matrix
        ? imageFeaturesOf(cv, scope, seenFromTheFront(cv, scope, image, place.matrix, size))
        : ofImage;
      const { features, inliers, homography } = align(cv, ofProduct, seen, isRigid);
      if (pass === 0) place.features = features;
      if (!homography || inliers < Math.max(leastAtFirst, place.inliers + 1)) break;
      const matrix = place.matrix ? multiply(place.matrix, homography) : homography;
      if (!isPlausible(cornersOf(matrix, size), size)) break;
      place = { features, inliers, matrix };
      if (inliers > enoughInliers) break;
    }
    return place;
  } finally {
    scope.end();
  }
}

/** An image as it looks from where the photo was taken, in the size of the product. */
export function seenFromTheFront(
  cv: OpenCv,
  scope: Scope,
  image: Mat,
  matrix: Matrix,
  { width, height }: { width: number; height: number },
): Mat {
  const perspective = scope.add(cv.matFromArray(3, 3, cv.CV_64F, [...matrix]));
  const front = scope.add(new cv.Mat());
  const flags = cv.INTER_LINEAR | cv.WARP_INVERSE_MAP;
  cv.warpPerspective(image, front, perspective, new cv.Size(width, height), flags, cv.BORDER_REPLICATE);
  return front;
}
