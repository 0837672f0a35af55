import { closeSync, openSync, readSync } from 'node:fs';

/** The exponent that numbers of sRGB are stored with, about; a file that says it means sRGB. */
const usual = 0.45455;
/** What says more about the colours than the exponent (PNG 3, 4.3). */
const stronger = ['iCCP', 'sRGB', 'cICP'];
/** Chunks before the pixels that are looked at, at most. */
const mostChunks = 256;

/**
 * Reads with which exponent the numbers of a PNG are stored (chunk gAMA).
 * @returns undefined if it is that of sRGB, or a profile counts instead, or the file says nothing
 */
export function pngGamma(path: string): number | undefined {
  const file = openSync(path, 'r');
  try {
    let gamma: number | undefined;
    const chunk = Buffer.alloc(12);
    for (let at = 8, seen = 0; seen < mostChunks; seen += 1) {
      if (readSync(file, chunk, 0, chunk.length, at) < chunk.length) break;
      const type = chunk.toString('latin1', 4, 8);
      if (stronger.includes(type)) return undefined;
      if (type === 'IDAT' || type === 'IEND') break;
      if (type === 'gAMA') gamma = chunk.readUInt32BE(8) / 100_000;
      at += 12 + chunk.readUInt32BE(0);
    }
    return gamma && Math.abs(gamma / usual - 1) > 0.01 ? gamma : undefined;
  } finally {
    closeSync(file);
  }
}

/** For each number of 16 bits that is stored with an exponent: what sRGB has for it, with eight bits. */
export function srgbOfGamma(gamma: number): Uint8Array {
  const table = new Uint8Array(65_536);
  for (let value = 0; value < table.length; value += 1) {
    const light = (value / 65_535) ** (1 / gamma);
    const encoded = light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;
    table[value] = Math.round(encoded * 255);
  }
  return table;
}
