/** Draws the products into the scene with its light, and their reflections on shiny surfaces. */
import { gaussianBlur } from '../../../../shared/cutout/box-blur.ts';
import { smoothStep } from '../../../../shared/cutout/matte.ts';
import type { Pixels } from '../../../../shared/cutout/pixels.ts';
import type { Placement } from './arrange.ts';
import type { Camera } from './camera.ts';
import { type Colour, luminance, toLinear } from './colour.ts';
import { type Frame, rollOff } from './frame.ts';
import type { SceneLight } from './light.ts';
import { type Shading, shadingAt } from './shading.ts';
import { groundLine } from './tilt.ts';

/** A product at its final size and position. */
export interface PlacedProduct {
  pixels: Pixels;
  placement: Placement;
}

/**
 * The share of the light's colour that a product takes on. It is small: white stays white and chrome neutral, and the
 * warmth of a scene is in its surface and background.
 */
const productColourShare = 0.12;

/** Factors for a product's colours that make it match the scene's light. */
export function matchLight(pixels: Pixels, light: SceneLight): Colour {
  const bright: { colour: Colour; value: number }[] = [];
  for (let index = 0; index < pixels.data.length; index += 4 * 7) {
    if (pixels.data[index + 3]! < 230) continue;
    const colour: Colour = [
      toLinear(pixels.data[index]!),
      toLinear(pixels.data[index + 1]!),
      toLinear(pixels.data[index + 2]!),
    ];
    bright.push({ colour, value: luminance(colour) });
  }
  if (bright.length < 10) return [1, 1, 1];
  bright.sort((first, second) => second.value - first.value);
  const from = Math.floor(bright.length * 0.03);
  const to = Math.max(from + 1, Math.floor(bright.length * 0.1));
  const sum: [number, number, number] = [0, 0, 0];
  for (const { colour } of bright.slice(from, to))
    for (let channel = 0; channel < 3; channel += 1) sum[channel] = sum[channel]! + colour[channel]!;
  const mean = luminance(sum);
  // Only nearly grey pixels indicate the colour of the light; a yellow product must stay yellow.
  const strongest = Math.max(...sum);
  const weakest = Math.min(...sum);
  const neutrality = 1 - smoothStep(0.3, 0.62, (strongest - weakest) / (strongest + 1e-6));
  const brightness = mean / (to - from);
  // An underexposed photo is brightened. A product whose highlights are very dark is a dark product and stays so.
  const wanted = Math.min(1.45, Math.max(0.96, (0.72 / Math.max(0.05, brightness)) ** 0.4));
  const lift = 1.08 + (wanted - 1.08) * smoothStep(0.1, 0.34, brightness);
  const gain = (channel: number): number => {
    const neutral = (mean / Math.max(1e-6, sum[channel]!)) ** (0.55 * neutrality);
    const bounded = Math.min(1.22, Math.max(0.84, neutral));
    return bounded * light.colour[channel]! ** productColourShare * lift * light.exposure ** 0.6;
  };
  return [gain(0), gain(1), gain(2)];
}

/** How a product looks in the scene; see `matchLight` and `shadeProduct`. */
export interface ProductLook {
  gain: Colour;
  shading: Shading;
  /** The frame is developed with exact white: highlights are rolled off when the product is drawn. */
  exactWhite: boolean;
}

/**
 * Draws a product over the frame.
 * @param dapple the shade of leaves, which also falls on the product
 */
export function drawProduct(
  frame: Frame,
  product: PlacedProduct,
  { gain, shading, exactWhite }: ProductLook,
  dapple?: (u: number, v: number) => number,
): void {
  const { pixels, placement } = product;
  const { width, height, data } = frame;
  const left = placement.left;
  const top = placement.base - placement.lift - pixels.height;
  const light = new Float32Array(3);
  for (let row = 0; row < pixels.height; row += 1) {
    const y = top + row;
    if (y < 0 || y >= height) continue;
    const low = row / pixels.height;
    // Less ambient light reaches the foot of an object that stands on a surface.
    const foot = placement.lift > 0 ? 1 : 1 - 0.1 * smoothStep(0.78, 1, low);
    for (let column = 0; column < pixels.width; column += 1) {
      const x = left + column;
      const from = (row * pixels.width + column) * 4;
      const alpha = pixels.data[from + 3]! / 255;
      if (x < 0 || x >= width || alpha === 0) continue;
      const leaves = dapple === undefined ? 1 : 0.88 + 0.14 * dapple(column / pixels.width + 3, 1 - low);
      shadingAt(shading, (column + 0.5) / pixels.width, (row + 0.5) / pixels.height, light);
      const to = (y * width + x) * 3;
      for (let channel = 0; channel < 3; channel += 1) {
        const lit = toLinear(pixels.data[from + channel]!) * gain[channel]! * light[channel]! * foot * leaves;
        const value = exactWhite ? rollOff(lit) : lit;
        data[to + channel] = data[to + channel]! + (value - data[to + channel]!) * alpha;
      }
    }
  }
}

