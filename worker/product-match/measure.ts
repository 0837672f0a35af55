import { imageFeaturesOf, productFeaturesOf } from './align.ts';
import { type Comparison, compare } from './compare.ts';
import { type Box, cornersOf, type Matrix, type Point } from './geometry.ts';
import { loadOpenCv, type Mat, type OpenCv, Scope } from './opencv.ts';
import { paletteDifference } from './palette.ts';
import { placeByFeatures } from './place.ts';
import { findOutline, type Pixels, type ProductPhoto, readPixels } from './product-photo.ts';
import { fitSilhouette, type Silhouette } from './silhouette.ts';

/** A product that was placed; positions are in fractions of the pictures. */
interface FoundProduct extends Omit<Comparison, 'matrix'> {
  /** Of the product in the image. */
  corners: Point[];
  /** The part of the product that is to be looked at, and its corners in the image. */
  part: { inProduct: Box; corners: Point[] };
}

/** What was measured about the product of a photo and an image. */
export interface Measurement {
  /** Features of the product that were looked for. */
  features: number;
  /** Those that agree about where the product lies. */
  inliers: number;
  /** Those that agree if the product is mirrored; 0 unless that was tried. */
  mirroredInliers: number;
  /** How well the outlines cover each other, 0 to 1, and those of the mirrored product; null unless that was needed. */
  outlines: { straight: number; mirrored: number } | null;
  /** How far apart the colours of product and image are, wherever these are; null unless that was needed. */
  palette: number | null;
  /** Null if the product was not placed. */
  found: FoundProduct | null;
}

/** The longer side at which images are compared, and searched, in pixels. */
const [imageSide, searchSide] = [1_024, 768];
/** Inliers from which a product counts as found: of other products, at most 10 agree by chance. */
export const leastInliers = 12;
/** Overlap of outlines from which a product without features counts as placed. */
export const sameOutline = 0.95;
/** Difference of the colours from which they are another product's (palette.ts). */
export const otherPalette = 0.135;
/** Inliers from which a product surely lies there, not mirrored: of other views, fewer agree. */
const manyInliers = 60;
/** Share of the textures that must agree for the place to need no second opinion. */
const surelyPlaced = 0.7;
/** What stands out of an image at least this much, of 255, is searched again. */
const leastSalient = 100;

