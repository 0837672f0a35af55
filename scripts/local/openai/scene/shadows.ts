/** The shadows of the products: where they fall, and how dark they are at each pixel. */
import { gaussianBlur } from '../../../../shared/cutout/box-blur.ts';
import { smoothStep } from '../../../../shared/cutout/matte.ts';
import { type Pixels, resizePixels, sampleAt } from '../../../../shared/cutout/pixels.ts';
import type { PlacedProduct } from './compose.ts';
import type { Frame } from './frame.ts';
import type { SceneLight } from './light.ts';
import { groundLine } from './tilt.ts';

/** The opacity of the shadows at every pixel, in two parts. */
export interface ShadowPlanes {
  width: number;
  height: number;
  /** Picture pixels for each pixel of the planes. */
  coarseness: number;
  /** Where the main light is blocked. */
  cast: Float32Array;
  /** Where the product blocks the ambient light. */
  contact: Float32Array;
}

/** How the products stand and how the light falls. */
interface ShadowOptions {
  /** Sine of the camera's pitch; seen from above, a shadow stays close to the object that casts it. */
  fromAbove: number;
  /** The products lie on a surface that is seen from directly above. */
  lying: boolean;
  /** The main light is small and close, so its shadow has a sharp edge. */
  sharp: boolean;
}

/** The planes that products are drawn into: their shadows by height, and where they touch the surface. */
class Planes {
  readonly columns: number;
  readonly rows: number;
  readonly near: Float32Array;
  readonly middle: Float32Array;
  readonly far: Float32Array;
  readonly touch: Float32Array;
  readonly around: Float32Array;

  constructor(columns: number, rows: number) {
    this.columns = columns;
    this.rows = rows;
    const plane = () => new Float32Array(columns * rows);
    this.near = plane();
    this.middle = plane();
    this.far = plane();
    this.touch = plane();
    this.around = plane();
  }

  put(plane: Float32Array, x: number, y: number, value: number): void {
    if (x < 0 || y < 0 || x >= this.columns || y >= this.rows) return;
    const index = y * this.columns + x;
    if (plane[index]! < value) plane[index] = value;
  }
}

/** A product at the planes' size. */
interface SmallProduct {
  pixels: Pixels;
  left: number;
  top: number;
  lift: number;
  flatness: number;
}

/** Calculates the shadows of all products. */
export async function findShadows(
  products: PlacedProduct[],
  width: number,
  height: number,
  light: SceneLight,
  options: ShadowOptions,
): Promise<ShadowPlanes> {
  // Soft shadows have no detail; sharp ones need a higher resolution.
  const coarseness = (options.sharp ? 2 : 3) * Math.max(1, Math.min(width, height) / 1024);
  const planes = new Planes(Math.ceil(width / coarseness), Math.ceil(height / coarseness));
  let size = 1;
  for (const { pixels, placement } of products) {
    const small = await resizePixels(
      pixels,
      Math.max(2, Math.round(placement.width / coarseness)),
      Math.max(2, Math.round(placement.height / coarseness)),
    );
    const product: SmallProduct = {
      pixels: small,
      left: Math.round(placement.left / coarseness),
      top: Math.round(placement.base / coarseness) - small.height,
      lift: placement.lift / coarseness,
      flatness: placement.flatness,
    };
    size = Math.max(size, Math.min(small.width, small.height * 1.4));
    if (options.lying) castFlatShadow(planes, product, light);
    else {
      castShadow(planes, product, light, options);
      if (placement.lift === 0) touchSurface(planes, product, options.fromAbove);
    }
  }
  return {
    width: planes.columns,
    height: planes.rows,
    coarseness,
    cast: softenCast(planes, size, light.hardness, options.sharp),
    contact: softenContact(planes, size),
  };
}

/** The height of the camera, from 0 for a table-level shot to 1 for one from well above. */
function cameraHeight(fromAbove: number): number {
  return Math.min(1, Math.max(0, (fromAbove - 0.2) / 0.45));
}

/** Projects the outline onto the surface, away from the main light. */
function castShadow(
  planes: Planes,
  { pixels, left, top, lift, flatness }: SmallProduct,
  light: SceneLight,
  { fromAbove, sharp }: ShadowOptions,
): void {
  const { width, height, data } = pixels;
  const high = cameraHeight(fromAbove);
  const [across, up] = light.direction;
  const reach = (across / up) * (sharp ? 0.95 : 0.8 - 0.25 * high);
  const climb = sharp ? 0.3 - 0.2 * high : 0.2 - 0.3 * high;
  // Part of the outline's height is the product's depth on the surface, so the product is less tall than it.
  const depth = Math.min(0.95, Math.max(0.05 + 0.3 * high, flatness));
  // The shadow is cast by the body's centre, which is half of that depth behind its front.
  const foot = height * (1 - depth * 0.2);
  for (let y = 0; y < height; y += 1) {
    const tall = Math.max(0, foot - y) * (1 - depth) + lift;
    const band = sharp ? planes.near : bandOf(planes, tall, height, lift);
    const toY = Math.round(top + (y < foot ? foot - (foot - y) * depth : y) - tall * climb);
    for (let x = 0; x < width; x += 1) {
      const alpha = data[(y * width + x) * 4 + 3]! / 255;
      if (alpha < 0.1) continue;
      const toX = Math.round(left + x - tall * reach);
      for (let dx = 0; dx < 2; dx += 1) {
        for (let dy = 0; dy < 2; dy += 1) planes.put(band, toX + dx, toY + dy, alpha);
      }
    }
  }
}

