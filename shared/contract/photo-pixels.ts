/** Checks the pixels of a photo: the same code in browsers and servers, so that both say the same. */
import { visitBorder } from './image-border.ts';
import { limits } from './limits.ts';
import type { PhotoWarning } from './photo-check.ts';
import { type Coarse, type Luma, measureSharpness } from './photo-edges.ts';

/** Pixels of a photo, row by row; its channels begin with red, green and blue. */
interface Pixels {
  data: ArrayLike<number>;
  width: number;
  height: number;
  channels: number;
}

/** Cells on the longer side, unless they had fewer than `leastCell` pixels per side. */
const coarseSide = 256;
const leastCell = 4;

/** The sharpness below which a photo is blurry (`measureSharpness`): that of an edge with a Gaussian blur of about 1.4 pixels. */
const leastSharpness = 1.54;

/** Almost all of a photo is darker than its highlights. Below this luma they are at least two and a half stops too dark. */
const highlightPart = 0.005;
const darkLuma = 112;

/**
 * Checks a photo.
 * @param pixels of the photo as it is stored, without transparency
 */
export function checkPhoto(pixels: Pixels): PhotoWarning[] {
  const { luma, coarse } = readPixels(pixels);
  const warnings: PhotoWarning[] = [];
  if (Math.min(pixels.width, pixels.height) < limits.photoSideGood) warnings.push('small');
  const isDark = highlightOf(coarse.luma) < darkLuma;
  // In the dark there are no edges to judge.
  if (!isDark && (measureSharpness(luma, coarse) ?? leastSharpness) < leastSharpness) warnings.push('blurry');
  if (isDark) warnings.push('dark');
  else if (isTooBright(coarse)) warnings.push('bright');
  return warnings;
}

/** Weights of red, green and blue in the luma of a pixel. */
const [ofRed, ofGreen, ofBlue] = [0.299, 0.587, 0.114];

function readPixels({ data, width, height, channels }: Pixels): { luma: Luma; coarse: Coarse } {
  const size = Math.max(leastCell, Math.round(Math.max(width, height) / coarseSide));
  const columns = Math.floor(width / size);
  const rows = Math.floor(height / size);
  const cells = columns * rows;
  const luma = new Uint8ClampedArray(width * height);
  const lumas = new Float32Array(cells);
  const strongest = new Float32Array(cells);
  const weakest = new Float32Array(cells);
  const share = 1 / (size * size);
  for (let y = 0; y < height; y += 1) {
    const row = Math.floor(y / size);
    // The last column has what is left of the width.
    for (let column = 0; column <= columns; column += 1) {
      const end = y * width + Math.min(width, (column + 1) * size);
      let sum = 0;
      let most = 0;
      let least = 0;
      for (let at = y * width + column * size; at < end; at += 1) {
        const from = at * channels;
        const red = data[from]!;
        const green = data[from + 1]!;
        const blue = data[from + 2]!;
        const value = ofRed * red + ofGreen * green + ofBlue * blue;
        luma[at] = value;
        sum += value;
        most += Math.max(red, green, blue);
        least += Math.min(red, green, blue);
      }
      if (row === rows || column === columns) continue;
      const cell = row * columns + column;
      lumas[cell] = lumas[cell]! + sum * share;
      strongest[cell] = strongest[cell]! + most * share;
      weakest[cell] = weakest[cell]! + least * share;
    }
  }
  const coarse = { luma: lumas, strongest, weakest, width: columns, height: rows, size };
  return { luma: { data: luma, width, height }, coarse };
}

/** The luma that only the highlights exceed. */
function highlightOf(luma: Float32Array): number {
  const counts = new Uint32Array(256);
  for (const value of luma) counts[Math.floor(value)]! += 1;
  let brighter = 0;
  for (let value = 255; value > 0; value -= 1) {
    brighter += counts[value]!;
    if (brighter >= luma.length * highlightPart) return value;
  }
  return 0;
}

/** A channel from this value on is clipped; a JPEG moves 255 by a few. */
const clipped = 250;
/** All channels of white have at least this value. */
const white = 248;
/** A pale colour that is clipped: the weakest channel of a vivid one is lower, and one above is a light on something white. */
const paleFrom = 40;
const paleTo = 240;
/** Parts of what is not background: of clipped colours, and of those with white, from which on the photo is too bright. */
const mostClipped = 0.04;
const mostWhite = 0.2;
/** Part of the photo from which on a background counts as white by intention, so that white in the product does as well. */
const whiteBackground = 0.1;
/** Part of the photo that a product has at least. */
const leastProduct = 0.002;
/** Part of a background next to what is nearly clipped, from `nearlyClipped` on, from which on it is no wall or sweep. */
const [mostRagged, nearlyClipped] = [0.1, 205];

