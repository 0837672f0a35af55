/** Puts a product into a picture: where, turned how, seen from where, and in which light. */
import sharp from 'sharp';
import { backgroundNames, drawBackground, type Random } from '#tests/campaigns/bench/cutout/backgrounds.ts';
import { between, oneOf } from './pictures.ts';
import type { Cut } from './products.ts';

/** Width and height of a picture, in pixels. */
const side = 800;

/** Light: factors of linear red, green and blue, and how much darker (0 to 1) the far side is. */
interface Light {
  factors: readonly [number, number, number];
  shade: number;
}

/** How a product stands in a picture; what is not given is usual. */
export interface Staging {
  /** Its longer side, as a fraction of the picture's. */
  size?: number;
  /** In degrees. */
  turned?: number;
  /** Degrees by which it leans away, and in which direction. */
  tilted?: number;
  /** Factor of its width, with the same height. */
  stretched?: number;
  mirrored?: boolean;
  /** Height of a wave in its outline, as a fraction of its size. */
  warped?: number;
  light?: Light;
  /** Quality of a JPEG; without it a PNG. */
  quality?: number;
}

/** The light of the templates of scenes, of others that sellers describe, and of photographs at other times. */
export const lights: readonly Light[] = [
  { factors: [1.16, 1, 0.72], shade: 0.25 },
  { factors: [1.1, 1.08, 1.04], shade: 0.1 },
  { factors: [0.86, 0.82, 0.66], shade: 0.35 },
  { factors: [1, 1, 1], shade: 0.45 },
  { factors: [1.2, 0.93, 0.66], shade: 0.3 },
  { factors: [0.86, 0.97, 1.16], shade: 0.25 },
  { factors: [0.58, 0.56, 0.54], shade: 0.3 },
];

/** Like two photos on one day: a third stop brighter or darker, a little warmer or cooler. */
function usualLight(random: Random): Light {
  const brightness = between(random, 0.78, 1.2);
  const warmth = between(random, -0.1, 0.1);
  return {
    factors: [brightness * (1 + warmth), brightness, brightness * (1 - warmth)],
    shade: between(random, 0.05, 0.3),
  };
}

/** A picture of a product in front of a drawn or blurred background, with its shadow. @returns an encoded image */
export async function stage(
  random: Random,
  product: Cut,
  staging: Staging,
  otherPhoto: Buffer,
): Promise<Buffer> {
  const { quality, light = usualLight(random) } = staging;
  const options = { width: side, height: side, random, productColour: meanColour(product), otherPhoto };
  const background = await drawBackground(oneOf(random, backgroundNames), options);
  const placed = await place(random, lit(product, light), staging);
  const shadow = await sharp(placed, { raw: { width: side, height: side, channels: 4 } })
    .extractChannel(3)
    .blur(between(random, 6, 14))
    .raw()
    .toBuffer();
  const drop = Math.round(between(random, 4, 18));
  for (let pixel = 0; pixel < side * side; pixel += 1) {
    const opacity = placed[pixel * 4 + 3]! / 255;
    const dark = 1 - 0.45 * ((pixel >= drop * side ? shadow[pixel - drop * side]! : 0) / 255);
    for (let channel = 0; channel < 3; channel += 1) {
      const behind = background[pixel * 3 + channel]! * dark;
      background[pixel * 3 + channel] = Math.round(
        behind + (placed[pixel * 4 + channel]! - behind) * opacity,
      );
    }
  }
  const picture = sharp(background, { raw: { width: side, height: side, channels: 3 } });
  return quality === undefined
    ? picture.png({ compressionLevel: 2 }).toBuffer()
    : picture.jpeg({ quality }).toBuffer();
}

function meanColour({ data }: Cut): [number, number, number] {
  const sums: [number, number, number, number] = [0, 0, 0, 0];
  for (let index = 0; index < data.length; index += 4) {
    if (data[index + 3]! < 128) continue;
    for (let channel = 0; channel < 3; channel += 1) sums[channel]! += data[index + channel]!;
    sums[3] += 1;
  }
  return [sums[0] / sums[3], sums[1] / sums[3], sums[2] / sums[3]];
}

const toLinear = Float64Array.from({ length: 256 }, (_, value) =>
  value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
);
const toEncoded = (value: number) =>
  255 * (value <= 0.0031308 ? value * 12.92 : 1.055 * Math.min(1, value) ** (1 / 2.4) - 0.055);

/** The product in another light. */
function lit({ data, width, height }: Cut, { factors, shade }: Light): Cut {
  const relit = Buffer.from(data);
  for (let index = 0; index < data.length; index += 4) {
    const across = ((index / 4) % width) / width;
    for (let channel = 0; channel < 3; channel += 1) {
      const value = toLinear[data[index + channel]!]! * factors[channel]! * (1 - shade * across);
      relit[index + channel] = Math.round(toEncoded(value));
    }
  }
  return { data: relit, width, height };
}

