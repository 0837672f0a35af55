/** What the light changed between a photo and an image of one product, and what remains when that is taken away. */
import { type Cell, largestGroup, quantileOf } from './cells.ts';
import type { Pixels } from './product-photo.ts';

/** The change of light and of colour. */
export interface ColourChange {
  /** Natural logarithm of how much brighter the whole product is. */
  exposure: number;
  /** How much warmer its light is: half the difference of red and blue, in the same unit. */
  warmth: number;
  /** How much greener than red and blue. */
  green: number;
  /** Cells whose colour was compared. */
  cells: number;
  /** Difference in hue and saturation that the light does not explain, in units of CIE Lab: mean, and of the 90th percentile. */
  chroma: number;
  chromaMost: number;
  /** The largest group of neighbouring cells with such a difference, as a fraction of all. */
  recoloured: number;
  /** Difference in lightness that the light does not explain, 90th percentile; and the largest group. */
  lightness: number;
  relighted: number;
}

/** Light that is added everywhere: without it the darkest pixels would have any ratio. Linear, of 1. */
const flare = 0.02;
/** Units of Lab from which a cell counts as recoloured, or as darker or lighter. */
const [otherChroma, otherLightness] = [11, 16];

const toLinear = Float64Array.from({ length: 256 }, (_, value) =>
  value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
);

type Colour = [number, number, number];

/** Mean linear colour of a cell within the mask. */
function meanColour({ data, width }: Pixels, mask: Uint8Array, { x, y }: Cell, size: number): Colour {
  const sums: Colour = [0, 0, 0];
  let count = 0;
  for (let down = 0; down < size; down += 1) {
    for (let across = 0; across < size; across += 1) {
      const index = (y + down) * width + x + across;
      if (mask[index] === 0) continue;
      count += 1;
      sums[0] += toLinear[data[index * 3]!]!;
      sums[1] += toLinear[data[index * 3 + 1]!]!;
      sums[2] += toLinear[data[index * 3 + 2]!]!;
    }
  }
  return [sums[0] / count, sums[1] / count, sums[2] / count];
}

/**
 * Estimates one change of light for the whole product, a factor for each channel and shading that changes slowly across it,
 * and measures what remains.
 * @param photo, image RGB, in the same place; @param mask above 0 where the product is
 */
export function compareColours(
  photo: Pixels,
  image: Pixels,
  mask: Uint8Array,
  cells: readonly Cell[],
  size: number,
): ColourChange {
  const before = cells.map((cell) => meanColour(photo, mask, cell, size));
  const after = cells.map((cell) => meanColour(image, mask, cell, size));
  const ratios = before.map((colour, index) =>
    colour.map((value, channel) => Math.log((after[index]![channel]! + flare) / (value + flare))),
  );
  const gains = gainsOf(ratios, before, after);
  const brighter = ratios.map(
    (ratio) => (ratio[0]! + ratio[1]! + ratio[2]! - gains[0] - gains[1] - gains[2]) / 3,
  );
  const shading = fitShading(cells, brighter, photo);
  const differences = cells.map((_, index) => {
    const expected = before[index]!.map(
      (value, channel) => (value + flare) * Math.exp(gains[channel]! + shading[index]!) - flare,
    ) as Colour;
    const [one, other] = [toLab(expected), toLab(after[index]!)];
    return {
      lightness: Math.abs(one[0] - other[0]),
      chroma: Math.hypot(one[1] - other[1], one[2] - other[2]),
    };
  });
  const count = Math.max(1, cells.length);
  const groupOf = (isOther: (difference: { lightness: number; chroma: number }) => boolean) =>
    largestGroup(cells.filter((_, index) => isOther(differences[index]!))) / count;
  const chromas = differences.map(({ chroma }) => chroma);
  return {
    exposure: (gains[0] + gains[1] + gains[2]) / 3,
    warmth: (gains[0] - gains[2]) / 2,
    green: gains[1] - (gains[0] + gains[2]) / 2,
    cells: cells.length,
    chroma: chromas.reduce((sum, value) => sum + value, 0) / count,
    chromaMost: quantileOf(chromas, 0.9),
    recoloured: groupOf(({ chroma }) => chroma > otherChroma),
    lightness: quantileOf(
      differences.map(({ lightness }) => lightness),
      0.9,
    ),
    relighted: groupOf(({ lightness }) => lightness > otherLightness),
  };
}

