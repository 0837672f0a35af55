/** Perspectives as 3 × 3 matrices, by rows. */
export type Matrix = readonly number[];

export interface Point {
  x: number;
  y: number;
}

/** A part of a picture, in its pixels or in fractions of its size. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Size {
  width: number;
  height: number;
}

/** The product of two matrices: first `other`, then `one`. */
export function multiply(one: Matrix, other: Matrix): number[] {
  return Array.from({ length: 9 }, (_, index) => {
    const [row, column] = [Math.floor(index / 3) * 3, index % 3];
    return (
      one[row]! * other[column]! + one[row + 1]! * other[column + 3]! + one[row + 2]! * other[column + 6]!
    );
  });
}

function transform(matrix: Matrix, { x, y }: Point): Point {
  const depth = matrix[6]! * x + matrix[7]! * y + matrix[8]!;
  return {
    x: (matrix[0]! * x + matrix[1]! * y + matrix[2]!) / depth,
    y: (matrix[3]! * x + matrix[4]! * y + matrix[5]!) / depth,
  };
}

/** Where the corners of a picture, or of a part of one, lie after a perspective. */
export function cornersOf(matrix: Matrix, { x = 0, y = 0, width, height }: Size & Partial<Point>): Point[] {
  const corners = [
    { x, y },
    { x: x + width, y },
    { x: x + width, y: y + height },
    { x, y: y + height },
  ];
  return corners.map((corner) => transform(matrix, corner));
}

/** Scales at which a product is still recognised. */
const [smallest, largest] = [0.15, 4];

/** Whether corners can be those of a product: neither mirrored nor crossed, nor far too large or small. */
export function isPlausible(corners: readonly Point[], { width, height }: Size): boolean {
  const turns = corners.map((corner, index) => {
    const [next, after] = [corners[(index + 1) % 4]!, corners[(index + 2) % 4]!];
    return (next.x - corner.x) * (after.y - next.y) - (next.y - corner.y) * (after.x - next.x);
  });
  const scale = Math.sqrt((turns[0]! + turns[2]!) / 2 / (width * height));
  return turns.every((turn) => turn > 0) && scale > smallest && scale < largest;
}

/** What a perspective does to a picture. */
export interface Distortion {
  /** Mean factor of lengths. */
  scale: number;
  /** 1 less the ratio of the shortest and the longest factor of lengths in its middle: 0.05 if stretched by 5 %. */
  stretch: number;
  /** How much the depth varies from one end to the other: 0 without perspective. */
  depth: number;
}

export function distortionOf(matrix: Matrix, { width, height }: Size): Distortion {
  const [x, y] = [width / 2, height / 2];
  const depth = matrix[6]! * x + matrix[7]! * y + matrix[8]!;
  const middle = transform(matrix, { x, y });
  const slope = (row: number, column: number, value: number) =>
    (matrix[row * 3 + column]! - value * matrix[6 + column]!) / depth;
  const [a, b] = [slope(0, 0, middle.x), slope(0, 1, middle.x)];
  const [c, d] = [slope(1, 0, middle.y), slope(1, 1, middle.y)];
  const sum = (a * a + b * b + c * c + d * d) / 2;
  const area = Math.abs(a * d - b * c);
  const root = Math.sqrt(Math.max(0, sum * sum - area * area));
  return {
    scale: Math.sqrt(area),
    stretch: 1 - Math.sqrt(Math.max(0, sum - root) / (sum + root)),
    depth: (Math.hypot(matrix[6]!, matrix[7]!) * Math.max(width, height)) / Math.abs(depth),
  };
}
