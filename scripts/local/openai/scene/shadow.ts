/** Shadows on the surface: where the product touches it, around it, and the one the main light casts. */
import { gaussianBlur } from '../cutout/boxblur.ts';
import { smoothStep } from '../cutout/matte.ts';
import { type Pixels, resizePixels } from '../cutout/pixels.ts';
import type { Placement } from './arrange.ts';
import type { Frame } from './frame.ts';
import type { SceneLight } from './light.ts';
import { groundLine } from './silhouette.ts';

/** A product at its final size, and where it goes. */
export interface PlacedProduct {
  pixels: Pixels;
  placement: Placement;
}

/** Shadow planes are computed at half size: they are soft anyway. */
const coarseness = 2;

/** How opaque the light's absence is at every pixel, in two parts. */
export interface ShadowPlanes {
  width: number;
  height: number;
  /** Where the main light is blocked. */
  cast: Float32Array;
  /** Where the surroundings are hidden by the product itself. */
  contact: Float32Array;
}

/** How the products stand and how the light falls. */
export interface ShadowOptions {
  /** The camera's: seen from above, a shadow hugs what casts it. */
  fromAbove: number;
  /** The products lie on a surface that is seen straight from above. */
  lying: boolean;
  /** The main light is small and near: its shadow has a sharp edge. */
  sharp: boolean;
}

/** Finds the shadows of all products. */
export async function findShadows(
  products: PlacedProduct[],
  width: number,
  height: number,
  light: SceneLight,
  { fromAbove, lying, sharp }: ShadowOptions,
): Promise<ShadowPlanes> {
  const columns = Math.ceil(width / coarseness);
  const rows = Math.ceil(height / coarseness);
  const plane = () => new Float32Array(columns * rows);
  const [near, middle, far, touch, around] = [plane(), plane(), plane(), plane(), plane()];
  const low = Math.min(1, Math.max(0, (fromAbove - 0.2) / 0.45));
  const [across, up] = light.direction;
  const reach = (across / up) * (sharp ? 0.95 : 0.8 - 0.25 * low);
  const climb = sharp ? 0.3 - 0.2 * low : 0.2 - 0.3 * low;
  let size = 1;

  for (const { pixels, placement } of products) {
    const small = await resizePixels(
      pixels,
      Math.max(2, Math.round(placement.width / coarseness)),
      Math.max(2, Math.round(placement.height / coarseness)),
    );
    const left = Math.round(placement.left / coarseness);
    const top = Math.round(placement.base / coarseness) - small.height;
    size = Math.max(size, Math.min(small.width, small.height * 1.4));
    if (lying) {
      layDown(small, left, top, (dx, dy, alpha) => {
        const away = small.width * 0.03 + small.height * 0.03 + (placement.lift / coarseness) * 0.6;
        put(near, columns, rows, Math.round(dx - across * away), Math.round(dy + away * 0.75), alpha);
        put(around, columns, rows, dx, dy, alpha * 0.6);
      });
      continue;
    }
    const ground = groundLine(small, fromAbove);
    const lift = placement.lift / coarseness;
    const flatness = Math.min(0.95, Math.max(0.05 + 0.3 * low, placement.flatness));
    // A plate or tray seen from above has a rim that stands off the surface all around.
    const rim = { across: -Math.sign(across) * small.width * 0.045 * low, down: small.width * 0.022 * low };
    const bands = [near, middle, far];
    for (let x = 0; x < small.width; x += 1) {
      const foot = ground.rows[x]!;
      for (let y = 0; y < Math.min(foot, small.height); y += 1) {
        const alpha = small.data[(y * small.width + x) * 4 + 3]! / 255;
        if (alpha < 0.1) continue;
        // A part of the outline's height is the product's depth on the surface: it stands less tall.
        const tall = (foot - y) * (1 - flatness) + lift;
        const band =
          bands[lift > 0 ? 2 : tall < small.height * 0.16 ? 0 : tall < small.height * 0.45 ? 1 : 2]!;
        const toX = Math.round(left + x - tall * reach + rim.across);
        const toY = Math.round(top + foot - (foot - y) * flatness - tall * climb + rim.down);
        for (let dx = 0; dx < 2; dx += 1) {
          for (let dy = 0; dy < 2; dy += 1) put(band, columns, rows, toX + dx, toY + dy, alpha);
        }
      }
      const weight = ground.touching[x]!;
      if (weight <= 0 || lift > 0) continue;
      const thick = Math.max(1, small.width * 0.008);
      for (let dy = -thick * 2; dy <= thick; dy += 1)
        put(touch, columns, rows, left + x, Math.round(top + foot + dy), weight);
      const wide = small.width * (0.03 + 0.05 * low);
      for (let dy = -wide * 1.5; dy <= wide * 0.7; dy += 1)
        put(around, columns, rows, left + x, Math.round(top + foot + dy), weight);
    }
  }

  const soft = (source: Float32Array, share: number) =>
    gaussianBlur(source, columns, rows, Math.max(0.8, size * share));
  const hardness = light.hardness;
  const bands = [
    [soft(near, sharp ? 0.004 : 0.012 + 0.02 * (1 - hardness)), 0.95],
    [soft(middle, sharp ? 0.006 : 0.022 + 0.055 * (1 - hardness)), sharp ? 0.95 : 0.82],
    [soft(far, sharp ? 0.009 : 0.035 + 0.1 * (1 - hardness)), sharp ? 0.9 : 0.62],
  ] as const;
  const cast = new Float32Array(columns * rows);
  for (let index = 0; index < cast.length; index += 1) {
    let open = 1;
    for (const [band, strength] of bands)
      open = Math.min(open, 1) * (1 - Math.min(1, band[index]!) * strength);
    cast[index] = 1 - open;
  }
  const tight = soft(touch, 0.008);
  const wider = soft(around, 0.03);
  const widest = soft(around, 0.09);
  const contact = tight.map((value, index) => {
    const open =
      (1 - 0.8 * Math.min(1, value)) *
      (1 - 0.5 * Math.min(1, wider[index]!)) *
      (1 - 0.4 * Math.min(1, widest[index]!));
    return 1 - open;
  });
  return { width: columns, height: rows, cast, contact };
}

