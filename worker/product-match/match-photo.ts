import { readFile } from 'node:fs/promises';
import { createRecent } from '#shared/platform/recent.ts';
import type { Box, Point } from './geometry.ts';
import { isFound, judge } from './judge.ts';
import type { MatchPhoto, PhotoMatch, ProductMatch } from './match-product.ts';
import { type Measurement, measure } from './measure.ts';
import {
  cutOut,
  decodeCutout,
  encodeCutout,
  findProduct,
  type PhotoCutout,
  type ProductPhoto,
} from './product-photo.ts';

/**
 * Products of the photos that were used last: those whose images are being made, and of sets, whose takes have the same
 * photos. Each takes half a megabyte.
 */
const recent = createRecent<ProductPhoto | null>(32);

/**
 * Whether an image shows the product of a photo.
 * @param cutout file of `cutOutPhoto`; without one, or if it cannot be read, the photo is cut out again
 * @returns null if no product stands out in the photo
 */
export async function matchPhoto(
  photo: MatchPhoto,
  image: Buffer,
  cutout?: Uint8Array,
): Promise<PhotoMatch | null> {
  const product = await findProductOf(photo, async () =>
    // One that is damaged, or of a model with another side, must not cost its photo every match.
    cutout ? decodeCutout(cutout).catch(() => undefined) : undefined,
  );
  if (product === null) return null;
  const measured = await measure(product, image);
  return { level: judge(measured), area: areaOf(measured), crops: cropsOf(measured, product.box) };
}

/** Cuts a photo out, and remembers its product. @returns the cutout as a file */
export async function cutOutPhoto(photo: MatchPhoto): Promise<Uint8Array> {
  const cutout = await cutOut(await readFile(photo.path));
  await findProductOf(photo, async () => cutout);
  return encodeCutout(cutout);
}

/** Finds the product of a photo, unless that was done lately. @returns null if none stands out */
function findProductOf(
  { key, path }: MatchPhoto,
  cutoutOf: () => Promise<PhotoCutout | undefined>,
): Promise<ProductPhoto | null> {
  return recent(key, async () => {
    const cutout = await cutoutOf();
    return findProduct(await readFile(path), cutout);
  });
}

const withinImage = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 1_000) / 1_000;

function areaOf(measured: Measurement): ProductMatch['area'] {
  if (!measured.found || !isFound(measured)) return null;
  return measured.found.corners.map(({ x, y }) => ({ x: withinImage(x), y: withinImage(y) }));
}

/** The same part of the product in the photo and in the image. @param inPhoto where the product is in the photo */
function cropsOf(measured: Measurement, inPhoto: Box): PhotoMatch['crops'] {
  if (!measured.found || !isFound(measured)) return null;
  const { inProduct, corners } = measured.found.part;
  const box = {
    x: inPhoto.x + inProduct.x * inPhoto.width,
    y: inPhoto.y + inProduct.y * inPhoto.height,
    width: inProduct.width * inPhoto.width,
    height: inProduct.height * inPhoto.height,
  };
  const inImage = boxAround(corners);
  return inImage && { inPhoto: box, inImage };
}

/** The box around points, within the picture; null if nothing of it is in there. */
function boxAround(points: readonly Point[]): Box | null {
  const [xs, ys] = [points.map(({ x }) => withinImage(x)), points.map(({ y }) => withinImage(y))];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) - x, Math.max(...ys) - y];
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}
