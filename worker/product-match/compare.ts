/** Compares a product with its place in an image: its texture and its colours. */
import { backgroundTest } from './background.ts';
import { cellsOf, type Plane } from './cells.ts';
import { cornersOf, type Distortion, distortionOf, type Matrix, multiply } from './geometry.ts';
import { type ColourChange, compareColours } from './light.ts';
import { type Mat, type OpenCv, Scope } from './opencv.ts';
import { seenFromTheFront } from './place.ts';
import type { ProductPhoto } from './product-photo.ts';
import { type Parts, refine } from './refine.ts';
import { compareTexture, type TextureChange, textureCell } from './texture.ts';

/** How a product and its place in an image differ. */
export interface Comparison {
  /** From the product to the image. */
  matrix: Matrix;
  distortion: Distortion;
  parts: Pick<Parts, 'textured' | 'found' | 'agreeing'>;
  texture: TextureChange;
  colour: ColourChange;
}

/** Along the outline, where a mask is not exact, nothing is compared: pixels of the product. */
const outline = 13;
/** Distances within which parts are searched to place the product exactly, first and then. */
const reaches = [12, 5, 3];
/** Width and height of the cells whose colours are compared, in pixels of the product. */
export const colourCell = 16;
/** Standard deviation of the blur that takes the noise away. */
const usualSmooth = 0.8;
/** How far a corner must move for the place to be searched again, in pixels of the product. */
const exact = 0.7;

/**
 * @param product RGB; @param mask 255 where the product is; @param image RGB; @param matrix where the product is in it, about
 */
export function compare(
  cv: OpenCv,
  {
    photo,
    product,
    mask,
    image,
    matrix: about,
  }: { photo: ProductPhoto; product: Mat; mask: Mat; image: Mat; matrix: Matrix },
): Comparison {
  const scope = new Scope();
  try {
    const [inner, outer] = [scope.add(new cv.Mat()), scope.add(new cv.Mat())];
    const kernel = scope.add(cv.getStructuringElement(cv.MORPH_ELLIPSE, new cv.Size(outline, outline)));
    const nothing = new cv.Scalar(0, 0, 0, 0);
    cv.erode(mask, inner, kernel, new cv.Point(-1, -1), 1, cv.BORDER_CONSTANT, nothing);
    cv.dilate(mask, outer, kernel, new cv.Point(-1, -1), 1, cv.BORDER_CONSTANT, nothing);
    const weight = scope.add(new cv.Mat());
    inner.convertTo(weight, cv.CV_32F, 1 / 255);
    const inside = new Uint8Array(inner.data);
    const plain = unshaded(cv, product, weight, usualSmooth);
    let matrix = about;
    let parts: Comparison['parts'] | undefined;
    for (const reach of reaches) {
      const seen = seenFromTheFront(cv, scope, image, matrix, photo);
      const refined = refine(cv, plain, unshaded(cv, seen, weight, usualSmooth), inside, reach);
      parts ??= { textured: refined.textured, found: refined.found, agreeing: refined.agreeing };
      if (refined.matrix === null) break;
      matrix = multiply(matrix, refined.matrix);
      if (movedBy(refined.matrix, photo) < exact) break;
    }
    const distortion = distortionOf(matrix, photo);
    const smooth = smoothings(photo.detail, distortion.scale);
    const front = seenFromTheFront(cv, scope, image, matrix, photo);
    const ofPhoto = smooth.photo === usualSmooth ? plain : unshaded(cv, product, weight, smooth.photo);
    const ofImage = unshaded(cv, front, weight, smooth.image);
    const cells = cellsOf(inside, photo, { size: colourCell, room: 0, coverage: 0.5 });
    const backgroundIn = backgroundTest(photo, inside, outer.data, textureCell);
    const seen = { data: Buffer.from(front.data), width: photo.width, height: photo.height };
    return {
      matrix,
      distortion,
      parts: parts!,
      texture: compareTexture(ofPhoto, ofImage, inside, backgroundIn),
      colour: compareColours(photo, seen, inside, cells, colourCell),
    };
  } finally {
    scope.end();
  }
}

/** How far the corner moves that moves furthest. */
function movedBy(matrix: Matrix, { width, height }: { width: number; height: number }): number {
  const before = cornersOf([1, 0, 0, 0, 1, 0, 0, 0, 1], { width, height });
  const after = cornersOf(matrix, { width, height });
  return Math.max(...after.map(({ x, y }, index) => Math.hypot(x - before[index]!.x, y - before[index]!.y)));
}

/** Standard deviations of the blurs after which photo and image show details equally fine. */
function smoothings(ofPhoto: number, ofImage: number): { photo: number; image: number } {
  const coarsest = (1 / Math.min(1, ofPhoto, ofImage)) ** 2;
  const blurFor = (detail: number) =>
    Math.max(usualSmooth, 0.6 * Math.sqrt(Math.max(0, coarsest - (1 / Math.min(1, detail)) ** 2)));
  return { photo: blurFor(ofPhoto), image: blurFor(ofImage) };
}

/**
 * The lightness of the product without what changes slowly across it, which is light and shadow. What is around the product
 * has no influence.
 * @param weight 1 where the product is, 0 elsewhere
 */
function unshaded(cv: OpenCv, rgb: Mat, weight: Mat, smooth: number): Plane {
  const scope = new Scope();
  try {
    const create = () => scope.add(new cv.Mat());
    const [grey, values, soft, weighted, sum] = [create(), create(), create(), create(), create()];
    const [weights, shading, rest, result] = [create(), create(), create(), create()];
    cv.cvtColor(rgb, grey, cv.COLOR_RGB2GRAY);
    grey.convertTo(values, cv.CV_32F);
    cv.GaussianBlur(values, soft, new cv.Size(0, 0), smooth);
    cv.multiply(soft, weight, weighted);
    const around = new cv.Size(51, 51);
    cv.blur(weighted, sum, around);
    cv.blur(weight, weights, around);
    cv.divide(sum, weights, shading);
    cv.subtract(weighted, shading, rest);
    cv.multiply(rest, weight, result);
    return { data: new Float32Array(result.data32F), width: rgb.cols, height: rgb.rows };
  } finally {
    scope.end();
  }
}
