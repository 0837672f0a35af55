import type { EditPixels } from './edit-geometry.ts';

/** What counts as nearly white. */
export interface WhiteLevel {
  /** All channels of a pixel are at least this, */
  lightLeast: number;
  /** and they differ by at most this. */
  chromaMost: number;
}

/** The usual level. */
export const usualWhite: WhiteLevel = { lightLeast: 215, chromaMost: 24 };
/** Pixels beside the background that are up to this much darker become partly white: the soft edge. */
const softRange = 60;

/**
 * Makes a nearly white background pure white, in place. The background is what is nearly white and connected to the
 * border, so white parts of the product stay as they are. Transparent parts become white first.
 */
export function whitenBackground(pixels: EditPixels): void {
  putOnWhite(pixels.data);
  whiten(pixels, findBackground(pixels, usualWhite), usualWhite);
}

/** Makes a background pure white, in place, and what is beside it softly. @param background as `findBackground` gives it */
export function whiten({ data, width, height }: EditPixels, background: Uint8Array, level: WhiteLevel): void {
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const pixel = y * width + x;
      if (background[pixel]) continue;
      if (!hasBackgroundBeside(background, width, height, x, y)) continue;
      const weight = softWeight(data, pixel * 4, level);
      for (let at = pixel * 4; at < pixel * 4 + 3; at += 1) data[at] = data[at]! + (255 - data[at]!) * weight;
    }
  }
  for (let pixel = 0; pixel < background.length; pixel += 1) {
    if (background[pixel]) data.fill(255, pixel * 4, pixel * 4 + 3);
  }
}

/** Puts an image on white, in place. */
export function putOnWhite(data: Uint8ClampedArray): void {
  for (let at = 0; at < data.length; at += 4) {
    const opacity = data[at + 3]! / 255;
    if (opacity === 1) continue;
    for (let channel = at; channel < at + 3; channel += 1) {
      data[channel] = data[channel]! * opacity + 255 * (1 - opacity);
    }
    data[at + 3] = 255;
  }
}

function isNearlyWhite(data: Uint8ClampedArray, at: number, { lightLeast, chromaMost }: WhiteLevel): boolean {
  const [red, green, blue] = [data[at]!, data[at + 1]!, data[at + 2]!];
  const least = Math.min(red, green, blue);
  return least >= lightLeast && Math.max(red, green, blue) - least <= chromaMost;
}

/** Finds the nearly white background of an image without transparency. @returns 1 for each of its pixels, 0 for the others */
export function findBackground({ data, width, height }: EditPixels, level: WhiteLevel): Uint8Array {
  const background = new Uint8Array(width * height);
  // Each pixel is put on the stack at most once.
  const stack = new Uint32Array(width * height);
  let size = 0;
  const visit = (pixel: number) => {
    if (background[pixel] || !isNearlyWhite(data, pixel * 4, level)) return;
    background[pixel] = 1;
    stack[size] = pixel;
    size += 1;
  };
  for (let x = 0; x < width; x += 1) {
    visit(x);
    visit((height - 1) * width + x);
  }
  for (let y = 0; y < height; y += 1) {
    visit(y * width);
    visit(y * width + width - 1);
  }
  while (size > 0) {
    size -= 1;
    const pixel = stack[size]!;
    const x = pixel % width;
    if (x > 0) visit(pixel - 1);
    if (x < width - 1) visit(pixel + 1);
    if (pixel >= width) visit(pixel - width);
    if (pixel < (height - 1) * width) visit(pixel + width);
  }
  return background;
}

function hasBackgroundBeside(
  background: Uint8Array,
  width: number,
  height: number,
  x: number,
  y: number,
): boolean {
  for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row += 1) {
    for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column += 1) {
      if (background[row * width + column]) return true;
    }
  }
  return false;
}

/** How much of a pixel beside the background becomes white: 0 to 1, by its lightness; 0 if it is coloured. */
function softWeight(data: Uint8ClampedArray, at: number, { lightLeast, chromaMost }: WhiteLevel): number {
  const [red, green, blue] = [data[at]!, data[at + 1]!, data[at + 2]!];
  const least = Math.min(red, green, blue);
  if (Math.max(red, green, blue) - least > 2 * chromaMost) return 0;
  return Math.min(1, Math.max(0, (least - (lightLeast - softRange)) / softRange));
}
