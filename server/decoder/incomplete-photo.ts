import { readFileSync } from 'node:fs';
import { createJpegEnd } from '#shared/contract/jpeg-end.ts';
import { limits } from '#shared/contract/limits.ts';
import { sharp } from '#shared/platform/sharp.ts';
import { brokenScan } from './jpeg-scans.ts';
import type { ReadHeader } from './photo-header.ts';

/** The share of rows at the bottom that may be missing, and how many in a small photo: a row of blocks of a JPEG, and a half. */
const missingShare = 0.05;
const missingRows = 24;

/**
 * Whether a photo that cannot be decoded completely is complete but for a strip at its bottom, as after an upload or a copy
 * that broke off at its end. The decoder itself tells which rows it has. In a progressive JPEG the strip is less exact only.
 */
export async function lacksOnlyItsEnd({
  path,
  header,
}: {
  path: string;
  header: ReadHeader;
}): Promise<boolean> {
  const { format, width, height, page, isProgressive } = header;
  const rows = height - Math.max(missingRows, Math.floor(height * missingShare));
  if (rows < height / 2) return false;
  const file = readFileSync(path);
  if (hasItsEnd(file, format)) return false;
  if (format === 'jpeg' && isProgressive) return (await refinedRows(file, height)) >= rows;
  // Others, and an interlaced PNG, are decoded as a whole.
  if (!['jpeg', 'png', 'tiff'].includes(format) || isProgressive) return false;
  try {
    await sharp(path, {
      failOn: 'warning',
      limitInputPixels: limits.photoPixels,
      sequentialRead: true,
      page,
    })
      .extract({ left: 0, top: 0, width, height: rows })
      .resize({ width: 64, height: 64, fit: 'fill' })
      .raw()
      .toBuffer();
    return true;
  } catch {
    return false;
  }
}

/** Whether a file has the mark of its end, so that what is wrong with it is somewhere else. */
function hasItsEnd(file: Buffer, format: string): boolean {
  if (format === 'png') return file.lastIndexOf('IEND') > 0;
  const end = createJpegEnd();
  if (format === 'jpeg') end.push(file);
  return end.found !== undefined;
}

/** How many rows of a progressive JPEG the scan has reached in which the file breaks off; 0 if that is not the last one. */
async function refinedRows(file: Buffer, height: number): Promise<number> {
  const scan = brokenScan(file);
  if (scan === undefined) return 0;
  if (scan === file.length) return height;
  const rowBytes = 256 * 3;
  const decode = (part: Buffer) =>
    sharp(part, { failOn: 'none', limitInputPixels: limits.photoPixels })
      .resize({ width: rowBytes / 3, height, fit: 'fill' })
      .toColourspace('srgb')
      .raw()
      .toBuffer();
  // Without the data of that scan, the rows that it has not reached are the same.
  const [refined, without] = [await decode(file), await decode(file.subarray(0, scan))];
  let last = without.length - 1;
  while (last >= 0 && refined[last] === without[last]) last -= 1;
  return Math.ceil((last + 1) / rowBytes);
}