/** Looks for the product in an image, and compares the two. */
export async function measure(product: ProductPhoto, file: Buffer): Promise<Measurement> {
  const { cv } = await loadOpenCv();
  const pixels = await readPixels(file, imageSide);
  const scope = new Scope();
  try {
    const [ofProduct, ofImage] = [rgbMat(cv, scope, product), rgbMat(cv, scope, pixels)];
    const mask = scope.add(
      cv.matFromArray(product.height, product.width, cv.CV_8UC1, product.mask as unknown as number[]),
    );
    const image = searched(cv, scope, ofImage);
    const grey = toGrey(cv, scope, ofProduct);
    const search = {
      size: product,
      ofProduct: productFeaturesOf(cv, scope, grey, mask),
      image,
      ofImage: imageFeaturesOf(cv, scope, image),
    };
    const { features, inliers, matrix } = placeByFeatures(cv, search);
    const mirroredInliers = inliers < manyInliers ? mirroredInliersOf(cv, search, grey, mask) : 0;
    const measured: Measurement = {
      features,
      inliers,
      mirroredInliers,
      outlines: null,
      palette: null,
      found: null,
    };
    const compareAt = (where: Matrix) => {
      const compared = compare(cv, {
        photo: product,
        product: ofProduct,
        mask,
        image: ofImage,
        matrix: where,
      });
      const { matrix: exact, ...found } = compared;
      const inImage = (box: Parameters<typeof cornersOf>[1]) =>
        cornersOf(exact, box).map(({ x, y }) => ({ x: x / pixels.width, y: y / pixels.height }));
      const part = partToLookAt(found.texture.where, product);
      return {
        ...found,
        corners: inImage(product),
        part: { inProduct: inFractions(part, product), corners: inImage(part) },
      };
    };
    const compareInSearch = (where: Matrix) => compareAt(scaled(where, ofImage.cols / image.cols));
    if (matrix !== null && inliers >= leastInliers) {
      measured.found = compareInSearch(matrix);
      if (agreeing(measured.found) >= surelyPlaced) return measured;
      // Few features that are close together may agree with a perspective that is far from the true one.
      const rigid = inliers < manyInliers ? placeByFeatures(cv, { ...search, isRigid: true }) : null;
      if (rigid?.matrix && rigid.inliers >= leastInliers) {
        const found = compareInSearch(rigid.matrix);
        if (agreeing(found) > agreeing(measured.found)) measured.found = found;
        if (agreeing(measured.found) >= surelyPlaced) return measured;
      }
    }
    const outline = await findOutline(pixels);
    const ofMask = { data: product.mask, width: product.width, height: product.height };
    measured.palette = paletteDifference({ ...product, mask: ofMask }, { ...pixels, mask: outline });
    if (measured.found !== null) return measured;
    const fit = fitSilhouette(ofMask, outline);
    if (fit === null) return measured;
    measured.outlines = { straight: fit.straight.overlap, mirrored: fit.mirrored.overlap };
    if (fit.straight.overlap < sameOutline && measured.palette <= otherPalette) {
      // A busy background may have had all the features.
      const salient = imageFeaturesOf(cv, scope, image, salientIn(cv, scope, image, outline));
      const again = placeByFeatures(cv, { ...search, ofImage: salient });
      if (again.matrix !== null && again.inliers >= manyInliers) {
        measured.inliers = again.inliers;
        measured.found = compareInSearch(again.matrix);
        return measured;
      }
    }
    measured.found = compareAt(scaled(fit.straight.matrix, pixels.width / outline.width));
    return measured;
  } finally {
    scope.end();
  }
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

/** The image in the size in which features are searched, grey. */
function searched(cv: OpenCv, scope: Scope, image: Mat): Mat {
  const grey = toGrey(cv, scope, image);
  const scale = searchSide / Math.max(image.cols, image.rows);
  if (scale >= 1) return grey;
  const smaller = scope.add(new cv.Mat());
  const size = new cv.Size(Math.round(image.cols * scale), Math.round(image.rows * scale));
  cv.resize(grey, smaller, size, 0, 0, cv.INTER_AREA);
  return smaller;
}

/** Share of the textures that agree; 0 without any. */
const agreeing = ({ texture }: Pick<Comparison, 'texture'>): number =>
  texture.textured === 0 ? 0 : 1 - texture.differing / texture.textured;

/** A mask of what stands out in an image, of its size. */
function salientIn(cv: OpenCv, scope: Scope, image: Mat, { data, width, height }: Silhouette): Mat {
  const salient = scope.add(cv.matFromArray(height, width, cv.CV_8UC1, data as unknown as number[]));
  const mask = scope.add(new cv.Mat());
  cv.resize(salient, mask, new cv.Size(image.cols, image.rows), 0, 0, cv.INTER_LINEAR);
  cv.threshold(mask, mask, leastSalient, 255, cv.THRESH_BINARY);
  return mask;
}

const scaled = (matrix: Matrix, factor: number): Matrix =>
  matrix.map((value, index) => (index < 6 ? value * factor : value));

function mirroredInliersOf(
  cv: OpenCv,
  search: Omit<Parameters<typeof placeByFeatures>[1], 'ofProduct'>,
  grey: Mat,
  mask: Mat,
): number {
  const scope = new Scope();
  try {
    const flip = (mat: Mat) => {
      const flipped = scope.add(new cv.Mat());
      cv.flip(mat, flipped, 1);
      return flipped;
    };
    const ofProduct = productFeaturesOf(cv, scope, flip(grey), flip(mask));
    return placeByFeatures(cv, { ...search, ofProduct, passes: 1 }).inliers;
  } finally {
    scope.end();
  }
}

/** Around what differs, and at least, as fractions of the product's longer side: a part from which the whole label is seen. */
const [around, leastPart] = [0.06, 0.35];

/** What differs most of the product with what is around it, or all of the product. @param where in pixels of the product */
function partToLookAt(where: Box | null, { width, height }: Pick<Pixels, 'width' | 'height'>): Box {
  if (where === null) return { x: 0, y: 0, width, height };
  const longer = Math.max(width, height);
  const [x, across] = span(where.x, where.width, width);
  const [y, down] = span(where.y, where.height, height);
  return { x, y, width: across, height: down };

  function span(start: number, length: number, side: number): [number, number] {
    const size = Math.min(side, Math.max(length + 2 * around * longer, leastPart * longer));
    const first = start + length / 2 - size / 2;
    return [Math.min(Math.max(0, first), side - size), size];
  }
}

const inFractions = ({ x, y, ...size }: Box, { width, height }: Pick<Pixels, 'width' | 'height'>): Box => ({
  x: x / width,
  y: y / height,
  width: size.width / width,
  height: size.height / height,
});
