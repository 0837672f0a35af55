import { planeOver, whiteBorder, whiten } from '#shared/contract/edit-background.ts';
import type { EditPixels } from '#shared/contract/edit-geometry.ts';
import { visitBorder } from '#shared/contract/image-border.ts';
import { sizeOf } from './areas.ts';
import type { Rectangle } from './export-frame.ts';
import { addSpecks } from './export-specks.ts';
import { outlineProduct } from './product-outline.ts';

/** What was found out about the background of an image. */
export interface ExportBackground {
  /** Whether the whole border is nearly white. Otherwise the background is a scene and stays as it is. */
  isWhite: boolean;
  /** False if a part of the product can hardly be told from the background: then both stay as they are. */
  isClear: boolean;
  /** Fraction of it that was pure white; of a scene, fraction of the border that is nearly white. */
  share: number;
}

/** Where the product is, without and with its shadow; null in front of a scene, and if it is not known. */
interface ExportedProduct {
  product: Rectangle | null;
  content: Rectangle | null;
}

/** Up to this value of 255, of how likely a place belongs to the product, a speck on it is dust. */
const dustMost = 128;

/**
 * Makes a nearly white background pure white, in place. The product keeps its pixels, and its shadow fades as before.
 * @param pixels put on white; @param opacity of each of its pixels if it was transparent
 */
export async function whitenForExport(
  pixels: EditPixels,
  opacity?: Uint8Array,
): Promise<ExportBackground & ExportedProduct> {
  const { data, width, height } = pixels;
  const unknown = { product: null, content: null };
  const { share, white } = whiteBorder(pixels);
  if (share < 1) return { isWhite: false, isClear: true, share, ...unknown };
  const { isClear, plane, product, content } = await outlineProduct(pixels, opacity);
  const pureBefore = pureWhite(pixels);
  // What was transparent was not white.
  if (opacity)
    for (let pixel = 0; pixel < opacity.length; pixel += 1) if (opacity[pixel]! < 255) pureBefore[pixel] = 0;
  if (!isClear) return { isWhite: true, isClear, share: sizeOf(pureBefore) / pureBefore.length, ...unknown };
  const isNearlyWhite = white.some((value) => value < 255);
  if (isNearlyWhite) whiten(pixels, white, planeOver(plane, width, height));
  // What was transparent is white now, too.
  const background = isNearlyWhite || opacity ? pureWhite(pixels) : pureBefore.slice();
  addSpecks(background, width);
  const columns = Uint32Array.from({ length: width }, (_, x) => Math.floor((x * plane.width) / width));
  let [all, pure] = [0, 0];
  for (let y = 0; y < height; y += 1) {
    const row = Math.floor((y * plane.height) / height) * plane.width;
    for (let pixel = y * width; pixel < (y + 1) * width; pixel += 1) {
      if (!background[pixel] || plane.data[row + columns[pixel - y * width]!]! > dustMost) continue;
      all += 1;
      if (pureBefore[pixel]) pure += 1;
      else data.fill(255, pixel * 4, pixel * 4 + 3);
    }
  }
  return { isWhite: true, isClear, share: all === 0 ? 1 : pure / all, product, content };
}

/** Whether all pixels on the border of an image without transparency are pure white. */
export function hasWhiteBorder(pixels: EditPixels): boolean {
  let isWhite = true;
  visitBorder(pixels, (pixel) => {
    if (!isPureWhite(pixels.data, pixel)) isWhite = false;
  });
  return isWhite;
}

function isPureWhite(data: EditPixels['data'], pixel: number): boolean {
  return data[pixel * 4] === 255 && data[pixel * 4 + 1] === 255 && data[pixel * 4 + 2] === 255;
}

/** 1 for each pixel that is pure white. */
function pureWhite({ data, width, height }: EditPixels): Uint8Array {
  const white = new Uint8Array(width * height);
  for (let pixel = 0, at = 0; pixel < white.length; pixel += 1, at += 4) {
    if (data[at] === 255 && data[at + 1] === 255 && data[at + 2] === 255) white[pixel] = 1;
  }
  return white;
}
