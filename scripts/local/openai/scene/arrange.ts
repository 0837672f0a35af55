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

/**
 * Arranges 1–16 products on a picture of the given size, back rows first (the order in which they are drawn).
 * @param variant moves the group a little, so that several pictures of one request differ
 */
export function arrange(silhouettes: Silhouette[], width: number, height: number, variant: number): Arrangement {
  const count = silhouettes.length;
  const mean = silhouettes.reduce((sum, { fromAbove }) => sum + fromAbove, 0) / count;
  const rows = rowsFor(silhouettes, width, height);
  // Several rows are seen from higher up, so that the back ones show.
  const fromAbove = Math.min(0.66, Math.max(0.17, mean, rows > 1 ? 0.38 + rows * 0.06 : 0));
  const raised = smooth((fromAbove - 0.17) / (0.6 - 0.17));
  const edgeRow = Math.round(height * (0.6 + (0.15 - 0.6) * raised));

  const top = height * (rows > 1 ? 0.09 : 0.12);
  const bottom = height * (rows > 1 ? 0.93 : 0.86);
  const weights = Array.from({ length: rows }, (_, row) => 0.8 ** (rows - 1 - row));
  const weightSum = weights.reduce((sum, weight) => sum + weight, 0);
  const placements: Placement[] = [];
  let base = top;
  let next = 0;
  for (let row = 0; row < rows; row += 1) {
    const inRow = Math.floor(count / rows) + (row >= rows - (count % rows) ? 1 : 0);
    const rowHeight = ((bottom - top) * weights[row]!) / weightSum;
    base += rowHeight;
    const rowWidth = width * (rows > 1 ? 0.9 - 0.1 * (1 - (weights[row] ?? 1)) : 0.88);
    const members = silhouettes.slice(next, next + inRow);
    placeRow(members, next, { width, rowWidth, rowHeight: rowHeight * (rows > 1 ? 0.92 : 0.86), base, rows, variant }, placements);
    next += inRow;
  }
  if (count === 1) centreSingle(placements[0]!, height, edgeRow, raised);
  return { placements, fromAbove, edgeRow };
}

interface Row {
  width: number;
  rowWidth: number;
  rowHeight: number;
  base: number;
  rows: number;
  variant: number;
}

function placeRow(members: Silhouette[], first: number, row: Row, placements: Placement[]): void {
  const gap = row.rowWidth * (members.length > 1 ? 0.035 : 0);
  const room = row.rowWidth - gap * (members.length - 1);
  // Every product gets about the same area, then all shrink together until the row fits.
  const side = Math.min(row.rowHeight, members.length === 1 ? Math.min(row.width, row.rowHeight / 0.78) * 0.68 : row.rowHeight);
  const sizes = members.map(({ width, height }) => {
    const even = side / Math.sqrt(width * height);
    const factor = Math.min(even, row.rowHeight / height, (room * (members.length === 1 ? 0.74 : 1)) / width, largestEnlargement);
    return { width: width * factor, height: height * factor };
  });
  const total = sizes.reduce((sum, size) => sum + size.width, 0);
  const shrink = Math.min(1, room / total);
  const spread = Math.min(1.6, Math.max(1, (room - total * shrink) / Math.max(1, gap * members.length) + 1));
  const step = gap * spread;
  let left = (row.width - total * shrink - step * (members.length - 1)) / 2;
  left += ((row.variant % 3) - 1) * (row.variant === 0 ? 0 : row.width * 0.02);
  if (row.variant === 0) left = (row.width - total * shrink - step * (members.length - 1)) / 2;
  members.forEach((_, place) => {
    const size = sizes[place]!;
    const width = Math.max(1, Math.round(size.width * shrink));
    const height = Math.max(1, Math.round(size.height * shrink));
    // In a single row the middle ones stand a little further forward, as one would set a group.
    const middle = 1 - Math.abs((place - (members.length - 1) / 2) / Math.max(1, members.length / 2));
    const forward = row.rows === 1 && members.length > 2 ? middle * row.rowHeight * 0.05 : 0;
    placements.push({ index: first + place, left: Math.round(left), base: Math.round(row.base + forward - row.rowHeight * 0.04), width, height });
    left += size.width * shrink + step;
  });
}

/** One product: its middle a little below the picture's middle, its foot well on the surface. */
function centreSingle(placement: Placement, height: number, edgeRow: number, raised: number): void {
  const centred = height * (0.55 - raised * 0.01) + placement.height / 2;
  const foot = edgeRow + (height - edgeRow) * 0.42;
  placement.base = Math.round(Math.min(height * 0.9, Math.max(centred, foot)));
}

function rowsFor(silhouettes: Silhouette[], width: number, height: number): number {
  const aspect = silhouettes.reduce((sum, { width: w, height: h }) => sum + w / h, 0) / silhouettes.length;
  let best = 1;
  let bestSide = 0;
  for (let rows = 1; rows <= Math.min(4, silhouettes.length); rows += 1) {
    const columns = Math.ceil(silhouettes.length / rows);
    const side = Math.min((width * 0.86) / columns / Math.sqrt(aspect), ((height * (rows > 1 ? 0.8 : 0.62)) / rows) * Math.sqrt(aspect));
    // A further row costs depth, so it must pay.
    if (side > bestSide * 1.12) {
      best = rows;
      bestSide = side;
    }
  }
  return best;
}

function smooth(value: number): number {
  const t = Math.min(1, Math.max(0, value));
  return t * t * (3 - 2 * t);
}