/** Draws a product on a transparent picture. @returns RGBA */
async function place(random: Random, product: Cut, staging: Staging): Promise<Buffer> {
  const { size = between(random, 0.5, 0.8), turned = between(random, -8, 8), tilted = 0 } = staging;
  const { stretched = 1, mirrored = false, warped = 0 } = staging;
  const scale = (size * side) / Math.max(product.width * stretched, product.height);
  const [width, height] = [Math.round(product.width * scale), Math.round(product.height * scale)];
  const scaled = await sharp(product.data, {
    raw: { width: product.width, height: product.height, channels: 4 },
  })
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer();
  const toProduct = invert(
    multiply(rotation((turned * Math.PI) / 180), seenTilted(tilted, random() * 2 * Math.PI, size * side)),
  );
  const phase = random() * 2 * Math.PI;
  const reach = (Math.hypot(width * stretched, height) / 2) * Math.abs(Math.sin((turned * Math.PI) / 90));
  const room = Math.max(0, side / 2 - (size * side) / 2 - reach * 0.4);
  const centre = {
    x: side / 2 + room * between(random, -0.9, 0.9),
    y: side / 2 + room * between(random, -0.4, 0.9),
  };
  const picture = Buffer.alloc(side * side * 4);
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      const [dx, dy] = [x - centre.x, y - centre.y];
      const depth = toProduct[6]! * dx + toProduct[7]! * dy + toProduct[8]!;
      const u = (toProduct[0]! * dx + toProduct[1]! * dy + toProduct[2]!) / depth / stretched;
      const v = (toProduct[3]! * dx + toProduct[4]! * dy + toProduct[5]!) / depth;
      const wave = warped * size * side * Math.sin((v / (size * side)) * 2 * Math.PI * 1.2 + phase);
      const column = (mirrored ? -(u + wave) : u + wave) + width / 2;
      const row = v + height / 2;
      if (column < 0 || row < 0 || column > width - 1.001 || row > height - 1.001) continue;
      copyBetween(scaled, width, column, row, picture, (y * side + x) * 4);
    }
  }
  return picture;
}

/** Copies the RGBA value between four pixels; colours count by their opacity. */
function copyBetween(from: Buffer, width: number, column: number, row: number, to: Buffer, at: number): void {
  const [left, top] = [Math.floor(column), Math.floor(row)];
  const [across, down] = [column - left, row - top];
  let [red, green, blue, alpha] = [0, 0, 0, 0];
  for (let corner = 0; corner < 4; corner += 1) {
    const [right, below] = [corner % 2, corner >> 1];
    const index = ((top + below) * width + left + right) * 4;
    const weight = (right ? across : 1 - across) * (below ? down : 1 - down) * from[index + 3]!;
    red += weight * from[index]!;
    green += weight * from[index + 1]!;
    blue += weight * from[index + 2]!;
    alpha += weight;
  }
  if (alpha < 0.5) return;
  to[at] = red / alpha;
  to[at + 1] = green / alpha;
  to[at + 2] = blue / alpha;
  to[at + 3] = alpha;
}

type Matrix = readonly number[];

const rotation = (angle: number): Matrix => [
  Math.cos(angle),
  -Math.sin(angle),
  0,
  Math.sin(angle),
  Math.cos(angle),
  0,
  0,
  0,
  1,
];

/** A plane that leans back by some degrees, seen from 2.5 times its size. */
function seenTilted(degrees: number, direction: number, size: number): Matrix {
  const lean = (degrees * Math.PI) / 180;
  const tilted: Matrix = [1, 0, 0, 0, Math.cos(lean), 0, 0, Math.sin(lean) / (2.5 * size), 1];
  return multiply(rotation(direction), multiply(tilted, rotation(-direction)));
}

function multiply(one: Matrix, other: Matrix): Matrix {
  return Array.from({ length: 9 }, (_, index) => {
    const [row, column] = [Math.floor(index / 3) * 3, index % 3];
    return (
      one[row]! * other[column]! + one[row + 1]! * other[column + 3]! + one[row + 2]! * other[column + 6]!
    );
  });
}

function invert(matrix: Matrix): Matrix {
  const [a, b, c, d, e, f, g, h, i] = matrix as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const inverse = [
    e * i - f * h,
    c * h - b * i,
    b * f - c * e,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ];
  const determinant = a * inverse[0]! + b * inverse[3]! + c * inverse[6]!;
  return inverse.map((value) => value / determinant);
}