/** 1 for each pixel of a picture that a product covers completely, 0 elsewhere. */
export function hiddenPixels(products: PlacedProduct[], width: number, height: number): Uint8Array {
  const hidden = new Uint8Array(width * height);
  for (const { pixels, placement } of products) {
    const top = placement.base - placement.lift - pixels.height;
    for (let row = Math.max(0, -top); row < Math.min(pixels.height, height - top); row += 1) {
      for (let column = 0; column < pixels.width; column += 1) {
        const x = placement.left + column;
        if (x >= 0 && x < width && pixels.data[(row * pixels.width + column) * 4 + 3] === 255)
          hidden[(top + row) * width + x] = 1;
      }
    }
  }
  return hidden;
}

/** Draws the product's reflection in the surface; must be called before the product is drawn. */
export function drawReflection(
  frame: Frame,
  product: PlacedProduct,
  { gain }: ProductLook,
  gloss: number,
  camera: Camera,
): void {
  // Seen from high above, the inside of the product would be visible, which its mirror image does not show.
  const seen = 1 - smoothStep(0.3, 0.55, camera.sine);
  if (product.placement.lift > 0) return;
  const strength = Math.min(0.5, gloss * gloss * 0.75 + gloss * 0.16) * seen;
  if (strength < 0.015) return;
  const { pixels, placement } = product;
  const ground = groundLine(pixels, camera.sine);
  const depth = Math.min(
    Math.round(pixels.height * 0.6),
    frame.height - placement.base + Math.round(pixels.height * 0.2),
  );
  const base = Math.min(...ground.rows.filter((_, x) => ground.touching[x]! > 0));
  const first = Math.max(0, Math.floor(Math.min(pixels.height - 1, base)));
  const rows = pixels.height - first + depth;
  const planes = [0, 1, 2, 3].map(() => new Float32Array(pixels.width * rows));
  for (let x = 0; x < pixels.width; x += 1) {
    const foot = Math.round(ground.rows[x]!);
    for (let row = 0; row < rows; row += 1) {
      const below = first + row - foot;
      const source = foot - 1 - below;
      if (below < 0 || source < 0 || source >= pixels.height) continue;
      const from = (source * pixels.width + x) * 4;
      const alpha =
        (pixels.data[from + 3]! / 255) * strength * Math.exp(-below / (pixels.height * (0.12 + 0.4 * gloss)));
      const to = row * pixels.width + x;
      for (let channel = 0; channel < 3; channel += 1)
        planes[channel]![to] = toLinear(pixels.data[from + channel]!) * gain[channel]! * alpha;
      planes[3]![to] = alpha;
    }
  }
  const softness = pixels.width * 0.016 * (1 - gloss) + 0.8;
  const [red, green, blue, alpha] = planes.map((plane) =>
    gaussianBlur(plane, pixels.width, rows, softness),
  ) as [Float32Array, Float32Array, Float32Array, Float32Array];
  const colours = [red, green, blue];
  for (let row = 0; row < rows; row += 1) {
    const y = placement.base - pixels.height + first + row;
    if (y < 0 || y >= frame.height) continue;
    for (let column = 0; column < pixels.width; column += 1) {
      const x = placement.left + column;
      if (x < 0 || x >= frame.width) continue;
      const from = row * pixels.width + column;
      const to = (y * frame.width + x) * 3;
      for (let channel = 0; channel < 3; channel += 1) {
        frame.data[to + channel] = frame.data[to + channel]! * (1 - alpha[from]!) + colours[channel]![from]!;
      }
    }
  }
}
