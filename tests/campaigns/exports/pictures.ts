/** Products of photographs on white, of which is known to the pixel where they are. */
import sharp from 'sharp';
import type { Pixels } from '#shared/cutout/pixels.ts';

/** A product on white with its soft shadow. */
export interface OnWhite {
  png: Buffer;
  /** Opacity of the product in each pixel. */
  opacity: Uint8Array;
}

/** @param share of the side that the product's longer side takes; @param background a colour that is nearly white */
export async function putOnWhite(
  product: Pixels,
  { side, share, background }: { side: number; share: number; background: string },
): Promise<OnWhite> {
  const longest = Math.round(side * share);
  const { data, info } = await sharp(product.data, {
    raw: { width: product.width, height: product.height, channels: 4 },
  })
    .resize(longest, longest, { fit: 'inside' })
    .png()
    .toBuffer({ resolveWithObject: true });
  const left = Math.round((side - info.width) / 2);
  const top = Math.round((side - info.height) / 2);
  const empty = () => sharp({ create: { width: side, height: side, channels: 4, background: '#0000' } });
  const alone = await empty()
    .composite([{ input: data, left, top }])
    .raw()
    .toBuffer();
  const shadow = await empty()
    .composite([{ input: await softShadow(info, side), left: 0, top: 0 }])
    .png()
    .toBuffer();
  const png = await sharp({ create: { width: side, height: side, channels: 3, background } })
    .composite([{ input: shadow }, { input: data, left, top }])
    .removeAlpha()
    .png()
    .toBuffer();
  return { png, opacity: alone.filter((_, at) => at % 4 === 3) };

  /** Below a product: darkest where it stands, gone before the frame ends. */
  async function softShadow({ width, height }: { width: number; height: number }, size: number) {
    const dark = Buffer.alloc(size * size * 4);
    const [x, y] = [left + width / 2, top + height * 0.97];
    const [across, down] = [width * 0.62, Math.max(8, height * 0.1)];
    for (let pixel = 0; pixel < size * size; pixel += 1) {
      const far = Math.hypot(((pixel % size) - x) / across, (Math.floor(pixel / size) - y) / down);
      if (far < 1) dark[pixel * 4 + 3] = Math.round(110 * (1 - far) ** 2);
    }
    return sharp(dark, { raw: { width: size, height: size, channels: 4 } })
      .png()
      .toBuffer();
  }
}

/** The same product in white: its light and shade remain, from 222 to 252. */
export function inWhite(product: Pixels): Pixels {
  const data = product.data.slice();
  for (let at = 0; at < data.length; at += 4) {
    const luma = 0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!;
    data.fill(222 + (30 * luma) / 255, at, at + 3);
  }
  return { ...product, data };
}
