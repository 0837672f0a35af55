/** Pictures that are changed only where a mask allows it. */
import sharp from 'sharp';
import { gaussianBlur } from '../../../shared/cutout/box-blur.ts';

/** The pixels of a picture, row by row. */
export interface Drawing {
  width: number;
  height: number;
  channels: 3 | 4;
  data: Buffer;
}

/** How far a change fades in from the border of its area, as a share of the picture's shorter side. */
const fade = 0.004;
/** How much of the change is visible at the border itself: a narrow stroke must change something as well. */
const atBorder = 0.25;

/** Decodes a picture, scaled to a size if it has another one. */
export async function decodePicture(bytes: Uint8Array, width: number, height: number): Promise<Drawing> {
  const decoded = sharp(bytes).autoOrient();
  const { info, data } = await decoded
    .resize(width, height, { fit: 'fill' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width, height, channels: info.channels === 4 ? 4 : 3, data };
}

/**
 * Puts a change into a picture where the mask is transparent. Elsewhere every pixel stays as it is.
 * @param mask a PNG with alpha
 */
export async function changeWithin(mask: Uint8Array, picture: Drawing, change: Drawing): Promise<Drawing> {
  const { width, height, channels } = picture;
  const weights = await weightsOf(mask, width, height);
  const data = Buffer.from(picture.data);
  for (let index = 0; index < weights.length; index += 1) {
    const weight = weights[index]!;
    if (weight === 0) continue;
    const to = index * channels;
    const from = index * change.channels;
    for (let channel = 0; channel < channels; channel += 1) {
      const value = channel < change.channels ? change.data[from + channel]! : 255;
      data[to + channel] = Math.round(data[to + channel]! + (value - data[to + channel]!) * weight);
    }
  }
  return { width, height, channels, data };
}

/** How open the mask is at each pixel of a picture of this size: 1 may change, 0 must not. */
export async function openShares(mask: Uint8Array, width: number, height: number): Promise<Float32Array> {
  const alpha = await sharp(mask)
    .extractChannel('alpha')
    .resize(width, height, { fit: 'fill', kernel: 'nearest' })
    .raw()
    .toBuffer();
  return Float32Array.from(alpha, (value) => 1 - value / 255);
}

/** How much of the change each pixel gets, 0–1. */
async function weightsOf(mask: Uint8Array, width: number, height: number): Promise<Float32Array> {
  const open = await openShares(mask, width, height);
  const inner = gaussianBlur(open, width, height, Math.max(1, Math.min(width, height) * fade));
  return open.map((value, index) => {
    const inside = Math.min(1, Math.max(0, inner[index]! - 0.5) * 2);
    return value * (atBorder + (1 - atBorder) * inside);
  });
}
