/** Whether two products have the same colours, wherever these are. */
import { quantileOf } from './cells.ts';
import type { Pixels } from './product-photo.ts';

interface Masked extends Pixels {
  mask: { data: Uint8Array | Buffer; width: number; height: number };
}

/** Shares of the pixels at which the distributions of two products' colours are compared. */
const shares = [0.05, 0.15, 0.3, 0.5, 0.7, 0.85, 0.95];
/** Change of red against green, and blue against yellow, that light may make, in units of this file's colours. */
const mostTint = 0.05;

/**
 * How far apart the colours of two products are, after a change of light: the mean difference of their red against green and
 * blue against yellow, each relative to lightness; 0 if they are the same. Of strong colours it counts less: light and shadow
 * change them more.
 */
export function paletteDifference(one: Masked, other: Masked): number {
  const [first, second] = [coloursOf(one), coloursOf(other)];
  if (first[0].length === 0 || second[0].length === 0) return 1;
  let [sum, colourfulness] = [0, 0];
  for (const axis of [0, 1] as const) {
    const [ofOne, ofOther] = [first, second].map((colours) =>
      shares.map((share) => quantileOf(colours[axis], share)),
    ) as [number[], number[]];
    const gaps = ofOne.map((value, index) => value - ofOther[index]!);
    const shift = Math.max(
      -mostTint,
      Math.min(mostTint, gaps.reduce((total, gap) => total + gap, 0) / gaps.length),
    );
    colourfulness +=
      shares.reduce(
        (total, _, index) => total + (Math.abs(ofOne[index]!) + Math.abs(ofOther[index]!)) / 2,
        0,
      ) / shares.length;
    sum += gaps.reduce((total, gap) => total + Math.abs(gap - shift), 0) / gaps.length;
  }
  return sum / (1 + colourfulness);
}

function coloursOf({ data, width, height, mask }: Masked): [number[], number[]] {
  const step = Math.max(1, Math.floor(Math.max(width, height) / 120));
  const colours: [number[], number[]] = [[], []];
  for (let y = 0; y < height; y += step) {
    for (let x = 0; x < width; x += step) {
      const [column, row] = [Math.floor((x * mask.width) / width), Math.floor((y * mask.height) / height)];
      if (mask.data[row * mask.width + column]! < 180) continue;
      const index = (y * width + x) * 3;
      const [red, green, blue] = [data[index]!, data[index + 1]!, data[index + 2]!];
      const light = (red + green + blue) / 3 + 30;
      colours[0].push((red - green) / light);
      colours[1].push((blue - (red + green) / 2) / light);
    }
  }
  return colours;
}
