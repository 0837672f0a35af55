/** Colours in linear light, where addition and multiplication are physically meaningful. */

/** Red, green and blue in linear light; 1 is white. */
export type Colour = readonly [number, number, number];

const linearOf = Float32Array.from({ length: 256 }, (_, value) => {
  const unit = value / 255;
  return unit <= 0.04045 ? unit / 12.92 : ((unit + 0.055) / 1.055) ** 2.4;
});

const encodedSteps = 4096;
const encodedOf = Uint8Array.from({ length: encodedSteps + 1 }, (_, step) => {
  const unit = step / encodedSteps;
  const encoded = unit <= 0.0031308 ? unit * 12.92 : 1.055 * unit ** (1 / 2.4) - 0.055;
  return Math.round(encoded * 255);
});

/** Converts an 8-bit sRGB value to linear light. */
export function toLinear(value: number): number {
  return linearOf[value]!;
}

/** Converts linear light to an 8-bit sRGB value; values outside of 0–1 are clamped. */
function toEncoded(value: number): number {
  return encodedOf[value <= 0 ? 0 : value >= 1 ? encodedSteps : Math.round(value * encodedSteps)]!;
}

/** A colour from `#rrggbb`. */
export function fromHex(hex: string): Colour {
  const value = Number.parseInt(hex.slice(1), 16);
  return [toLinear((value >> 16) & 255), toLinear((value >> 8) & 255), toLinear(value & 255)];
}

/** A colour as `#rrggbb`. */
export function toHex(colour: Colour): string {
  return `#${colour.map((value) => toEncoded(value).toString(16).padStart(2, '0')).join('')}`;
}

/** Mixes two colours: 0 gives the first, 1 the second. */
export function blend(first: Colour, second: Colour, share: number): Colour {
  return [
    first[0] + (second[0] - first[0]) * share,
    first[1] + (second[1] - first[1]) * share,
    first[2] + (second[2] - first[2]) * share,
  ];
}

/** A colour multiplied by a number. */
export function scale(colour: Colour, factor: number): Colour {
  return [colour[0] * factor, colour[1] * factor, colour[2] * factor];
}

/** Multiplies channel by channel: the look of a surface under a light. */
export function multiply(first: Colour, second: Colour): Colour {
  return [first[0] * second[0], first[1] * second[1], first[2] * second[2]];
}

/** The perceived brightness of a colour, 0–1. */
export function luminance(colour: Colour): number {
  return colour[0] * 0.2126 + colour[1] * 0.7152 + colour[2] * 0.0722;
}