function bandOf(planes: Planes, tall: number, height: number, lift: number): Float32Array {
  if (lift > 0 || tall >= height * 0.45) return planes.far;
  return tall < height * 0.16 ? planes.near : planes.middle;
}

/** Marks where a standing product touches the surface. */
function touchSurface(planes: Planes, { pixels, left, top }: SmallProduct, fromAbove: number): void {
  const ground = groundLine(pixels, fromAbove);
  const thick = Math.max(1, pixels.width * 0.008);
  const wide = pixels.width * (0.03 + 0.05 * cameraHeight(fromAbove));
  for (let x = 0; x < pixels.width; x += 1) {
    const weight = ground.touching[x]!;
    if (weight <= 0) continue;
    const foot = top + ground.rows[x]!;
    for (let dy = -thick * 2; dy <= thick; dy += 1)
      planes.put(planes.touch, left + x, Math.round(foot + dy), weight);
    for (let dy = -wide * 1.5; dy <= wide * 0.7; dy += 1)
      planes.put(planes.around, left + x, Math.round(foot + dy), weight);
  }
}

/**
 * The shadow of a product that lies on a surface seen from directly above: its outline, moved away from the light.
 */
function castFlatShadow(planes: Planes, { pixels, left, top, lift }: SmallProduct, light: SceneLight): void {
  const { width, height, data } = pixels;
  const away = (width + height) * 0.03 + lift * 0.6;
  const [across] = light.direction;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const alpha = data[(y * width + x) * 4 + 3]! / 255;
      if (alpha < 0.1) continue;
      planes.put(planes.near, Math.round(left + x - across * away), Math.round(top + y + away * 0.75), alpha);
      planes.put(planes.around, left + x, top + y, alpha * 0.6);
    }
  }
}

/** Blurs the cast shadow, increasingly with the height of the part that casts it. */
function softenCast(planes: Planes, size: number, hardness: number, sharp: boolean): Float32Array {
  const { columns, rows } = planes;
  const soft = (source: Float32Array, share: number) =>
    gaussianBlur(source, columns, rows, Math.max(0.8, size * share));
  const softness = 1 - hardness;
  // A sharp shadow is a single plane with uniform softness.
  const bands = sharp
    ? ([[soft(planes.near, 0.005), 0.92]] as const)
    : ([
        [soft(planes.near, 0.012 + 0.02 * softness), 0.95],
        [soft(planes.middle, 0.022 + 0.055 * softness), 0.82],
        [soft(planes.far, 0.035 + 0.1 * softness), 0.62],
      ] as const);
  return Float32Array.from(planes.near, (_, index) => {
    let open = 1;
    for (const [band, strength] of bands) open *= 1 - Math.min(1, band[index]!) * strength;
    return 1 - open;
  });
}

/** Little light reaches the gap under a product, and less than usual the surface around it. */
function softenContact({ columns, rows, touch, around }: Planes, size: number): Float32Array {
  const soft = (source: Float32Array, share: number) =>
    gaussianBlur(source, columns, rows, Math.max(0.8, size * share));
  const tight = soft(touch, 0.008);
  const wide = soft(around, 0.03);
  const widest = soft(around, 0.09);
  return tight.map((value, index) => {
    const open =
      (1 - 0.8 * Math.min(1, value)) *
      (1 - 0.5 * Math.min(1, wide[index]!)) *
      (1 - 0.4 * Math.min(1, widest[index]!));
    return 1 - open;
  });
}

/** Where shadows may fall. */
interface ShadowLimits {
  /** No shadow falls on the backdrop above this row, because it is far away. */
  firstRow: number;
  /** Shadows fade out before the picture's edge. */
  endsInside: boolean;
}

/** The darkness of a full cast shadow; hard light means less ambient light in it. */
function castStrength({ hardness }: SceneLight): number {
  return 0.44 + 0.3 * hardness;
}

/** The darkness where a product touches the surface. */
const contactStrength = 0.86;

/** Darkens a frame by the shadows. */
export function drawShadows(
  frame: Frame,
  shadows: ShadowPlanes,
  light: SceneLight,
  { firstRow, endsInside }: ShadowLimits,
): void {
  const { width, height, data } = frame;
  const margin = Math.min(width, height) * 0.09;
  for (let y = 0; y < height; y += 1) {
    const onSurface = Math.min(1, Math.max(0, (y - firstRow) / (height * 0.03)));
    if (onSurface === 0) continue;
    for (let x = 0; x < width; x += 1) {
      const toEdge = Math.min(x, y, width - 1 - x, height - 1 - y);
      const share = onSurface * (endsInside ? smoothStep(0.15, 1, toEdge / margin) : 1);
      const cast = sample(shadows.cast, shadows, x, y) * castStrength(light) * share;
      const contact = sample(shadows.contact, shadows, x, y) * contactStrength * share;
      if (cast + contact < 0.004) continue;
      const index = (y * width + x) * 3;
      for (let channel = 0; channel < 3; channel += 1) {
        const shade = 1 - cast * (1 - 0.12 * (light.shade[channel]! - 1));
        data[index + channel] = data[index + channel]! * shade * (1 - contact);
      }
    }
  }
}

/** The darkness of the shadow at a pixel of the full picture, 0–1; for pictures without a background. */
export function shadowAt(shadows: ShadowPlanes, light: SceneLight, x: number, y: number): number {
  const cast = sample(shadows.cast, shadows, x, y) * castStrength(light);
  return 1 - (1 - cast) * (1 - sample(shadows.contact, shadows, x, y) * contactStrength);
}

function sample(
  data: Float32Array,
  { width, height, coarseness }: ShadowPlanes,
  x: number,
  y: number,
): number {
  return sampleAt({ width, height, data }, x / coarseness, y / coarseness);
}
