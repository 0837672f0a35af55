import sharp, { type FitEnum } from 'sharp';
import { expect, test } from 'vitest';
import { check, cushion, moved, rejection } from '#tests/support/result-checks.ts';

test.for<[keyof FitEnum, number, number]>([
  ['fill', 1_024, 1_536],
  ['cover', 1_024, 1_536],
  ['contain', 1_536, 1_024],
  ['cover', 1_536, 1_024],
  ['contain', 1_024, 1_536],
])('a photo scaled with %s to %i × %i is a copy, also as a JPEG file', async ([fit, width, height]) => {
  const copy = await sharp(cushion.png).resize(width, height, { fit, background: '#fff' }).jpeg().toBuffer();
  const png = await sharp(copy).png().toBuffer();
  await expect(check(png)).rejects.toMatchObject(rejection(/copy/));
  await expect(check(png, { photos: [moved, cushion.png] })).rejects.toMatchObject(rejection(/copy/));
  await expect(check(png, { photos: [moved] })).resolves.toBeUndefined();
});
