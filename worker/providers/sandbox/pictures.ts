import { readFile } from 'node:fs/promises';
import { sketchLimits } from '#contract';
import { watermarkFile } from '#shared/images/watermark.ts';
import { sharp } from '#shared/platform/sharp.ts';

/** Covers a picture with the watermark again and again. @returns a PNG */
export async function withWatermark(picture: Buffer): Promise<Buffer> {
  const { width, height } = await sharp(picture).metadata();
  const tile = sharp(await readWatermark());
  const { width: tileWidth } = await tile.metadata();
  // As large on an image as it is on a sketch.
  const scaled = await tile
    .resize(Math.round((tileWidth * Math.min(width, height)) / sketchLimits.side))
    .png()
    .toBuffer();
  return sharp(picture)
    .composite([{ input: scaled, tile: true, gravity: 'northwest' }])
    .png({ compressionLevel: 3 })
    .toBuffer();
}

/** A picture as it is while it comes into being: a preview, the less sharp the earlier. @returns a PNG of the same size */
export async function blurred(picture: Buffer, index: number, previews: number): Promise<Buffer> {
  const { width } = await sharp(picture).metadata();
  const small = await sharp(picture)
    .resize(Math.round((width / 32) * ((index + 1) / previews)))
    .png()
    .toBuffer();
  return sharp(small).resize(Math.min(width, 512)).png({ compressionLevel: 1 }).toBuffer();
}

let known: Promise<Buffer> | undefined;

async function readWatermark(): Promise<Buffer> {
  known ??= readFile(watermarkFile);
  return known;
}
