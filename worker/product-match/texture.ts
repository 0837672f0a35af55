/** Compares the texture of a product in photo and image: text, logos, seams. */
import {
  type Cell,
  cellsOf,
  deviationIn,
  findShift,
  groupsOf,
  mostIn,
  outlineTest,
  type Plane,
  quantileOf,
} from './cells.ts';
import type { Box } from './geometry.ts';

/** How texture differs. */
export interface TextureChange {
  /** Cells with texture in photo or image. */
  textured: number;
  /** Those whose texture is not found in the other one, without mistakes of the mask. */
  differing: number;
  /** The largest group of them that are neighbours. */
  group: number;
  /** Where that group lies, in pixels of the product; null for none. */
  where: Box | null;
  /** How far the others lie from where the whole product says, in pixels: 90th percentile. */
  displaced: number;
  /** Middle correlation of the others. */
  likeness: number;
}

/** Width and height of a cell, in pixels of the product. */
export const textureCell = 12;
/** How far a texture may lie from its place: products are not flat. */
const reach = 3;
/** Standard deviation of the lightness from which a cell has texture, of 255, without shading; and in the image alone. */
const [textureOfPhoto, textureOfImage] = [6, 10];
/** Correlation below which two textures differ. */
const similar = 0.8;
/** A texture that is weak in photo and image is noise rather than print: it needs less correlation. */
const [weakTexture, similarIfWeak] = [11, 0.4];
/** Unless one of the two is much stronger than light would make it. */
const muchStronger = 2.2;
/** Part of a group at the outline that looks like background, above which the mask was wrong there and nothing differs. */
const mostlyBackground = 0.5;

/**
 * @param photo, image without shading, in the same place; @param mask above 0 where the product is
 * @param backgroundIn which part of a cell, 0 to 1, looks in the photo like what is around the product
 */
export function compareTexture(
  photo: Plane,
  image: Plane,
  mask: Uint8Array,
  backgroundIn: (cell: Cell) => number,
): TextureChange {
  const cells = cellsOf(mask, photo, { size: textureCell, room: reach + 1, coverage: 0.8 });
  const differing: Cell[] = [];
  const shifts: number[] = [];
  const likenesses: number[] = [];
  let textured = 0;
  for (const cell of cells) {
    const [inPhoto, inImage] = [deviationIn(photo, cell, textureCell), deviationIn(image, cell, textureCell)];
    if (inPhoto < textureOfPhoto && inImage < textureOfImage) continue;
    textured += 1;
    const [template, within] = inPhoto >= inImage * 0.6 ? [photo, image] : [image, photo];
    const { dx, dy, likeness } = findShift(template, within, cell, { size: textureCell, reach });
    const stronger = Math.max(inPhoto, inImage) / Math.max(1, Math.min(inPhoto, inImage));
    const enough = Math.max(inPhoto, inImage) < weakTexture ? similarIfWeak : similar;
    if (likeness < enough || (likeness < similar && stronger > muchStronger)) differing.push(cell);
    else {
      shifts.push(Math.hypot(dx, dy));
      likenesses.push(likeness);
    }
  }
  const isAtOutline = outlineTest(cells);
  const isMistakeOfMask = (group: readonly Cell[]) =>
    group.some(isAtOutline) &&
    group.reduce((sum, cell) => sum + backgroundIn(cell), 0) > mostlyBackground * group.length;
  const groups = groupsOf(differing).filter((group) => !isMistakeOfMask(group));
  return {
    textured,
    differing: groups.flat().length,
    group: mostIn(groups),
    where: boxOf(groups.toSorted((one, other) => other.length - one.length)[0]),
    displaced: quantileOf(shifts, 0.9),
    likeness: quantileOf(likenesses, 0.5),
  };
}

/** The box around cells. */
function boxOf(cells: readonly Cell[] | undefined): Box | null {
  if (cells === undefined) return null;
  const [xs, ys] = [cells.map(({ x }) => x), cells.map(({ y }) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) + textureCell - x, height: Math.max(...ys) + textureCell - y };
}
