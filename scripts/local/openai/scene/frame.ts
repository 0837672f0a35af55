/** The picture during rendering: linear red, green and blue for each pixel. */
import sharp from 'sharp';
import { hashAt } from './noise.ts';

/** A picture in linear light. */
export interface Frame {
  width: number;
  height: number;
  data: Float32Array;
}

/** A black frame. */
export function createFrame(width: number, height: number): Frame {
  return { width, height, data: new Float32Array(width * height * 3) };
}

/** How a picture is developed; black and white stay what they are, apart from faded black. */
export interface Film {
  /** Above 0 steeper in the middle, below 0 softer. */
  contrast: number;
  /** How bright black is, 0–1. */
  fade: number;
  /** Factor for the grain; 1 is invisible. */
  grain: number;
}

/** Options for developing a frame. */
export interface Development {
  /** 0 leaves colours unchanged; −1 removes them. */
  saturation: number;
  /** 1 becomes exactly 255. Highlights are not rolled off then, because `rollOff` was applied when drawing. */
  exactWhite: boolean;
  /** Opacity of each pixel, 0–1, for a picture without a background. */
  alpha?: Float32Array;
  film?: Film;
  /** Where the grain begins. */
  seed?: number;
}

/** Converts a frame to sRGB: highlights roll off softly, and a trace of grain hides banding in gradients. */
export function developFrame(
  frame: Frame,
  { saturation, exactWhite, alpha, film, seed = 0 }: Development,
): Buffer {
  const channels = alpha === undefined ? 3 : 4;
  const { width, height, data } = frame;
  const bytes = Buffer.allocUnsafe(width * height * channels);
  const usual = exactWhite ? plainCurve : filmCurve;
  const curve = film === undefined ? usual : filmed(usual, film);
  const grainFactor = film?.grain ?? 1;
  // Fine grain is the same in every picture; visible grain must not be.
  const grainStart = grainFactor > 1 ? seed & grainMask : 0;
  let to = 0;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const index = y * width + x;
      const grain = grainTile[(index + y * grainShift + grainStart) & grainMask]! * grainFactor;
      const from = index * 3;
      const grey = saturation === 0 ? 0 : luminanceAt(data, from);
      for (let channel = 0; channel < 3; channel += 1) {
        let value = data[from + channel]!;
        if (saturation !== 0) value = grey + (value - grey) * (1 + saturation);
        const encoded =
          curve[value <= 0 ? 0 : value >= curveEnd ? curveSteps : (value * curveScale + 0.5) | 0]!;
        // Exact white gets no grain.
        bytes[to + channel] = exactWhite && encoded > 254.9 ? 255 : clampByte(encoded + grain);
      }
      if (alpha !== undefined) bytes[to + 3] = Math.round(Math.min(1, Math.max(0, alpha[index]!)) * 255);
      to += channels;
    }
  }
  return bytes;
}

function luminanceAt(data: Float32Array, from: number): number {
  return data[from]! * 0.2126 + data[from + 1]! * 0.7152 + data[from + 2]! * 0.0722;
}

function clampByte(value: number): number {
  return value <= 0 ? 0 : value >= 255 ? 255 : (value + 0.5) | 0;
}

/** Compresses values brighter than white paper as film does: values from 1 on approach 1. */
export function rollOff(value: number): number {
  const knee = 0.82;
  return value <= knee ? value : knee + (1 - knee) * (1 - Math.exp(-(value - knee) / (1 - knee)));
}

/**
 * A lookup table from linear light (0 to `curveEnd`) to fractional 8-bit sRGB, so that grain can be added before
 * rounding.
 */
const curveEnd = 2;
const curveScale = 16_384;
const curveSteps = curveEnd * curveScale;
const plainCurve = Float32Array.from({ length: curveSteps + 1 }, (_, step) => encode(step / curveScale));
const filmCurve = Float32Array.from({ length: curveSteps + 1 }, (_, step) =>
  encode(rollOff(step / curveScale)),
);

/** The curve of a film, from the usual one. */
function filmed(usual: Float32Array, { contrast, fade }: Film): Float32Array {
  if (contrast === 0 && fade === 0) return usual;
  return usual.map((encoded) => {
    const value = encoded / 255;
    const curved = value + contrast * value * (1 - value) * (2 * value - 1);
    return (fade + curved * (1 - fade)) * 255;
  });
}

function encode(value: number): number {
  return Math.min(255, value <= 0.0031308 ? value * 12.92 * 255 : (1.055 * value ** (1 / 2.4) - 0.055) * 255);
}

/** Grain in 8-bit steps; it repeats, but not at the same position of a row. */
const grainMask = 0xffff;
const grainShift = 7919;
const grainTile = Float32Array.from(
  { length: grainMask + 1 },
  (_, index) => (hashAt(1, index, 0) + hashAt(2, index, 0) - 1) * 0.9,
);

/** The size of the pixels from `developFrame`. */
interface DevelopedSize {
  width: number;
  height: number;
  channels: 3 | 4;
}

/**
 * Encodes developed pixels as a file.
 * @param enlargement factor by which the file is larger in each direction, with interpolation
 */
export async function encodeImage(
  bytes: Uint8Array,
  size: DevelopedSize,
  format: 'png' | 'jpeg' | 'webp',
  quality: number,
  enlargement = 1,
): Promise<Uint8Array> {
  const raw = sharp(bytes, { raw: size });
  const image =
    enlargement === 1
      ? raw
      : raw.resize(size.width * enlargement, size.height * enlargement, { fit: 'fill', kernel: 'cubic' });
  switch (format) {
    case 'png':
      return image.png({ compressionLevel: 4, adaptiveFiltering: true }).toBuffer();
    case 'jpeg':
      return image.jpeg({ quality: Math.max(1, quality) }).toBuffer();
    case 'webp':
      return image.webp({ quality: Math.max(1, quality), effort: 2 }).toBuffer();
  }
}