/** Linear values, of 1, between which a channel says how much light there is: below it is flare and noise, above it is clipped. */
const [leastValue, mostValue] = [0.02, 0.92];

/** The middle ratio of each channel, by the cells in which it says something; of a channel without such cells, that of the others. */
function gainsOf(ratios: readonly number[][], before: readonly Colour[], after: readonly Colour[]): Colour {
  const says = (value: number) => value > leastValue && value < mostValue;
  const known = [0, 1, 2].map((channel) => {
    const usable = ratios.filter(
      (_, index) => says(before[index]![channel]!) && says(after[index]![channel]!),
    );
    const enough = usable.length >= Math.max(4, ratios.length / 20);
    return enough
      ? quantileOf(
          usable.map((ratio) => ratio[channel]!),
          0.5,
        )
      : null;
  });
  const all = known.filter((gain) => gain !== null);
  if (all.length === 0)
    return [0, 1, 2].map((channel) =>
      quantileOf(
        ratios.map((ratio) => ratio[channel]!),
        0.5,
      ),
    ) as Colour;
  const middle = all.reduce((sum, gain) => sum + gain, 0) / all.length;
  return known.map((gain) => gain ?? middle) as Colour;
}

/** Terms of a surface of second degree, for a place from -1 to 1. */
const terms = (x: number, y: number) => [1, x, y, x * x, x * y, y * y];
/** Differences from which a cell no longer counts in full, as natural logarithm. */
const outlier = 0.15;

/** Fits a smooth surface to how much brighter each cell is; cells far from it count less. @returns its values */
function fitShading(
  cells: readonly Cell[],
  brighter: readonly number[],
  { width, height }: Pixels,
): number[] {
  const rows = cells.map(({ x, y }) => terms((2 * x) / width - 1, (2 * y) / height - 1));
  let weights = cells.map(() => 1);
  let fitted = cells.map(() => 0);
  for (let round = 0; round < 4; round += 1) {
    const factors = solveLeastSquares(rows, brighter, weights);
    fitted = rows.map((row) => row.reduce((sum, term, index) => sum + term * factors[index]!, 0));
    weights = fitted.map(
      (value, index) => 1 / Math.max(1, (Math.abs(brighter[index]! - value) / outlier) ** 2),
    );
  }
  return fitted;
}

/** Weighted least squares with a little damping, by elimination. */
function solveLeastSquares(
  rows: readonly number[][],
  values: readonly number[],
  weights: readonly number[],
): number[] {
  const size = terms(0, 0).length;
  const system = Array.from({ length: size }, (_, row) =>
    Array.from({ length: size + 1 }, (__, column) => (row === column ? 0.02 * rows.length + 1e-6 : 0)),
  );
  system[0]![0] = 1e-6;
  for (const [index, ofCell] of rows.entries()) {
    for (let row = 0; row < size; row += 1) {
      const weighted = ofCell[row]! * weights[index]!;
      for (let column = 0; column < size; column += 1) system[row]![column]! += weighted * ofCell[column]!;
      system[row]![size]! += weighted * values[index]!;
    }
  }
  for (let pivot = 0; pivot < size; pivot += 1) {
    for (let row = 0; row < size; row += 1) {
      if (row === pivot) continue;
      const factor = system[row]![pivot]! / system[pivot]![pivot]!;
      for (let column = pivot; column <= size; column += 1)
        system[row]![column]! -= factor * system[pivot]![column]!;
    }
  }
  return system.map((row, index) => row[size]! / row[index]!);
}

const root = (value: number) => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116);

/** CIE Lab of a linear colour, for D65. */
function toLab([red, green, blue]: Colour): Colour {
  const clamp = (value: number) => Math.min(1, Math.max(0, value));
  const [r, g, b] = [clamp(red), clamp(green), clamp(blue)];
  const x = root((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
  const y = root(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = root((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}
