/** Images that are copies of a photo, and images that are not. */
import sharp from 'sharp';
import type { Pixels } from '#shared/cutout/pixels.ts';

/** Width and height of a picture, in pixels. */
const side = 1_024;

/** A product, and the share of a picture's side that it takes. */
export interface Staged {
  product: Pixels;
  share: number;
}

interface Place {
  /** From the middle of the picture, in fractions of its side. */
  across?: number;
  down?: number;
  scale?: number;
  shadow?: boolean;
  background?: string;
}

/** A product on pure white, or as told. @returns PNG */
export async function stageOnWhite(
  { product, share }: Staged,
  { across = 0, down = 0, scale = 1, shadow = false, background = '#fff' }: Place = {},
): Promise<Buffer> {
  const longest = Math.round(share * scale * side);
  const { data, info } = await sharp(product.data, {
    raw: { width: product.width, height: product.height, channels: 4 },
  })
    .resize(longest, longest, { fit: 'inside' })
    .png()
    .toBuffer({ resolveWithObject: true });
  const left = Math.round(side * (0.5 + across) - info.width / 2);
  const top = Math.round(side * (0.5 + down) - info.height / 2);
  const [width, height] = [Math.round(info.width * 1.1), Math.max(8, Math.round(info.height * 0.16))];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><defs><filter id="soft" x="-50%" y="-150%" width="200%" height="400%"><feGaussianBlur stdDeviation="${longest / 30}"/></filter></defs><ellipse filter="url(#soft)" cx="${left + info.width / 2}" cy="${top + info.height * 0.97}" rx="${width / 2}" ry="${height / 2}" fill-opacity="0.35"/></svg>`;
  return sharp({ create: { width: side, height: side, channels: 3, background } })
    .composite([...(shadow ? [{ input: Buffer.from(svg) }] : []), { input: data, left, top }])
    .png()
    .toBuffer();
}

const jpeg = (photo: Buffer, quality: number) => sharp(photo).jpeg({ quality }).toBuffer();
const lighter = (photo: Buffer, by: number) => sharp(photo).linear(1, by).png().toBuffer();

/** The photo itself, as somebody else would return it. */
export const copies: Readonly<Record<string, (photo: Buffer) => Promise<Buffer>>> = {
  unchanged: async (photo) => photo,
  'JPEG of quality 60': (photo) => jpeg(photo, 60),
  'half as large': (photo) => sharp(photo).resize({ width: 512 }).png().toBuffer(),
  'twice as large, JPEG': async (photo) =>
    jpeg(await sharp(photo).resize({ width: 2_048 }).png().toBuffer(), 85),
  '2 lighter': (photo) => lighter(photo, 2),
  '2 darker, JPEG': async (photo) => jpeg(await lighter(photo, -2), 85),
};

/** Images that were made of the photo's product. */
export const others: Readonly<Record<string, (photo: Buffer, staged: Staged) => Promise<Buffer>>> = {
  'moved by 5 %': (_, staged) => stageOnWhite(staged, { across: 0.03, down: 0.04 }),
  'enlarged 1.15 times': (_, staged) => stageOnWhite(staged, { scale: 1.15 }),
  'enlarged twice, with a shadow': (_, staged) =>
    stageOnWhite({ ...staged, share: Math.min(0.85, staged.share * 2) }, { shadow: true }),
  'in its place with a new shadow': (_, staged) => stageOnWhite(staged, { shadow: true }),
  'in its place on another background': (_, staged) => stageOnWhite(staged, { background: '#e8e2d8' }),
};
