import sharp from 'sharp';
import { expect, test } from 'vitest';
import { smallPreview } from './previews.ts';

const picture = (channels: 3 | 4) =>
  sharp({
    create: { width: 1_536, height: 1_024, channels, background: { r: 180, g: 70, b: 40, alpha: 0.5 } },
  })
    .png()
    .toBuffer();

test('a preview is at most 512 pixels wide and high, and a JPEG', async () => {
  const { bytes, format } = await smallPreview(await picture(3));
  expect(format).toBe('jpeg');
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 512, height: 341 });
});

test('a preview with transparency keeps it', async () => {
  const { bytes, format } = await smallPreview(await picture(4));
  expect(format).toBe('webp');
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', hasAlpha: true, width: 512 });
  const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  expect(Math.abs(data[3]! - 128)).toBeLessThanOrEqual(1);
});

test('bytes that are no image are refused', async () => {
  await expect(smallPreview(Buffer.from('no image'))).rejects.toThrow('unsupported image format');
});
