import sharp from 'sharp';
import { cutProduct } from '#shared/cutout/cutout.ts';

/** Confidence of a cut from which its mask is taken for the true one. */
const sureCut = 0.93;

/** The mask of a product that is cut out for sure and complete, of the photo's size; null if it is not. */
export async function sureMask(png: Buffer): Promise<Buffer | null> {
  const cut = await cutProduct(png).catch(() => null);
  if (cut === null || cut.confidence < sureCut || Object.values(cut.touches).some(Boolean)) return null;
  const { pixels, box } = cut;
  const { width, height } = await sharp(png).metadata();
  const alpha = await sharp(pixels.data, {
    raw: { width: pixels.width, height: pixels.height, channels: 4 },
  })
    .extractChannel(3)
    .png()
    .toBuffer();
  return sharp({ create: { width, height, channels: 3, background: '#000' } })
    .composite([{ input: alpha, left: box.left, top: box.top }])
    .extractChannel(0)
    .png()
    .toBuffer();
}
