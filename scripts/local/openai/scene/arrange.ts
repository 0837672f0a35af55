/** Arranges the products: sizes, positions and the matching camera. */
import { smoothStep } from '../../../../shared/cutout/matte.ts';
import type { Framing } from './description/framing.ts';
import type { Take } from './take.ts';
import type { Tilt } from './tilt.ts';

/** A cut-out product, measured in pixels of its photo. */
export interface Silhouette {
  width: number;
  height: number;
  /** The longer side of the photo that it was cut from. */
  photoSide: number;
  tilt: Tilt;
  /** The sides of the photo's frame that it touches. */
  touches: { left: boolean; top: boolean; right: boolean; bottom: boolean };
}

/** A position in the picture, in pixels. */
export interface Placement {
  index: number;
  left: number;
  /** The row of the surface on which the product's lowest point stands. */
  base: number;
  width: number;
  height: number;
  /** How far above its base the product floats. */
  lift: number;
  /** See `Tilt`. */
  flatness: number;
}

/** The whole arrangement with its camera. */
export interface Arrangement {
  /** Back rows first, which is the drawing order. */
  placements: Placement[];
  /** Sine of the camera's pitch. */
  fromAbove: number;
  /** The row where the surface ends and the backdrop begins. */
  edgeRow: number;
}

/** The maximum number of pixels for each pixel of the photo; beyond it, a product would look blurred. */
export const largestEnlargement = 1.5;
/** The largest share of the picture's width and height that a product fills. */
const fill = { normal: 0.76, wide: 0.82, closeUp: 0.85 };
/** The size of a row relative to the row in front of it. */
const perspective = 0.84;
const levelPitch = 0.17;

/**
 * Arranges products on a picture of the given size: one in the centre, several in rows.
 * @param take moves the products and the camera, so that several pictures of one request differ
 */
export function arrange(
  silhouettes: Silhouette[],
  width: number,
  height: number,
  framing: Pick<Framing, 'floating' | 'topView' | 'closeUp'>,
  take: Pick<Take, 'shift' | 'size' | 'pitch'>,
): Arrangement {
  const placements =
    silhouettes.length === 1
      ? [placeOne(silhouettes[0]!, width, height, framing, take.size)]
      : placeRows(silhouettes, width, height, framing);
  const pinned = silhouettes.length === 1 && (silhouettes[0]!.touches.left || silhouettes[0]!.touches.right);
  if (!pinned) shiftAll(placements, width, take.shift);

  const mean = silhouettes.reduce((sum, { tilt }) => sum + tilt.fromAbove, 0) / silhouettes.length;
  const rowCount = rowsFor(silhouettes.length, width / height);
  // Several rows are seen from higher up, so that the back rows are visible.
  const pitch = Math.min(
    0.8,
    Math.max(levelPitch, mean, rowCount > 1 ? 0.38 + rowCount * 0.06 : 0) + take.pitch,
  );
  const edgeShare =
    0.58 -
    0.28 * smoothStep(0, 1, (pitch - levelPitch) / (0.5 - levelPitch)) -
    0.13 * smoothStep(0, 1, (pitch - 0.5) / 0.25);
  const base = Math.max(...placements.map((placement) => placement.base));
  const edgeRow = Math.round(Math.min(height * edgeShare, base - height * 0.1));
  return { placements, fromAbove: framing.topView ? 1 : pitch, edgeRow };
}

/** Moves all products to the side, but never to the picture's edge. */
function shiftAll(placements: Placement[], width: number, shift: number): void {
  const free = (gap: number) => Math.max(0, gap - width * 0.03);
  const left = free(Math.min(...placements.map((placement) => placement.left)));
  const right = free(width - Math.max(...placements.map((placement) => placement.left + placement.width)));
  const pixels = Math.round(Math.min(right, Math.max(-left, shift * width)));
  for (const placement of placements) placement.left += pixels;
}

function placeOne(
  { width: ownWidth, height: ownHeight, touches, tilt }: Silhouette,
  width: number,
  height: number,
  { floating, topView, closeUp }: Pick<Framing, 'floating' | 'topView' | 'closeUp'>,
  size: number,
): Placement {
  const usual = closeUp ? fill.closeUp : ownWidth > ownHeight * 1.25 ? fill.wide : fill.normal;
  const wanted = Math.min(fill.closeUp, usual * size);
  const factor = Math.min((width * wanted) / ownWidth, (height * wanted) / ownHeight, largestEnlargement);
  const own = {
    width: Math.max(1, Math.floor(ownWidth * factor)),
    height: Math.max(1, Math.floor(ownHeight * factor)),
  };
  const lift = floating ? Math.round(height * 0.07) : 0;
  let left = Math.round((width - own.width) / 2);
  let base = topView
    ? Math.round((height + own.height) / 2)
    : Math.round(Math.min(height * (floating ? 0.92 : 0.885), height * 0.525 + own.height / 2 + lift));
  // What the photo cuts off must also be cut off by the picture's frame.
  if (touches.bottom) base = height;
  if (touches.top) base = own.height;
  if (touches.left) left = 0;
  if (touches.right) left = width - own.width;
  return { index: 0, left, base, ...own, lift, flatness: tilt.flatness };
}

