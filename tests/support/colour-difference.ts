/** How different colours look: ΔE₀₀ (CIEDE2000), of sRGB pixels. */

type Lab = readonly [number, number, number];

/** @returns the mean difference of two pictures of the same size with three channels; 1 is just visible */
export function meanColourDifference(one: Uint8Array, other: Uint8Array): number {
  if (one.length !== other.length) throw new Error('pictures of different sizes');
  let sum = 0;
  for (let at = 0; at < one.length; at += 3) sum += pixelDifference(one, other, at);
  return sum / (one.length / 3);
}

/** The difference of two pixels. @param at the index of their red */
export function pixelDifference(
  one: Uint8Array | Uint8ClampedArray,
  other: Uint8Array | Uint8ClampedArray,
  at: number,
): number {
  return colourDifference(labOf(one, at), labOf(other, at));
}

/** CIE L*a*b* of a pixel, with the white of sRGB (D65). */
function labOf(pixels: Uint8Array | Uint8ClampedArray, at: number): Lab {
  const [r, g, b] = [0, 1, 2].map((channel) => {
    const value = pixels[at + channel]! / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  const x = (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047;
  const y = 0.2126729 * r + 0.7151522 * g + 0.072175 * b;
  const z = (0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883;
  const [fx, fy, fz] = [x, y, z].map((t) => (t > 216 / 24_389 ? Math.cbrt(t) : (841 / 108) * t + 4 / 29)) as [
    number,
    number,
    number,
  ];
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)];
}

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** CIEDE2000 (Sharma, Wu and Dalal 2005). */
function colourDifference([l1, a1, b1]: Lab, [l2, a2, b2]: Lab): number {
  const meanChroma = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2;
  const stretch = 1 + (1 - Math.sqrt(meanChroma ** 7 / (meanChroma ** 7 + 25 ** 7))) / 2;
  const [c1, c2] = [Math.hypot(a1 * stretch, b1), Math.hypot(a2 * stretch, b2)];
  const hue = (a: number, b: number) => (Math.atan2(b, a * stretch) * 180) / Math.PI + (b < 0 ? 360 : 0);
  const [h1, h2] = [hue(a1, b1), hue(a2, b2)];
  const isGrey = c1 * c2 === 0;
  const between = ((h2 - h1 + 540) % 360) - 180;
  const dH = isGrey ? 0 : 2 * Math.sqrt(c1 * c2) * Math.sin(radians(between) / 2);
  const l = (l1 + l2) / 2;
  const c = (c1 + c2) / 2;
  const h = isGrey ? h1 + h2 : (h1 + between / 2 + 360) % 360;
  const t =
    1 -
    0.17 * Math.cos(radians(h - 30)) +
    0.24 * Math.cos(radians(2 * h)) +
    0.32 * Math.cos(radians(3 * h + 6)) -
    0.2 * Math.cos(radians(4 * h - 63));
  const sl = 1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2);
  const sc = 1 + 0.045 * c;
  const sh = 1 + 0.015 * c * t;
  const turn =
    2 * Math.sqrt(c ** 7 / (c ** 7 + 25 ** 7)) * Math.sin(radians(60 * Math.exp(-(((h - 275) / 25) ** 2))));
  const [dl, dc, dh] = [(l2 - l1) / sl, (c2 - c1) / sc, dH / sh];
  return Math.sqrt(dl ** 2 + dc ** 2 + dh ** 2 - turn * dc * dh);
}
