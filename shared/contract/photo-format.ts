/** Formats of photos, by their content. */
export type PhotoFormat = 'jpeg' | 'png' | 'webp' | 'tiff' | 'avif' | 'heic';

/** Bytes at the start of a file that {@link photoFormatOf} needs. */
export const headBytes = 64;

/**
 * Recognises a photo by the first bytes of its file; names and declared types prove nothing.
 * @returns null if it is none of these formats
 */
export function photoFormatOf(head: Uint8Array): PhotoFormat | null {
  const text = (from: number, to: number) => String.fromCharCode(...head.subarray(from, to));
  if (text(0, 3) === '\xff\xd8\xff') return 'jpeg';
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return 'png';
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'webp';
  if (['II*\0', 'MM\0*', 'II+\0', 'MM\0+'].includes(text(0, 4))) return 'tiff';
  if (text(4, 8) !== 'ftyp') return null;
  const brands = text(8, headBytes);
  if (/avi[fs]/.test(brands)) return 'avif';
  return /^(he[iv][cmxs]|mif1|msf1)/.test(brands) ? 'heic' : null;
}