/** Part of the frame that a white sweep takes at least. Light seldom clips the surroundings all the way round. */
const sweepFrame = 0.95;
/** Pale spots in a background, at most so large each, which together show that it is no sweep; parts of the photo. */
const [largestSpot, mostSpots] = [0.002, 0.0015];

/**
 * Whether a photo has lost details to the light. What is white or evenly clipped from the frame inwards is background, where
 * white is good, unless its outline is ragged or it has pale spots: then it is a carpet, grass, tiles or wood of which the
 * light left only parts.
 */
function isTooBright(coarse: Coarse): boolean {
  const { strongest, weakest } = coarse;
  const background = findBackground(coarse);
  let [outside, backgroundWeakest] = [0, 0];
  for (let cell = 0; cell < background.length; cell += 1) {
    if (background[cell] === 0) continue;
    outside += 1;
    backgroundWeakest += weakest[cell]!;
  }
  const part = outside / background.length;
  if (part > 1 - leastProduct) return true;
  if (part >= whiteBackground && raggedOf(background, coarse) >= mostRagged * outside) return true;
  if (!isSweep(background, coarse) && spotsOf(background, coarse) >= mostSpots * background.length)
    return true;
  // Seen through a handle, the background is no part of the product.
  const seenThrough = part >= whiteBackground ? backgroundWeakest / outside : Number.NaN;
  let [pale, whites] = [0, 0];
  for (let cell = 0; cell < background.length; cell += 1) {
    const low = weakest[cell]!;
    if (background[cell] === 1 || strongest[cell]! < clipped || Math.abs(low - seenThrough) <= 3) continue;
    if (low >= paleFrom && low < paleTo) pale += 1;
    else if (low >= clipped && part < whiteBackground) whites += 1;
  }
  const inside = background.length - outside;
  return pale >= inside * mostClipped || pale + whites >= inside * mostWhite;
}

/** How many cells of a background have a neighbour that is nearly as bright but not clipped. */
function raggedOf(background: Uint8Array, { strongest, width }: Coarse): number {
  const isNear = (cell: number) => (strongest[cell] ?? 0) >= nearlyClipped && strongest[cell]! < clipped;
  let ragged = 0;
  for (let cell = 0; cell < background.length; cell += 1) {
    if (background[cell] === 0) continue;
    const x = cell % width;
    const beside = (x > 0 && isNear(cell - 1)) || (x < width - 1 && isNear(cell + 1));
    if (beside || isNear(cell - width) || isNear(cell + width)) ragged += 1;
  }
  return ragged;
}

function isSweep(background: Uint8Array, { width, height }: Coarse): boolean {
  let [white, all] = [0, 0];
  visitBorder({ width, height }, (cell) => {
    white += background[cell]!;
    all += 1;
  });
  return white >= sweepFrame * all;
}

/** How many cells belong to small areas that are nearly clipped everywhere, with background around them. */
function spotsOf(background: Uint8Array, { strongest, width }: Coarse): number {
  const seen = background.slice();
  let spots = 0;
  for (let first = 0; first < seen.length; first += 1) {
    if (seen[first] === 1) continue;
    const area = [first];
    seen[first] = 1;
    let isPale = true;
    const visit = (cell: number) => {
      if (seen[cell] !== 0) return;
      seen[cell] = 1;
      area.push(cell);
    };
    for (let next = 0; next < area.length; next += 1) {
      const cell = area[next]!;
      const x = cell % width;
      isPale &&= strongest[cell]! >= nearlyClipped;
      if (x > 0) visit(cell - 1);
      if (x < width - 1) visit(cell + 1);
      visit(cell - width);
      visit(cell + width);
    }
    if (isPale && area.length <= largestSpot * seen.length) spots += area.length;
  }
  return spots;
}

/** 1 for each cell of the background: it is white, or clipped and like its neighbour, all the way from the frame. */
function findBackground({ strongest, weakest, width, height }: Coarse): Uint8Array {
  const found = new Uint8Array(width * height);
  const open: number[] = [];
  const visit = (cell: number, from: number) => {
    if (found[cell] === 1) return;
    const low = weakest[cell]!;
    if (low < white && (strongest[cell]! < clipped + 2 || Math.abs(low - weakest[from]!) > 1)) return;
    found[cell] = 1;
    open.push(cell);
  };
  visitBorder({ width, height }, (cell) => visit(cell, cell));
  for (let cell = open.pop(); cell !== undefined; cell = open.pop()) {
    const x = cell % width;
    if (x > 0) visit(cell - 1, cell);
    if (x < width - 1) visit(cell + 1, cell);
    if (cell >= width) visit(cell - width, cell);
    if (cell < (height - 1) * width) visit(cell + width, cell);
  }
  return found;
}
