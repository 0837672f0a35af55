/** Compares a product with its place in an image: its texture and its colours. */
import { cellsOf, type Plane } from './cells.ts';
import { type Distortion, distortionOf, type Matrix, multiply } from './geometry.ts';
import { type ColourChange, compareColours } from './light.ts';
import { type Mat, type OpenCv, Scope } from './opencv.ts';
import { seenFromTheFront } from './place.ts';
import type { ProductPhoto } from './product-photo.ts';
import { type Parts, refine } from './refine.ts';
import { compareTexture, type TextureChange } from './texture.ts';

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
const outline = 9;
/** Distances within which parts are searched to place the product exactly, first and then. */
const reaches = [12, 5, 3];
const colourCell = 16;

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
    const inner = scope.add(new cv.Mat());
    const kernel = scope.add(cv.getStructuringElement(cv.MORPH_ELLIPSE, new cv.Size(outline, outline)));
    cv.erode(mask, inner, kernel, new cv.Point(-1, -1), 1, cv.BORDER_CONSTANT, new cv.Scalar(0, 0, 0, 0));
    const weight = scope.add(new cv.Mat());
    inner.convertTo(weight, cv.CV_32F, 1 / 255);
    const inside = new Uint8Array(inner.data);
    const look = (matrix: Matrix, smooth = { photo: 0.8, image: 0.8 }) => {
      const front = seenFromTheFront(cv, scope, image, matrix, photo);
      return {
        front,
        ofPhoto: unshaded(cv, product, weight, smooth.photo),
        ofImage: unshaded(cv, front, weight, smooth.image),
      };
    };
    let matrix = about;
    let parts: Comparison['parts'] | undefined;
    for (const reach of reaches) {
      const { ofPhoto, ofImage } = look(matrix);
      const refined = refine(cv, ofPhoto, ofImage, inside, reach);
      parts ??= { textured: refined.textured, found: refined.found, agreeing: refined.agreeing };
      if (refined.matrix === null) break;
      matrix = multiply(matrix, refined.matrix);
    }
    const distortion = distortionOf(matrix, photo);
    const { front, ofPhoto, ofImage } = look(matrix, smoothings(photo.detail, distortion.scale));
    const cells = cellsOf(inside, photo, { size: colourCell, room: 0, coverage: 0.5 });
    const seen = { data: Buffer.from(front.data), width: photo.width, height: photo.height };
    return {
      matrix,
      distortion,
      parts: parts!,
      texture: compareTexture(ofPhoto, ofImage, inside),
      colour: compareColours(photo, seen, inside, cells, colourCell),
    };
  } finally {
    scope.end();
  }
}

/** Standard deviations of the blurs after which photo and image show details equally fine. */
function smoothings(ofPhoto: number, ofImage: number): { photo: number; image: number } {
  const coarsest = (1 / Math.min(1, ofPhoto, ofImage)) ** 2;
  const blurFor = (detail: number) =>
    Math.max(0.8, 0.6 * Math.sqrt(Math.max(0, coarsest - (1 / Math.min(1, detail)) ** 2)));
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
