/** Where the product is in one of our own images on a nearly white background: its outline without its shadow. */
import { type ProductPlane, whiteBorder } from '#shared/contract/edit-background.ts';
import type { EditPixels } from '#shared/contract/edit-geometry.ts';
import { sharp } from '#shared/platform/sharp.ts';
import { above, boundsOf, dilate, partsOf, sizeOf } from './areas.ts';
import { isEdgeHard, measureContrast } from './contrast.ts';
import type { Rectangle } from './export-frame.ts';
import { addSpecks } from './export-specks.ts';
import { findSalient } from './salient.ts';

/** A product, as far as it can be seen. */
export interface ProductOutline {
  plane: ProductPlane;
  /** The product without its shadow, and with it, in pixels of the image; null if nothing differs from the background. */
  product: Rectangle | null;
  content: Rectangle | null;
  /** Parts that can hardly be told from the white around them, in pixels of the image: with any, nobody knows where it ends. */
  unclear: readonly Rectangle[];
}

/** Longest side in pixels at which areas are looked at. */
const longestSide = 512;
/** Above this value of the model, of 255, a place belongs to the product. */
const salientMost = 127;
/** Up to this distance from what the model found, its edge may be. */
const edgeReach = 3;
/** A part beside the product that is this much smaller is left out. */
const timesSmaller = 200;
/** With less of all that can be seen, the model found a detail or nothing. */
const leastFound = 0.02;
/** What differs from white by no more than this can hardly be seen. */
const faintMost = 2.5;
/** A faint area this many times as large as the product is not its shadow; and another one that surrounds it. */
const [faintTimes, surroundingTimes] = [0.5, 2.5];

/**
 * Finds the product: what the model finds, and what has a hard edge on the white around it. What fades softly into the
 * white is a shadow. In front of a scene the model alone decides.
 * @param pixels put on white; @param opacity of each of its pixels if it was transparent: then it is the outline
 */
export async function outlineProduct(pixels: EditPixels, opacity?: Uint8Array): Promise<ProductOutline> {
  const small = await reduced(pixels);
  const { width, height } = small;
  const contrast = measureContrast(small);
  const seen = above(contrast.values, 0);
  const dust = seen.map((value) => 1 - value);
  addSpecks(dust, width);
  for (let place = 0; place < seen.length; place += 1) if (dust[place]) seen[place] = 0;
  const isScene = whiteBorder(small).share < 1;
  const content = isScene ? { left: 0, top: 0, width, height } : boundsOf(seen, width);
  const scale = pixels.width / width;
  const areasOf = (parts: readonly Int32Array[]) =>
    parts.map((part) => scaled(boundsOf(areaOf(part), width)!, scale));
  if (!content) return nothing(small, areasOf(contrast.hidden));

  const salient = opacity
    ? await reducedPlane(opacity, pixels, small)
    : await findSalient(pixels, content, scale, small);
  const core = above(salient, salientMost);
  const [found, visible] = [sizeOf(core), sizeOf(seen)];
  if (found < leastFound * visible) {
    // Nothing tells the product from its shadow, so all that can be seen is protected and measured.
    const plane = { width, height, data: seen.map((value) => value * 255) };
    return { plane, product: scaled(content, scale), content: scaled(content, scale), unclear: [] };
  }
  const product = core.slice();
  const plane = Uint8Array.from(salient);
  const unclear = isScene ? [] : contrast.hidden.filter(isLarge);
  if (!isScene) {
    const near = dilate(core, width, edgeReach);
    const rest = seen.map((value, place) => (value && !near[place] ? 1 : 0));
    for (const part of partsOf(rest, width)) {
      if (part.length * timesSmaller < found) continue;
      const isPart = isEdgeHard(contrast, seen, part, small);
      const isUnclear = !isPart && (isFaint(part) ? isLarge(part) : surrounds(part));
      if (isUnclear) unclear.push(part);
      if (!isPart && !isUnclear) continue;
      // Up to what the model found: between them is nothing else.
      const area = dilate(areaOf(part), width, edgeReach + 1);
      for (let place = 0; place < area.length; place += 1) {
        if (!area[place] || !seen[place]) continue;
        plane[place] = 255;
        if (isPart) product[place] = 1;
      }
    }
  }
  return {
    plane: { width, height, data: plane },
    product: scaled(outlineOf(product), scale),
    content: scaled(content, scale),
    unclear: areasOf(unclear),
  };

  function areaOf(part: Int32Array): Uint8Array {
    const area = new Uint8Array(seen.length);
    for (const place of part) area[place] = 1;
    return area;
  }

  function isLarge(part: Int32Array): boolean {
    return part.length >= faintTimes * found;
  }

  function isFaint(part: Int32Array): boolean {
    const darkest = Float32Array.from(part, (place) => contrast.values[place]!).sort();
    return darkest[Math.floor(darkest.length * 0.98)]! <= faintMost;
  }

  /** A shadow lies on one side of its product. */
  function surrounds(part: Int32Array): boolean {
    if (part.length < surroundingTimes * found) return false;
    const around = boundsOf(areaOf(part), width)!;
    const inner = boundsOf(core, width)!;
    return (
      around.left < inner.left &&
      around.top < inner.top &&
      around.left + around.width > inner.left + inner.width &&
      around.top + around.height > inner.top + inner.height
    );
  }

  /** The model's outline is soft: where the contrast shows the edge close to it, that is the edge. */
  function outlineOf(area: Uint8Array): Rectangle {
    const byModel = boundsOf(area, width)!;
    const byContrast =
      boundsOf(
        area.map((value, place) => value * seen[place]!),
        width,
      ) ?? byModel;
    const near = (first: number, second: number) =>
      Math.abs(first - second) <= edgeReach + 1 ? second : first;
    const left = near(byModel.left, byContrast.left);
    const top = near(byModel.top, byContrast.top);
    const right = near(byModel.left + byModel.width, byContrast.left + byContrast.width);
    const bottom = near(byModel.top + byModel.height, byContrast.top + byContrast.height);
    return { left, top, width: right - left, height: bottom - top };
  }
}

function nothing({ width, height }: EditPixels, unclear: readonly Rectangle[]): ProductOutline {
  return {
    plane: { width, height, data: new Uint8Array(width * height) },
    product: null,
    content: null,
    unclear,
  };
}

function scaled({ left, top, width, height }: Rectangle, scale: number): Rectangle {
  const [x, y] = [Math.round(left * scale), Math.round(top * scale)];
  return {
    left: x,
    top: y,
    width: Math.round((left + width) * scale) - x,
    height: Math.round((top + height) * scale) - y,
  };
}

const reducedSize = ({ width, height }: EditPixels) => {
  const scale = Math.min(1, longestSide / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
};

async function reduced(pixels: EditPixels): Promise<EditPixels> {
  const { width, height } = reducedSize(pixels);
  const data = await sharp(pixels.data, { raw: { width: pixels.width, height: pixels.height, channels: 4 } })
    .resize(width, height, { fit: 'fill', kernel: 'linear' })
    .raw()
    .toBuffer();
  return { data: new Uint8ClampedArray(data.buffer, data.byteOffset, data.length), width, height };
}

async function reducedPlane(plane: Uint8Array, from: EditPixels, to: EditPixels): Promise<Uint8Array> {
  return sharp(plane, { raw: { width: from.width, height: from.height, channels: 1 } })
    .resize(to.width, to.height, { fit: 'fill', kernel: 'linear' })
    .toColourspace('b-w')
    .raw()
    .toBuffer();
}
