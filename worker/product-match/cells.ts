/** The cells into which a product is divided, and how their textures lie and correlate in photo and image. */

/** One value for each pixel, row by row. */
export interface Plane {
  data: Float32Array;
  width: number;
  height: number;
}

/** A square of pixels that lies on the product. */
export interface Cell {
  x: number;
  y: number;
  column: number;
  row: number;
}

/**
 * Divides a product into cells.
 * @param mask above 0 where the product is; @param size of a cell, in pixels; @param room pixels that are left free around all
 * @param coverage part of a cell that must belong to the product
 */
export function cellsOf(
  mask: Uint8Array,
  { width, height }: { width: number; height: number },
  { size, room, coverage }: { size: number; room: number; coverage: number },
): Cell[] {
  const cells: Cell[] = [];
  for (let y = room, row = 0; y + size + room <= height; y += size, row += 1) {
    for (let x = room, column = 0; x + size + room <= width; x += size, column += 1) {
      let inside = 0;
      for (let down = 0; down < size; down += 1) {
        for (let across = 0; across < size; across += 1) {
          if (mask[(y + down) * width + x + across]! > 0) inside += 1;
        }
      }
      if (inside >= coverage * size * size) cells.push({ x, y, column, row });
    }
  }
  return cells;
}

/** Standard deviation of a cell's values. */
export function deviationIn({ data, width }: Plane, { x, y }: Cell, size: number): number {
  let [sum, squares] = [0, 0];
  for (let down = 0; down < size; down += 1) {
    const start = (y + down) * width + x;
    for (let across = 0; across < size; across += 1) {
      const value = data[start + across]!;
      sum += value;
      squares += value * value;
    }
  }
  const count = size * size;
  return Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2));
}

/** Where the texture of a cell was found again. */
export interface Shift {
  dx: number;
  dy: number;
  /** Correlation there, -1 to 1. */
  likeness: number;
}

/**
 * Looks for the texture of a cell around its place in another plane.
 * @param reach how far, in pixels; @param step only every so many pixels are compared
 */
export function findShift(
  of: Plane,
  within: Plane,
  { x, y }: Cell,
  { size, reach, step = 1 }: { size: number; reach: number; step?: number },
): Shift {
  const { width } = of;
  let best: Shift = { dx: 0, dy: 0, likeness: -1 };
  const count = Math.ceil(size / step) ** 2;
  const values = new Float32Array(count);
  let [mean, deviation] = [0, 0];
  for (let down = 0, index = 0; down < size; down += step) {
    for (let across = 0; across < size; across += step, index += 1) {
      values[index] = of.data[(y + down) * width + x + across]!;
      mean += values[index]!;
    }
  }
  mean /= count;
  for (let index = 0; index < count; index += 1) {
    values[index]! -= mean;
    deviation += values[index]! ** 2;
  }
  for (let dy = -reach; dy <= reach; dy += 1) {
    for (let dx = -reach; dx <= reach; dx += 1) {
      let [sum, squares, both] = [0, 0, 0];
      for (let down = 0, index = 0; down < size; down += step) {
        const start = (y + dy + down) * width + x + dx;
        for (let across = 0; across < size; across += step, index += 1) {
          const value = within.data[start + across]!;
          sum += value;
          squares += value * value;
          both += value * values[index]!;
        }
      }
      const other = squares - (sum * sum) / count;
      const likeness = both / Math.sqrt(Math.max(1e-6, deviation * other));
      if (likeness > best.likeness) best = { dx, dy, likeness };
    }
  }
  return best;
}

/** Cells that touch each other, corners included. */
export function groupsOf(cells: readonly Cell[]): Cell[][] {
  const left = new Map(cells.map((cell) => [keyOf(cell.column, cell.row), cell]));
  const groups: Cell[][] = [];
  for (const cell of cells) {
    const waiting = left.delete(keyOf(cell.column, cell.row)) ? [cell] : [];
    const group: Cell[] = [];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      group.push(next);
      for (const key of around(next)) {
        const neighbour = left.get(key);
        if (neighbour && left.delete(key)) waiting.push(neighbour);
      }
    }
    if (group.length > 0) groups.push(group);
  }
  return groups;
}

/** The number of cells in the largest group of neighbours. */
export const largestGroup = (cells: readonly Cell[]): number => mostIn(groupsOf(cells));

export const mostIn = (groups: readonly Cell[][]): number =>
  Math.max(0, ...groups.map(({ length }) => length));

/**
 * Tells whether a cell lies at the outline: it lacks a neighbour.
 * @param cells all cells of the product
 */
export function outlineTest(cells: readonly Cell[]): (cell: Cell) => boolean {
  const onProduct = new Set(cells.map(({ column, row }) => keyOf(column, row)));
  return (cell) => around(cell).some((key) => !onProduct.has(key));
}

const keyOf = (column: number, row: number) => row * 1_000 + column;

/** Keys of a cell and its eight neighbours. */
function around({ column, row }: Cell): number[] {
  return Array.from({ length: 9 }, (_, index) =>
    keyOf(column + (index % 3) - 1, row + Math.floor(index / 3) - 1),
  );
}

export function quantileOf(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
