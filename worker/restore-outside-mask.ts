import { sharp } from '#shared/platform/sharp.ts';

/**
 * Puts an image back where its mask lets nothing change: providers redraw a little everywhere.
 * @param original the image before the change
 * @param changed of the same size
 * @param mask of the same size; transparent where the image may change, partly transparent at soft edges
 * @returns PNG
 */
export async function restoreOutsideMask(original: Buffer, changed: Buffer, mask: Buffer): Promise<Buffer> {
  const pixels = (image: Buffer) => sharp(image).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const [before, after, area] = await Promise.all([
    pixels(original),
    pixels(changed),
    sharp(mask).extractChannel('alpha').raw().toBuffer(),
  ]);
  const { data, info } = after;
  for (let index = 0; index < area.length; index += 1) {
    const kept = area[index]! / 255;
    if (kept === 0) continue;
    for (let channel = index * 4; channel < index * 4 + 4; channel += 1) {
      data[channel] = Math.round(before.data[channel]! * kept + data[channel]! * (1 - kept));
    }
  }
  const { width, height } = info;
  const image = sharp(data, { raw: { width, height, channels: 4 } });
  const { hasAlpha } = await sharp(original).metadata();
  return (hasAlpha ? image : image.removeAlpha()).png().toBuffer();
}
