import {
  isNearlyWhite,
  type ProductPlane,
  planeOver,
  putOnWhite,
  whiteBorder,
  whiten,
} from '#shared/contract/edit-background.ts';
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

/** Where the product is, without and with its shadow, and its outline; null in front of a scene, and if it is not known. */
interface ExportedProduct {
  product: Rectangle | null;
  content: Rectangle | null;
  /** Parts that can hardly be told from the background. */
  unclear: readonly Rectangle[];
  plane: ProductPlane | null;
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
  const unknown = { product: null, content: null, unclear: [], plane: null };
  const { share, white } = whiteBorder(pixels);
  if (share < 1) return { isWhite: false, isClear: true, share, ...unknown };
  const { unclear, plane, product, content } = await outlineProduct(pixels, opacity);
  const isClear = unclear.length === 0;
  const pureBefore = pureWhite(pixels);
  // What was transparent was not white.
  if (opacity)
    for (let pixel = 0; pixel < opacity.length; pixel += 1) if (opacity[pixel]! < 255) pureBefore[pixel] = 0;
  if (!isClear)
    return { isWhite: true, isClear, share: sizeOf(pureBefore) / pureBefore.length, ...unknown, unclear };
  const isPure = white.every((value) => value === 255);
  if (!isPure) whiten(pixels, white, planeOver(plane, width, height));
  // What was transparent is white now, too.
  const background = !isPure || opacity ? pureWhite(pixels) : pureBefore.slice();
  addSpecks(background, width);
  const columns = Uint32Array.from({ length: width }, (_, x) => Math.floor((x * plane.width) / width));
  let [all, pure] = [0, 0];
  for (let y = 0; y < height; y += 1) {
    const row = Math.floor((y * plane.height) / height) * plane.width;
    for (let pixel = y * width; pixel < (y + 1) * width; pixel += 1) {
      if (!background[pixel] || plane.data[row + columns[pixel - y * width]!]! > dustMost) continue;
      all += 1;
      if (pureBefore[pixel]) pure += 1;
      else {
        data[pixel * 4] = 255;
        data[pixel * 4 + 1] = 255;
        data[pixel * 4 + 2] = 255;
      }
    }
  }
  return { isWhite: true, isClear, share: all === 0 ? 1 : pure / all, product, content, unclear, plane };
}

/** Places on one edge that are closer to each other than this fraction of it are marked as one. */
const gapMost = 0.02;
/** How far a mark of an edge reaches into the image, as a fraction of its shorter side. */
const edgeDepth = 0.03;
/** The longest of an edge are marked. */
const marksOfEdge = 3;

/** Where the border of an image is not nearly white: strips along its edges. */
export function coloredEdges({
  data,
  channels,
  width,
  height,
}: EditPixels & { channels: 3 | 4 }): Rectangle[] {
  const depth = Math.max(1, Math.round(Math.min(width, height) * edgeDepth));
  const [right, bottom] = [width - 1, height - 1];
  const across = (top: number) => (left: number, length: number) => ({
    left,
    top,
    width: length,
    height: depth,
  });
  const down = (left: number) => (top: number, length: number) => ({
    left,
    top,
    width: depth,
    height: length,
  });
  return [
    ...runs(width, (x) => x).map((run) => across(0)(...run)),
    ...runs(width, (x) => bottom * width + x).map((run) => across(height - depth)(...run)),
    ...runs(height, (y) => y * width).map((run) => down(0)(...run)),
    ...runs(height, (y) => y * width + right).map((run) => down(width - depth)(...run)),
  ];

  /** Where an edge is not white. @returns from which place on, and how long */
  function runs(length: number, pixelAt: (place: number) => number): [from: number, length: number][] {
    const found: [number, number][] = [];
    for (let place = 0; place < length; place += 1) {
      if (isNearlyWhite(data, pixelAt(place) * channels)) continue;
      const last = found.at(-1);
      if (last && place - last[0] - last[1] <= length * gapMost) last[1] = place + 1 - last[0];
      else found.push([place, 1]);
    }
    return found.toSorted((first, second) => second[1] - first[1]).slice(0, marksOfEdge);
  }
}

/**
 * Takes away a nearly white background, in place: it becomes transparent, shadows become black with so much opacity as they
 * have on white, and the product stays. Put on white again, the image is as it was. An image that has no background stays
 * as it is.
 * @param opacity of each of its pixels if it has no background
 */
export async function clearForExport(
  pixels: EditPixels,
  opacity?: Uint8Array,
): Promise<ExportBackground & ExportedProduct> {
  if (opacity) {
    const onWhite = { ...pixels, data: pixels.data.slice() };
    putOnWhite(onWhite.data);
    const { plane, product, content } = await outlineProduct(onWhite, opacity);
    return { isWhite: true, isClear: true, share: 1, product, content, unclear: [], plane };
  }
  putOnWhite(pixels.data);
  const found = await whitenForExport(pixels);
  if (found.plane) takeWhiteAway(pixels, found.plane);
  return found;
}

/** Makes what is white around a product transparent, in place. */
function takeWhiteAway({ data, width, height }: EditPixels, plane: ProductPlane): void {
  const over = planeOver(plane, width, height).data;
  for (let at = 0; at < data.length; at += 4) {
    const least = Math.min(data[at]!, data[at + 1]!, data[at + 2]!);
    // At its edge the outline is soft, and may lie on the background: there the pixel itself says how much of it is white.
    const likely = Math.max(0, 2 * over[at]! - 255) / 255;
    const opacity = likely + (1 - likely) * (1 - least / 255);
    if (opacity > 0)
      for (let channel = at; channel < at + 3; channel += 1)
        data[channel] = 255 - (255 - data[channel]!) / opacity;
    data[at + 3] = opacity * 255;
  }
}

/** Whether all pixels on the border of an image are transparent. */
export function hasClearBorder(pixels: EditPixels): boolean {
  let isClear = true;
  visitBorder(pixels, (pixel) => {
    if (pixels.data[pixel * 4 + 3] !== 0) isClear = false;
  });
  return isClear;
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