interface Row {
  members: { index: number; across: number; up: number }[];
  /** The size relative to the front row. */
  scale: number;
}

function placeRows(
  silhouettes: Silhouette[],
  width: number,
  height: number,
  { floating, topView }: Pick<Framing, 'floating' | 'topView'>,
): Placement[] {
  const rows = splitIntoRows(silhouettes, rowsFor(silhouettes.length, width / height));
  const sizes = relativeSizes(silhouettes);
  const gap = 0.1;
  const usable = height * (rows.length === 1 ? 0.66 : 0.8);
  const heights = rows.map((row) => Math.max(...row.members.map(({ up }) => up)) * row.scale);
  const heightSum = heights.reduce((sum, value) => sum + value, 0);
  // The unit is the side of a square with the area of an average product in the front row.
  const unit = Math.min(
    usable / heightSum,
    ...rows.map(({ members, scale }) => {
      const widths = members.reduce((sum, { across }) => sum + across, 0);
      return (width * 0.88) / ((widths + gap * (members.length - 1)) * scale);
    }),
    ...silhouettes.map(
      (silhouette, index) =>
        (largestEnlargement * Math.sqrt(silhouette.width * silhouette.height)) / sizes[index]!,
    ),
  );
  const lift = floating ? Math.round(height * 0.05) : 0;
  const middle = height * (rows.length > 1 ? 0.53 : 0.52) - lift;
  let base = middle - (unit * heightSum) / 2;
  const placements: Placement[] = [];
  rows.forEach(({ members, scale }, place) => {
    base += unit * heights[place]!;
    const widths = members.reduce((sum, { across }) => sum + across, 0);
    let left = width / 2 - (unit * scale * (widths + gap * (members.length - 1))) / 2;
    for (const { index, across, up } of members) {
      const size = {
        width: Math.max(1, Math.floor(unit * scale * across)),
        height: Math.max(1, Math.floor(unit * scale * up)),
      };
      // Seen from directly above, products are aligned by their centres.
      const centred = topView ? (unit * heights[place]! - size.height) / 2 : 0;
      placements.push({
        index,
        left: Math.round(left),
        base: Math.round(Math.min(base - centred + lift, height * 0.95)),
        ...size,
        lift,
        flatness: silhouettes[index]!.tilt.flatness,
      });
      left += unit * scale * (across + gap);
    }
  });
  return placements;
}

/**
 * The sizes of the products relative to each other. Their true sizes are unknown, but photos of one seller are taken
 * from similar distances, so part of the size difference in the photos is kept.
 */
function relativeSizes(silhouettes: Silhouette[]): number[] {
  const shares = silhouettes.map(({ width, height, photoSide }) => Math.sqrt(width * height) / photoSide);
  const mean = Math.exp(shares.reduce((sum, share) => sum + Math.log(share), 0) / shares.length);
  return shares.map((share) => Math.min(1.4, Math.max(0.7, (share / mean) ** 0.7)));
}

/** Back rows first; they have more space and get the extra products. */
function splitIntoRows(silhouettes: Silhouette[], rowCount: number): Row[] {
  const sizes = relativeSizes(silhouettes);
  const rows: Row[] = [];
  let next = 0;
  for (let row = 0; row < rowCount; row += 1) {
    const count = Math.floor(silhouettes.length / rowCount) + (row < silhouettes.length % rowCount ? 1 : 0);
    const members = silhouettes.slice(next, next + count).map(({ width, height }, offset) => {
      const size = sizes[next + offset]!;
      const shape = Math.sqrt(width / height);
      return { index: next + offset, across: size * shape, up: size / shape };
    });
    next += count;
    rows.push({ members, scale: perspective ** (rowCount - 1 - row) });
  }
  return rows;
}

/** The number of rows: up to four products stand side by side in a square picture. */
function rowsFor(count: number, aspect: number): number {
  const inOneRow = aspect > 1.2 ? 5 : aspect < 0.8 ? 2 : 4;
  if (count <= inOneRow) return 1;
  return Math.min(5, Math.max(2, Math.round(Math.sqrt(count / aspect))));
}
