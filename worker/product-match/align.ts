import { type Mat, type OpenCv, Scope } from './opencv.ts';
import { fitSimilarity } from './similarity.ts';

/** How the product of a photo lies in an image. */
export interface Alignment {
  /** Features of the product that were found in the image at the place that the others say. */
  inliers: number;
  /** Features of the product that were compared. */
  features: number;
  /** 3 × 3, from the photo of the product to the image, by rows; null if the product was not found. */
  homography: number[] | null;
}

const productFeatures = 900;
const imageFeatures = 1_800;
/** A match counts if the second-best one is at least this much worse (the ratio test of Lowe). */
const ratio = 0.8;
/** How far a feature may be from where the others say, in pixels of the image. */
const tolerance = 5;
/** Perspective is assumed if this many times as many features agree as without it. */
const perspectiveGain = 1.3;

export type Features = ReturnType<typeof detect>;

/** The features (ORB) of a product, which each pass compares again. @param grey the product; @param mask 255 where it is */
export function productFeaturesOf(cv: OpenCv, scope: Scope, grey: Mat, mask: Mat): Features {
  return detect(cv, scope, grey, mask, productFeatures);
}

/** The features of an image. @param image grey; @param mask above 0 where they are looked for, everywhere unless given */
export function imageFeaturesOf(cv: OpenCv, scope: Scope, image: Mat, mask: Mat | null = null): Features {
  return detect(cv, scope, image, mask, imageFeatures);
}

/**
 * Looks for the features of a product in an image, and for the perspective in which they agree (RANSAC).
 * @param ofProduct from {@link productFeaturesOf}; @param ofImage from {@link imageFeaturesOf}
 * @param isRigid whether the product is assumed to be neither stretched nor seen from the side
 */
export function align(cv: OpenCv, ofProduct: Features, ofImage: Features, isRigid = false): Alignment {
  const scope = new Scope();
  try {
    const features = ofProduct.keypoints.size();
    const none = { inliers: 0, features, homography: null };
    if (features < 4 || ofImage.keypoints.size() < 4) return none;
    const matcher = scope.add(new cv.BFMatcher(cv.NORM_HAMMING, false));
    const matches = scope.add(new cv.DMatchVectorVector());
    matcher.knnMatch(ofProduct.descriptors, ofImage.descriptors, matches, 2);
    // By the feature of the image: many of the product may be nearest to one, which says nothing of where they are.
    const nearest = new Map<number, { distance: number; ofProduct: number }>();
    for (let index = 0; index < matches.size(); index += 1) {
      const pair = matches.get(index);
      const [best, second] = pair.size() < 2 ? [] : [pair.get(0), pair.get(1)];
      pair.delete();
      if (!best || !second || best.distance > ratio * second.distance) continue;
      const { distance, queryIdx, trainIdx } = best;
      if (distance < (nearest.get(trainIdx)?.distance ?? Number.POSITIVE_INFINITY))
        nearest.set(trainIdx, { distance, ofProduct: queryIdx });
    }
    const from: number[] = [];
    const to: number[] = [];
    const matched = [...nearest];
    if (isRigid) matched.sort(([, one], [, other]) => one.distance - other.distance);
    for (const [inImage, match] of matched) {
      const start = ofProduct.keypoints.get(match.ofProduct).pt;
      const end = ofImage.keypoints.get(inImage).pt;
      from.push(start.x, start.y);
      to.push(end.x, end.y);
    }
    if (from.length < 8) return none;
    if (isRigid) {
      const { matrix, inliers } = fitSimilarity(from, to, tolerance);
      return { inliers, features, homography: [...matrix] };
    }
    const points = (coordinates: number[]) =>
      scope.add(cv.matFromArray(coordinates.length / 2, 1, cv.CV_32FC2, coordinates));
    const agreeing = scope.add(new cv.Mat());
    const found = scope.add(
      cv.findHomography(points(from), points(to), cv.RANSAC, tolerance, agreeing, 3_000, 0.995),
    );
    const inliers = found.empty() ? 0 : cv.countNonZero(agreeing);
    // Few features that are close together agree with many perspectives. Without perspective fewer places fit.
    const flat = scope.add(
      cv.estimateAffine2D(points(from), points(to), agreeing, cv.RANSAC, tolerance, 3_000, 0.995, 10),
    );
    const flatInliers = flat.empty() ? 0 : cv.countNonZero(agreeing);
    if (flatInliers > 0 && inliers < perspectiveGain * flatInliers) {
      return { inliers: flatInliers, features, homography: [...flat.data64F, 0, 0, 1] };
    }
    return inliers === 0 ? none : { inliers, features, homography: Array.from(found.data64F) };
  } finally {
    scope.end();
  }
}

function detect(cv: OpenCv, scope: Scope, grey: Mat, mask: Mat | null, count: number) {
  const orb = scope.add(new cv.ORB(count, 1.2, 8, 15, 0, 2, cv.ORB_HARRIS_SCORE, 31, 4));
  const keypoints = scope.add(new cv.KeyPointVector());
  const descriptors = scope.add(new cv.Mat());
  orb.detectAndCompute(grey, mask ?? scope.add(new cv.Mat()), keypoints, descriptors);
  return { keypoints, descriptors };
}
