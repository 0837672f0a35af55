/** A visitor's product in the scenes of the landing page, with a watermark. Nothing is written to a file. */
import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { photoSizeFault, type SketchScene, sketchLimits, sketchScenes } from '#contract';
import { checkProduct } from '#shared/cutout/check-product.ts';
import { decodePhoto, type Pixels } from '#shared/cutout/pixels.ts';
import { watermarkFile } from '#shared/images/watermark.ts';
import { sharp } from '#shared/platform/sharp.ts';
import { type RefusedSketch, type Sketches, scenesFolder } from './jobs.ts';

const { side } = sketchLimits;
/** A copy may say that it has billions of pixels. */
const mostPixels = 2_048 * 2_048;

/** As in the studio (web/src/features/studio/scene-picture.tsx): shares of the frame. */
const place = { floor: 0.87, height: 0.64, width: 0.78 };

/** Draws the sketches of a photo. @param photo a small copy */
export async function drawSketches(photo: Uint8Array): Promise<Sketches | RefusedSketch> {
  const fault = await faultOf(photo);
  if (fault) return fault;
  const found = await checkProduct(photo, { cutout: true });
  if (found === null) return { refused: 'IMAGE_CORRUPT' };
  const { cutout, warnings } = found;
  if (cutout === null) return { sketches: [], warnings };
  const product = await placeProduct(cutout);
  const watermark = await decodePhoto(await readFile(watermarkFile), side);
  const sketches: Sketches['sketches'] = [];
  for (const scene of sketchScenes) {
    const pixels = await layIn(scene, product);
    stamp(pixels, watermark, { left: randomInt(watermark.width), top: randomInt(watermark.height) });
    sketches.push({ scene, picture: await encode(pixels) });
  }
  return { sketches, warnings };
}

async function faultOf(photo: Uint8Array): Promise<RefusedSketch | null> {
  try {
    // Only its header is read here, so it may say that it has any number of pixels.
    const { width, height } = await sharp(photo, { limitInputPixels: false }).metadata();
    const fault = photoSizeFault(width, height);
    if (fault) return { refused: fault.code, message: fault.message };
    return width * height > mostPixels ? { refused: 'TOO_MANY_PIXELS' } : null;
  } catch {
    return { refused: 'IMAGE_CORRUPT' };
  }
}

/** A cutout in the size in which it stands in a frame, and where. */
interface PlacedProduct extends Pixels {
  left: number;
  top: number;
}

async function placeProduct(cutout: Uint8Array): Promise<PlacedProduct> {
  const { width: from, height: to } = await sharp(cutout).metadata();
  const share = Math.min(place.height, place.width / (from / to));
  const height = Math.max(1, Math.round(share * side));
  const width = Math.max(1, Math.round((share * side * from) / to));
  const placed = await sharp(cutout).resize(width, height, { fit: 'fill' }).toBuffer();
  return {
    ...(await decodePhoto(placed, side)),
    left: Math.round((side - width) / 2),
    top: Math.round(place.floor * side) - height,
  };
}

/** A scene with the product on its floor, without a watermark: it never leaves this process. */
export async function layIn(scene: SketchScene, product: PlacedProduct): Promise<Pixels> {
  const pixels = await decodePhoto(await readFile(join(scenesFolder, `${scene}-640.webp`)), side);
  shade(pixels, product);
  lay(pixels, product, product.left, product.top);
  return pixels;
}

/** A soft shadow where a product stands. */
function shade(pixels: Pixels, { left, top, width, height }: PlacedProduct): void {
  const radii = { x: width * 0.575, y: side * 0.045 };
  const centre = { x: left + width / 2, y: top + height - side * 0.01 };
  for (let y = Math.floor(centre.y - radii.y); y < Math.min(side, centre.y + radii.y); y += 1) {
    for (
      let x = Math.max(0, Math.floor(centre.x - radii.x));
      x < Math.min(side, centre.x + radii.x);
      x += 1
    ) {
      const far = Math.hypot((x - centre.x) / radii.x, (y - centre.y) / radii.y);
      const light = 1 - 0.48 * Math.max(0, 1 - far);
      const at = (y * side + x) * 4;
      for (let channel = 0; channel < 3; channel += 1) pixels.data[at + channel]! *= light;
    }
  }
}

/** Covers pixels with a tile again and again, from a place on: whoever cuts out a part has some of it. */
export function stamp(pixels: Pixels, tile: Pixels, from: { left: number; top: number }): void {
  for (let top = -from.top; top < pixels.height; top += tile.height) {
    for (let left = -from.left; left < pixels.width; left += tile.width) lay(pixels, tile, left, top);
  }
}

/** Lays pixels over others; what is beside the frame is left out. */
function lay(pixels: Pixels, over: Pixels, left: number, top: number): void {
  const rows = { from: Math.max(0, -top), to: Math.min(over.height, pixels.height - top) };
  const columns = { from: Math.max(0, -left), to: Math.min(over.width, pixels.width - left) };
  for (let y = rows.from; y < rows.to; y += 1) {
    for (let x = columns.from; x < columns.to; x += 1) {
      const source = (y * over.width + x) * 4;
      const target = ((y + top) * pixels.width + x + left) * 4;
      const alpha = over.data[source + 3]! / 255;
      for (let channel = 0; channel < 3; channel += 1) {
        const below = pixels.data[target + channel]!;
        pixels.data[target + channel] = below + (over.data[source + channel]! - below) * alpha;
      }
    }
  }
}

const encode = ({ data, width, height }: Pixels): Promise<Uint8Array> =>
  sharp(data, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .webp({ quality: 78, effort: 2 })
    .toBuffer();