/** Calls `visit` for every pixel of a product that covers the surface it lies on. */
function layDown(
  small: Pixels,
  left: number,
  top: number,
  visit: (x: number, y: number, alpha: number) => void,
): void {
  for (let y = 0; y < small.height; y += 1) {
    for (let x = 0; x < small.width; x += 1) {
      const alpha = small.data[(y * small.width + x) * 4 + 3]! / 255;
      if (alpha > 0.1) visit(left + x, top + y, alpha);
    }
  }
}

function put(plane: Float32Array, columns: number, rows: number, x: number, y: number, value: number): void {
  if (x < 0 || y < 0 || x >= columns || y >= rows) return;
  const index = y * columns + x;
  if (plane[index]! < value) plane[index] = value;
}

/** Where shadows may fall, and how strong they are. */
export interface ShadowLimits {
  /** No shadow climbs the backdrop above this row: it is far away. */
  firstRow: number;
  /** Shadows end before the picture's edge. */
  endsInside: boolean;
}

/** Darkens a frame by the shadows; the frame then holds the surface as the products leave it. */
export function drawShadows(
  frame: Frame,
  shadows: ShadowPlanes,
  light: SceneLight,
  { firstRow, endsInside }: ShadowLimits,
): void {
  const { width, height, data } = frame;
  const castStrength = 0.44 + 0.3 * light.hardness;
  const margin = Math.min(width, height) * 0.09;
  for (let y = 0; y < height; y += 1) {
    const onSurface = Math.min(1, Math.max(0, (y - firstRow) / (height * 0.03)));
    if (onSurface === 0) continue;
    for (let x = 0; x < width; x += 1) {
      const toEdge = Math.min(x, y, width - 1 - x, height - 1 - y);
      const share = onSurface * (endsInside ? smoothStep(0.15, 1, toEdge / margin) : 1);
      const cast = sample(shadows.cast, shadows, x, y) * castStrength * share;
      const contact = sample(shadows.contact, shadows, x, y) * 0.86 * share;
      if (cast + contact < 0.004) continue;
      const index = (y * width + x) * 3;
      for (let channel = 0; channel < 3; channel += 1) {
        const shade = 1 - cast * (1 - 0.12 * (light.shade[channel]! - 1));
        data[index + channel] = data[index + channel]! * shade * (1 - contact);
      }
    }
  }
}

/** How dark the shadow is at a pixel of the full picture, 0–1; for pictures without a background. */
export function shadowAt(shadows: ShadowPlanes, light: SceneLight, x: number, y: number): number {
  const cast = sample(shadows.cast, shadows, x, y) * (0.44 + 0.3 * light.hardness);
  return 1 - (1 - cast) * (1 - sample(shadows.contact, shadows, x, y) * 0.86);
}

function sample(plane: Float32Array, { width, height }: ShadowPlanes, x: number, y: number): number {
  const column = Math.min(width - 1.001, x / coarseness);
  const row = Math.min(height - 1.001, y / coarseness);
  const left = column | 0;
  const top = row | 0;
  const fx = column - left;
  const fy = row - top;
  const index = top * width + left;
  const upper = plane[index]! + (plane[index + 1]! - plane[index]!) * fx;
  const lower = plane[index + width]! + (plane[index + width + 1]! - plane[index + width]!) * fx;
  return upper + (lower - upper) * fy;
}
