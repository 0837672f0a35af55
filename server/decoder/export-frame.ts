import type { ExportRule } from '#shared/contract/export-presets.ts';
import { limits } from '#shared/contract/limits.ts';

/** A size in pixels. */
interface Size {
  width: number;
  height: number;
}

/** A rectangle in pixels of an image; of a frame, it may reach beyond the image. */
export interface Rectangle extends Size {
  left: number;
  top: number;
}

/** The part of an image that an exported file shows, and its size. */
export interface ExportFrame {
  region: Rectangle;
  /** Size of the file. */
  size: Size;
  /** How many times its sides are enlarged; 1 if they are not. */
  enlarged: number;
  /** Fraction of the frame that the product takes, as `shareOf` measures it; null if it is not known. */
  productShare: number | null;
}

/** An image that is enlarged more than this many times looks blurred, so rules about its size fail. */
export const enlargedMost = 2;
/** The share of the frame that a product gets which was too small: a little more than marketplaces want. */
const productShareGiven = 0.9;
/** With a shadow that needs space it gets less, but still this much more than what is wanted. */
const shareSpare = 0.005;

/**
 * Decides what an exported file shows. On white the frame has the product in its middle and may reach beyond the image; else
 * what does not fit a wanted ratio is cut off on both sides.
 * @param product where it is, if the background is white; @param content the same with its shadow
 * @param canPad whether what is around the image can be added to: its border is pure white or transparent
 */
export function exportFrame(
  image: Size,
  rules: readonly ExportRule[],
  { product, content, canPad }: { product: Rectangle | null; content: Rectangle | null; canPad: boolean },
): ExportFrame {
  const needed = product && content && sizeAround(product, content);
  let region: Rectangle = { left: 0, top: 0, width: image.width, height: image.height };
  if (product && canPad)
    region = around(product, {
      width: Math.max(image.width, needed?.width ?? 0),
      height: Math.max(image.height, needed?.height ?? 0),
    });
  const size = rules.find((rule) => rule.kind === 'size');
  const isExact = isShareExact(rules);
  for (const rule of rules) {
    if (rule.kind === 'product-share' && rule.isExact && product && size) {
      region = around(product, frameFor(product, rule.least, size.width / size.height));
      break;
    }
    if (rule.kind === 'product-share' && product && shareOf(product, region) < rule.least) {
      const most = longest(product) / (rule.least + shareSpare);
      const wanted = Math.min(most, needed ? longest(needed) : 0);
      const side = Math.ceil(Math.max(longest(product) / productShareGiven, wanted));
      region = around(product, { width: side, height: side });
    }
    if (rule.kind === 'size' || rule.kind === 'ratio')
      region = around(region, withRatio(region, rule.width / rule.height, canPad));
  }
  const factor = size ? size.width / region.width : enlargement(region, rules);
  return {
    region,
    size: size ? { width: size.width, height: size.height } : sizeOf(region, factor, rules),
    enlarged: Math.max(1, factor),
    productShare: product && shareOf(product, region, isExact),
  };
}

/**
 * How many times the sides of a region are enlarged (or reduced: less than 1), so that they obey the rules about them. For what
 * is only advised, nothing is enlarged so much that it looks blurred.
 */
function enlargement(region: Size, rules: readonly ExportRule[]): number {
  let [needed, advised, most] = [1, 1, Number.POSITIVE_INFINITY];
  for (const rule of rules) {
    if (rule.kind !== 'shortest-side' && rule.kind !== 'longest-side') continue;
    const least = rule.least / (rule.kind === 'shortest-side' ? shortest(region) : longest(region));
    if (rule.advised) advised = Math.max(advised, Math.min(least, enlargedMost));
    else if (least * longest(region) <= limits.exportSideMost) needed = Math.max(needed, least);
    if (rule.kind === 'longest-side') most = Math.min(most, (rule.most ?? most) / longest(region));
  }
  const sideMost = Math.max(1, limits.exportSideMost / longest(region));
  return Math.min(most, Math.max(needed, Math.min(advised, sideMost)));
}

/** The size of an enlarged or reduced region, to a pixel in the ratio that is wanted. */
function sizeOf(region: Size, factor: number, rules: readonly ExportRule[]): Size {
  const width = Math.round(region.width * factor);
  const ratio = rules.find((rule) => rule.kind === 'ratio');
  const isAsItIs = factor === 1 || !ratio;
  const height = isAsItIs ? region.height * factor : (width * ratio.height) / ratio.width;
  return { width, height: Math.round(height) };
}

const longest = ({ width, height }: Size) => Math.max(width, height);
const shortest = ({ width, height }: Size) => Math.min(width, height);

/**
 * The longer side of a product as a fraction of the longer side of its frame.
 * @param isExact of the frame's width or height instead, whichever the product fills more of
 */
export function shareOf(product: Size, frame: Size, isExact = false): number {
  return isExact
    ? Math.max(product.width / frame.width, product.height / frame.height)
    : longest(product) / longest(frame);
}

/** Whether a preset says exactly how much of the frame the product takes. */
export const isShareExact = (rules: readonly ExportRule[]): boolean =>
  rules.some((rule) => rule.kind === 'product-share' && rule.isExact);

/** The size of a frame of a ratio, so much of which a product takes. */
function frameFor(product: Size, share: number, ratio: number): Size {
  const height = Math.max(product.height, product.width / ratio) / share;
  return { width: Math.max(1, Math.round(height * ratio)), height: Math.max(1, Math.round(height)) };
}

/** The size of the frame that has the centre of a product, and shows its content. */
function sizeAround(product: Rectangle, content: Rectangle): Size {
  const [x, y] = [product.left + product.width / 2, product.top + product.height / 2];
  const { left, top, width, height } = content;
  return {
    width: 2 * Math.max(x - left, left + width - x),
    height: 2 * Math.max(y - top, top + height - y),
  };
}

/** The part of a frame's region that is inside the image, and where it is in the file. */
export function partInside(
  image: Size,
  { region, size }: ExportFrame,
): { inside: Rectangle; placed: Rectangle } {
  const left = Math.max(0, region.left);
  const top = Math.max(0, region.top);
  const inside = {
    left,
    top,
    width: Math.min(image.width, region.left + region.width) - left,
    height: Math.min(image.height, region.top + region.height) - top,
  };
  const [x, width] = placedOn(inside.left - region.left, inside.width, region.width, size.width);
  const [y, height] = placedOn(inside.top - region.top, inside.height, region.height, size.height);
  return { inside, placed: { left: x, top: y, width, height } };
}

/** Where a part of a side is once the side has another length: at least one pixel, within the side. */
function placedOn(start: number, length: number, from: number, to: number): [start: number, length: number] {
  const first = Math.min(to - 1, Math.round((start * to) / from));
  const end = Math.min(to, Math.round(((start + length) * to) / from));
  return [first, Math.max(1, end - first)];
}

/** A rectangle of a size with the same centre as another one. */
function around({ left, top, width, height }: Rectangle, size: Size): Rectangle {
  return {
    left: left + Math.round((width - size.width) / 2),
    top: top + Math.round((height - size.height) / 2),
    ...size,
  };
}

/** The smallest size of a ratio around a size, or the largest one inside it. */
function withRatio({ width, height }: Size, ratio: number, isAround: boolean): Size {
  const isTooWide = width / height > ratio;
  return isTooWide === isAround
    ? { width, height: Math.max(1, Math.round(width / ratio)) }
    : { width: Math.max(1, Math.round(height * ratio)), height };
}
