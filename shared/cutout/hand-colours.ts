/**
 * An arm by its colour alone: a smooth area of the colour of light skin that reaches from the frame to the product, rather
 * not found than falsely. Floors and tables of wood are near that colour and lie around the product, not beside it.
 */
import { isOfProduct, takeArea } from './hand-areas.ts';
import type { Location } from './locate.ts';
import { type Mask, type Pixels, resizePixels } from './pixels.ts';

/** The photo is reduced to this side: fingers are some pixels wide, and pores are none. */
const side = 200;
/** Brightness may change by this much from a pixel to its neighbours; more is an outline, at which areas end. */
const mostStep = 26;
/** What an arm takes: of the photo's area, of its frame, and of the product's outline. */
const areas = { from: 0.03, to: 0.25 };
const frames = { from: 0.02, to: 0.18 };
const contacts = { from: 0.05, to: 0.45 };
/** The least mean red of an area (Cr of YCbCr): wood, leather and brown plush had at most 156. */
const leastRed = 157;
/** How far from the product's outline an area may end, in pixels: a finger has a shadow. */
const gap = 3;

const sides = { left: 1, right: 2, top: 4, bottom: 8 };

/** Whether an arm reaches the product of a photo. @param mask the product, stretched over the location's box */
export async function showsArm(photo: Pixels, { box }: Pick<Location, 'box'>, mask: Mask): Promise<boolean> {
  const scale = side / Math.max(photo.width, photo.height);
  const width = Math.max(2, Math.round(photo.width * scale));
  const height = Math.max(2, Math.round(photo.height * scale));
  const small = await resizePixels(photo, width, height);
  const isProduct = new Uint8Array(width * height);
  for (let at = 0; at < isProduct.length; at += 1) {
    const x = (((at % width) + 0.5) / width) * photo.width;
    const y = ((Math.floor(at / width) + 0.5) / height) * photo.height;
    if (isOfProduct(x, y, box, mask)) isProduct[at] = 1;
  }
  const skin = findSkin(small);
  const outline = outlineOf(isProduct, width, height);
  const bare = skin.map((value, at) => (isProduct[at] === 1 ? 0 : value));
  for (let start = 0; start < bare.length; start += 1) {
    if (bare[start] === 1 && isArm(takeArea(start, bare, width), outline, small)) return true;
  }
  return false;
}

/** The pixels that have the colour of skin and belong to no outline. */
function findSkin({ width, height, data }: Pixels): Uint8Array {
  const luma = new Float32Array(width * height);
  for (let at = 0; at < luma.length; at += 1) {
    luma[at] = 0.3 * data[at * 4]! + 0.59 * data[at * 4 + 1]! + 0.11 * data[at * 4 + 2]!;
  }
  const skin = new Uint8Array(luma.length);
  for (let at = 0; at < skin.length; at += 1) {
    const [red, green, blue] = [data[at * 4]!, data[at * 4 + 1]!, data[at * 4 + 2]!];
    const cb = 128 - 0.1687 * red - 0.3313 * green + 0.5 * blue;
    const cr = redOf(data, at);
    const isSkin =
      red > 50 && red - green > 18 && green > blue * 0.9 && cb >= 80 && cb <= 124 && cr >= 140 && cr <= 170;
    if (isSkin && stepAround(luma, at, width, height) < mostStep) skin[at] = 1;
  }
  return skin;
}

/** Cr of a pixel. */
const redOf = (data: Uint8ClampedArray, at: number) =>
  128 + 0.5 * data[at * 4]! - 0.4187 * data[at * 4 + 1]! - 0.0813 * data[at * 4 + 2]!;

/** The difference between the brightest and the darkest of a pixel and its neighbours. */
function stepAround(luma: Float32Array, at: number, width: number, height: number): number {
  const [x, y] = [at % width, Math.floor(at / width)];
  let [darkest, brightest] = [255, 0];
  for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row += 1) {
    for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column += 1) {
      const value = luma[row * width + column]!;
      darkest = Math.min(darkest, value);
      brightest = Math.max(brightest, value);
    }
  }
  return brightest - darkest;
}

/** The pixels around one in the four directions. */
function neighbours(at: number, width: number, height: number): number[] {
  const x = at % width;
  const near = [x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1, at - width, at + width];
  return near.filter((each) => each >= 0 && each < width * height);
}

/** 1 for each pixel of the product that has a neighbour outside of it. */
function outlineOf(isProduct: Uint8Array, width: number, height: number): Uint8Array {
  return isProduct.map((value, at) =>
    value === 1 && neighbours(at, width, height).some((each) => isProduct[each] === 0) ? 1 : 0,
  );
}

const isWithin = (value: number, { from, to }: { from: number; to: number }) => value >= from && value <= to;

function isArm(area: readonly number[], outline: Uint8Array, { width, height, data }: Pixels): boolean {
  if (!isWithin(area.length / (width * height), areas)) return false;
  const touched = new Set<number>();
  let [frame, at, red] = [0, 0, 0];
  for (const pixel of area) {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    red += redOf(data, pixel) / area.length;
    const edges =
      (x === 0 ? sides.left : 0) |
      (x === width - 1 ? sides.right : 0) |
      (y === 0 ? sides.top : 0) |
      (y === height - 1 ? sides.bottom : 0);
    if (edges !== 0) frame += 1;
    at |= edges;
    for (let row = Math.max(0, y - gap); row <= Math.min(height - 1, y + gap); row += 1) {
      for (let column = Math.max(0, x - gap); column <= Math.min(width - 1, x + gap); column += 1) {
        if (outline[row * width + column] === 1) touched.add(row * width + column);
      }
    }
  }
  const length = outline.reduce((sum, value) => sum + value, 1);
  // An arm comes from one side, or from a corner.
  const isOpposite = (at & 3) === 3 || (at & 12) === 12;
  return (
    !isOpposite &&
    red >= leastRed &&
    isWithin(frame / (2 * (width + height)), frames) &&
    isWithin(touched.size / length, contacts)
  );
}
