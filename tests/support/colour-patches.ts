import sharp from 'sharp';

/** Saturated and muted colours, and greys, in three rows of six: all of sRGB, so that each larger space has them. */
const colours = Buffer.from(
  'ff000000ff000000ff00ffffff00ffffff00' +
    'c81e2814783c283ca0e678145a14780a828c' +
    'bc9c8c788264606c80ffffff808080282828',
  'hex',
);

/**
 * @param ofColours three numbers for each of eighteen patches; those of many colours unless given
 * @returns the patches as sRGB, with three channels
 */
export function colourPatches(width: number, height: number, ofColours = colours): Promise<Buffer> {
  return sharp(ofColours, { raw: { width: 6, height: 3, channels: 3 } })
    .resize(width, height, { kernel: 'nearest', fit: 'fill' })
    .raw()
    .toBuffer();
}
