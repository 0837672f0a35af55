/** Where the products stand: sizes and places so that none hides another. */

/** A product's silhouette as the arrangement sees it. */
export interface Silhouette {
  width: number;
  height: number;
  /** How far from above it was photographed: the sine of the camera's pitch, 0 level to 1 straight down. */
  fromAbove: number;
}

/** A place in the picture, in pixels; `base` is the row on which the product's lowest point stands. */
export interface Placement {
  index: number;
  left: number;
  base: number;
  width: number;
  height: number;
}

/** The whole arrangement, and the camera that goes with it. */
export interface Arrangement {
  placements: Placement[];
  /** Sine of the camera's pitch, between that of a table-level shot and of one from above. */
  fromAbove: number;
  /** The row at which the surface ends and the backdrop begins. */
  edgeRow: number;
}

const largestEnlargement = 3.2;
/** A row further back looks this much smaller. */
const perspective = 0.84;

/**
 * Arranges 1–16 products on a picture of the given size, back rows first (the order in which they are drawn).
 * @param variant moves the group a little, so that several pictures of one request differ
 */
export function arrange(
  silhouettes: Silhouette[],
  width: number,
  height: number,
  variant: number,
): Arrangement {
  const count = silhouettes.length;
  const rowCount = rowsFor(count, width / height);
  const mean = silhouettes.reduce((sum, { fromAbove }) => sum + fromAbove, 0) / count;
  // Several rows are seen from higher up, so that the back ones show.
  const fromAbove = Math.min(0.66, Math.max(0.17, mean, rowCount > 1 ? 0.38 + rowCount * 0.06 : 0));
  const raised = smooth((fromAbove - 0.17) / (0.6 - 0.17));
  const edgeRow = Math.round(height * (0.6 + (0.15 - 0.6) * raised));

  const top = height * (rowCount > 1 ? 0.1 : 0.12);
  const bottom = height * (rowCount > 1 ? 0.94 : 0.9);
  const shift = variant === 0 ? 0 : ((variant % 3) - 1) * width * 0.02;
  const rows = splitIntoRows(silhouettes, rowCount, width, bottom - top);
  const side = Math.min(...rows.map((row) => row.largestSide));

  const placements: Placement[] = [];
  let rowBase = top;
  for (const row of rows) {
    rowBase += row.height;
    const sizes = row.members.map(({ silhouette }) => sizeOf(silhouette, side * row.scale, row));
    const widths = sizes.reduce((sum, size) => sum + size.width, 0);
    const gap =
      row.members.length === 1 ? 0 : Math.min(row.gap * 2.4, (row.width - widths) / (row.members.length - 1));
    let left = (width - widths - gap * (row.members.length - 1)) / 2 + shift;
    const tallest = Math.max(...sizes.map((size) => size.height));
    const base = rowCount > 1 ? rowBase - row.height * 0.04 : singleRowBase(tallest, height, edgeRow);
    row.members.forEach(({ index }, place) => {
      const size = sizes[place]!;
      // In a row of several the middle ones stand a little further forward, as one would set a group.
      const middle = 1 - Math.abs((place - (row.members.length - 1) / 2) / (row.members.length / 2));
      const forward = row.members.length > 2 ? middle * tallest * 0.06 * raised : 0;
      placements.push({
        index,
        left: Math.round(left),
        base: Math.round(Math.min(base + forward, height * 0.95)),
        width: Math.max(1, Math.floor(size.width)),
        height: Math.max(1, Math.floor(size.height)),
      });
      left += size.width + gap;
    });
  }
  return { placements, fromAbove, edgeRow };
}

interface Row {
  members: { index: number; silhouette: Silhouette }[];
  /** How much smaller than in the front row a product looks here. */
  scale: number;
  width: number;
  height: number;
  gap: number;
  /** The side of the square of a product's area that would just fit, as seen in the front row. */
  largestSide: number;
}

function splitIntoRows(silhouettes: Silhouette[], rowCount: number, width: number, height: number): Row[] {
  const scales = Array.from({ length: rowCount }, (_, row) => perspective ** (rowCount - 1 - row));
  const scaleSum = scales.reduce((sum, scale) => sum + scale, 0);
  const rows: Row[] = [];
  let next = 0;
  scales.forEach((scale, place) => {
    // The rows behind are wider in the picture's depth: they take the odd ones.
    const size = Math.floor(silhouettes.length / rowCount) + (place < silhouettes.length % rowCount ? 1 : 0);
    const members = silhouettes
      .slice(next, next + size)
      .map((silhouette, offset) => ({ index: next + offset, silhouette }));
    next += size;
    const rowWidth = width * (size === 1 ? 0.66 : 0.88);
    const rowHeight = (height * scale) / scaleSum;
    const gap = size > 1 ? width * Math.min(0.035, 0.12 / size) : 0;
    const relativeWidths = members.reduce(
      (sum, { silhouette }) => sum + Math.sqrt(silhouette.width / silhouette.height),
      0,
    );
    const byWidth = (rowWidth - gap * (size - 1)) / relativeWidths;
    const byHeight = rowHeight * (rowCount > 1 ? 0.86 : 0.74);
    rows.push({
      members,
      scale,
      width: rowWidth,
      height: rowHeight,
      gap,
      largestSide: Math.min(byWidth, byHeight) / scale,
    });
    if (size === 1 && rowCount === 1) rows[0]!.largestSide = Math.min(byWidth, byHeight, width * 0.6);
  });
  return rows;
}

/** Every product gets the same area, unless it would be too tall or its photo too coarse. */
function sizeOf({ width, height }: Silhouette, side: number, row: Row): { width: number; height: number } {
  const factor = Math.min(
    side / Math.sqrt(width * height),
    (row.height * 0.93) / height,
    largestEnlargement * Math.max(1, side / 700),
  );
  return { width: width * factor, height: height * factor };
}

/** One row: its middle a little below the picture's middle, its foot well on the surface. */
function singleRowBase(tallest: number, height: number, edgeRow: number): number {
  const centred = height * 0.535 + tallest / 2;
  const foot = edgeRow + (height - edgeRow) * 0.45;
  return Math.min(height * 0.9, Math.max(centred, foot));
}

/** How many rows so many products make: up to four stand side by side in a square picture. */
function rowsFor(count: number, aspect: number): number {
  const inOneRow = aspect > 1.2 ? 5 : aspect < 0.8 ? 2 : 4;
  if (count <= inOneRow) return 1;
  return Math.min(5, Math.max(2, Math.round(Math.sqrt(count / aspect))));
}

function smooth(value: number): number {
  const t = Math.min(1, Math.max(0, value));
  return t * t * (3 - 2 * t);
}
