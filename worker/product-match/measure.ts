import { imageFeaturesOf } from './align.ts';
import { type Comparison, compare } from './compare.ts';
import { cornersOf, type Matrix, type Point } from './geometry.ts';
import { loadOpenCv, type Mat, type OpenCv, Scope } from './opencv.ts';
import { paletteDifference } from './palette.ts';
import { placeByFeatures } from './place.ts';
import { findOutline, type Pixels, type ProductPhoto, readPixels } from './product-photo.ts';
import { fitSilhouette } from './silhouette.ts';

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
  found: (Omit<Comparison, 'matrix'> & { corners: Point[] }) | null;
}

/** The longer side at which images are compared, and searched, in pixels. */
const [imageSide, searchSide] = [1_024, 768];
/** Inliers from which a product counts as found: of other products, at most 10 agree by chance. */
export const leastInliers = 12;
/** Inliers from which a product is surely not mirrored. */
const surelyStraight = 60;
/** Share of the textures that must agree for the place to need no second opinion. */
const surelyPlaced = 0.7;

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
    const search = {
      grey: toGrey(cv, scope, ofProduct),
      mask,
      size: product,
      image,
      ofImage: imageFeaturesOf(cv, scope, image),
    };
    const { features, inliers, matrix } = placeByFeatures(cv, search);
    const mirroredInliers = inliers < surelyStraight ? mirroredInliersOf(cv, search) : 0;
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
      const corners = cornersOf(exact, product).map(({ x, y }) => ({
        x: x / pixels.width,
        y: y / pixels.height,
      }));
      return { ...found, corners };
    };
    if (matrix !== null && inliers >= leastInliers) {
      measured.found = compareAt(scaled(matrix, ofImage.cols / image.cols));
      const { textured, differing } = measured.found.texture;
      if (textured > 0 && 1 - differing / textured >= surelyPlaced) return measured;
    }
    const outline = await findOutline(pixels);
    const ofMask = { data: product.mask, width: product.width, height: product.height };
    measured.palette = paletteDifference({ ...product, mask: ofMask }, { ...pixels, mask: outline });
    if (measured.found !== null) return measured;
    const fit = fitSilhouette(ofMask, outline);
    if (fit === null) return measured;
    measured.outlines = { straight: fit.straight.overlap, mirrored: fit.mirrored.overlap };
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

const scaled = (matrix: Matrix, factor: number): Matrix =>
  matrix.map((value, index) => (index < 6 ? value * factor : value));

function mirroredInliersOf(cv: OpenCv, search: Parameters<typeof placeByFeatures>[1]): number {
  const scope = new Scope();
  try {
    const flip = (mat: Mat) => {
      const flipped = scope.add(new cv.Mat());
      cv.flip(mat, flipped, 1);
      return flipped;
    };
    const mirrored = { ...search, grey: flip(search.grey), mask: flip(search.mask), passes: 1 };
    return placeByFeatures(cv, mirrored).inliers;
  } finally {
    scope.end();
  }
}
