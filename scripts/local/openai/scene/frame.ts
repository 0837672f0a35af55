/** The picture while it is being made: linear light, red, green, blue for each pixel. */
import sharp from 'sharp';
import { toEncoded } from './colour.ts';
import { hashAt } from './noise.ts';

/** See the file's head. */
export interface Frame {
  width: number;
  height: number;
  data: Float32Array;
}

/** An empty (black) frame. */
export function createFrame(width: number, height: number): Frame {
  return { width, height, data: new Float32Array(width * height * 3) };
}

/** How a frame becomes bytes. */
export interface Development {
  /** 0 leaves colours as they are; −1 takes them away. */
  saturation: number;
  /** 1 becomes exactly 255. Highlights are then not rolled off here: `rollOff` was applied to what was drawn. */
  exactWhite: boolean;
  /** Opacity of each pixel, 0–1, for a picture without a background. */
  alpha?: Float32Array;
}

/** Encodes a frame for the eye: highlights roll off softly, a trace of grain hides steps in gradients. */
export function developFrame(frame: Frame, { saturation, exactWhite, alpha }: Development): Buffer {
  const channels = alpha === undefined ? 3 : 4;
  const count = frame.width * frame.height;
  const bytes = Buffer.allocUnsafe(count * channels);
  for (let index = 0; index < count; index += 1) {
    const red = frame.data[index * 3]!;
    const green = frame.data[index * 3 + 1]!;
    const blue = frame.data[index * 3 + 2]!;
    const grey = red * 0.2126 + green * 0.7152 + blue * 0.0722;
    const grain = grainTile[(index + ((index / frame.width) | 0) * grainShift) & grainMask]!;
    const to = index * channels;
    for (let channel = 0; channel < 3; channel += 1) {
      const value = grey + (frame.data[index * 3 + channel]! - grey) * (1 + saturation);
      if (exactWhite) bytes[to + channel] = value >= 0.9995 ? 255 : grained(value, grain);
      else bytes[to + channel] = grained(rollOff(value), grain);
    }
    if (alpha !== undefined) bytes[to + 3] = Math.round(Math.min(1, Math.max(0, alpha[index]!)) * 255);
  }
  return bytes;
}

/** Grain in 8-bit steps; it repeats, but never in line. */
const grainMask = 0xffff;
const grainShift = 7919;
const grainTile = Float32Array.from(
  { length: grainMask + 1 },
  (_, index) => (hashAt(1, index, 0) + hashAt(2, index, 0) - 1) * 0.9,
);

function grained(value: number, grain: number): number {
  return Math.min(255, Math.max(0, Math.round(toEncoded(value) + grain)));
}

/** Compresses what is brighter than white paper, as film does: 1 and more approach 1. */
export function rollOff(value: number): number {
  const knee = 0.82;
  return value <= knee ? value : knee + (1 - knee) * (1 - Math.exp(-(value - knee) / (1 - knee)));
}

/** Encodes developed pixels as a file, blurred by `blur` pixels when that is above 0. */
export async function encodeImage(
  bytes: Buffer,
  size: { width: number; height: number; channels: 3 | 4 },
  format: 'png' | 'jpeg' | 'webp',
  quality: number,
  blur = 0,
): Promise<Uint8Array> {
  const raw = sharp(bytes, { raw: size });
  const image = blur > 0.3 ? raw.blur(blur) : raw;
  switch (format) {
    case 'png':
      return image.png({ compressionLevel: 4, adaptiveFiltering: true }).toBuffer();
    case 'jpeg':
      return image.jpeg({ quality: Math.max(1, quality) }).toBuffer();
    case 'webp':
      return image.webp({ quality: Math.max(1, quality), effort: 2 }).toBuffer();
  }
}
