import { type Mat, type OpenCv, type Rect, Scope } from './opencv.ts';

/** How a product and its place in an image differ. */
export interface Comparison {
  /** Cells that have texture in the photo or in the image. */
  textured: number;
  /** Those of them whose texture is another one in the image. */
  differing: number;
  /** The middle difference of their colours, without their lightness, in units of CIE Lab. */
  colourDifference: number;
}

/** Width and height of a cell, in pixels of the product. */
const cell = 24;
/** How far the texture of a cell may lie from where the perspective says: products are not flat. */
const shift = 4;
/** Part of a cell that must belong to the product. */
const coverage = 0.9;
/** Standard deviation of the lightness in a cell from which it has texture, of 255, without shading. */
const textureOfPhoto = 7;
const textureOfImage = 14;
/** Correlation below which two textures differ. */
const similar = 0.7;
/** Two textures also differ if they are only fairly similar and one is much stronger than light would make it. */
const [fairlySimilar, muchStronger] = [0.85, 1.7];

/**
 * Compares a product with an image, cell by cell: texture after shading is removed, and colour.
 * @param product RGB; @param mask 255 where the product is; @param found RGB, the image as seen in the product's photo
 */
export function compare(cv: OpenCv, product: Mat, mask: Mat, found: Mat): Comparison {
  const scope = new Scope();
  try {
    // Without its outline, where the mask is not exact.
    const inner = scope.add(new cv.Mat());
    const kernel = scope.add(cv.getStructuringElement(cv.MORPH_RECT, new cv.Size(13, 13)));
    cv.erode(mask, inner, kernel, new cv.Point(-1, -1), 1, cv.BORDER_CONSTANT, new cv.Scalar(0, 0, 0, 0));
    const weight = scope.add(new cv.Mat());
    inner.convertTo(weight, cv.CV_32F, 1 / 255);
    const [ofProduct, ofFound] = [unshaded(cv, scope, product, weight), unshaded(cv, scope, found, weight)];
    const [productLab, foundLab] = [toLab(cv, scope, product), toLab(cv, scope, found)];
    const columns = Math.floor((product.cols - 2 * shift) / cell);
    const rows = Math.floor((product.rows - 2 * shift) / cell);
    let differing = 0;
    const differences: number[] = [];
    let textured = 0;
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        const [x, y] = [shift + column * cell, shift + row * cell];
        const place = new cv.Rect(x, y, cell, cell);
        if (meanOf(cv, scope, inner, place)[0]! < coverage * 255) continue;
        const [one, other] = [meanOf(cv, scope, productLab, place), meanOf(cv, scope, foundLab, place)];
        differences.push(chromaDifference(one, other));
        const inPhoto = deviationOf(cv, scope, ofProduct, place);
        const inImage = deviationOf(cv, scope, ofFound, place);
        if (inPhoto < textureOfPhoto && inImage < textureOfImage) continue;
        textured += 1;
        const around = new cv.Rect(x - shift, y - shift, cell + 2 * shift, cell + 2 * shift);
        const [template, within] = inPhoto >= textureOfPhoto ? [ofProduct, ofFound] : [ofFound, ofProduct];
        const likeness = correlation(cv, scope, template, place, within, around);
        const stronger = Math.max(inPhoto, inImage) / Math.max(1, Math.min(inPhoto, inImage));
        const differs = likeness < similar || (likeness < fairlySimilar && stronger > muchStronger);
        if (differs) differing += 1;
      }
    }
    return { textured, differing, colourDifference: median(differences) };
  } finally {
    scope.end();
  }
}

/**
 * The lightness of the product without what changes slowly across it, which is light and shadow. What is around the product
 * has no influence.
 * @param weight 1 where the product is, 0 elsewhere
 */
function unshaded(cv: OpenCv, scope: Scope, rgb: Mat, weight: Mat): Mat {
  const create = () => scope.add(new cv.Mat());
  const [grey, values, weighted, sum] = [create(), create(), create(), create()];
  const [weights, shading, rest] = [create(), create(), create()];
  cv.cvtColor(rgb, grey, cv.COLOR_RGB2GRAY);
  grey.convertTo(values, cv.CV_32F);
  cv.GaussianBlur(values, values, new cv.Size(3, 3), 0);
  cv.multiply(values, weight, weighted);
  const around = new cv.Size(41, 41);
  cv.blur(weighted, sum, around);
  cv.blur(weight, weights, around);
  cv.divide(sum, weights, shading);
  cv.subtract(weighted, shading, rest);
  cv.multiply(rest, weight, rest);
  return rest;
}

/** CIE Lab, as OpenCV stores it for floating-point images: a and b in their own units. */
function toLab(cv: OpenCv, scope: Scope, rgb: Mat): Mat {
  const values = scope.add(new cv.Mat());
  rgb.convertTo(values, cv.CV_32F, 1 / 255);
  const lab = scope.add(new cv.Mat());
  cv.cvtColor(values, lab, cv.COLOR_RGB2Lab);
  return lab;
}

/** L + 16 of a grey of medium lightness, to which colours are related. */
const medium = 76;

/**
 * How far apart two Lab colours would be if both had medium lightness. In Lab, more light multiplies a, b and L + 16 by about
 * the same factor, and so does the tint of the light whether a product is dark or bright.
 */
function chromaDifference(photo: readonly number[], image: readonly number[]): number {
  const [one, other] = [medium / (photo[0]! + 16), medium / (image[0]! + 16)];
  return Math.hypot(photo[1]! * one - image[1]! * other, photo[2]! * one - image[2]! * other);
}

function meanOf(cv: OpenCv, scope: Scope, image: Mat, place: Rect): number[] {
  return cv.mean(scope.add(image.roi(place)));
}

function deviationOf(cv: OpenCv, scope: Scope, image: Mat, place: Rect): number {
  const [mean, deviation] = [scope.add(new cv.Mat()), scope.add(new cv.Mat())];
  cv.meanStdDev(scope.add(image.roi(place)), mean, deviation);
  return deviation.data64F[0]!;
}

/** The best correlation of a cell with the surroundings of its place, -1 to 1. */
function correlation(
  cv: OpenCv,
  scope: Scope,
  template: Mat,
  place: Rect,
  within: Mat,
  around: Rect,
): number {
  const scores = scope.add(new cv.Mat());
  cv.matchTemplate(
    scope.add(within.roi(around)),
    scope.add(template.roi(place)),
    scores,
    cv.TM_CCOEFF_NORMED,
  );
  return cv.minMaxLoc(scores, scope.add(new cv.Mat())).maxVal;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
