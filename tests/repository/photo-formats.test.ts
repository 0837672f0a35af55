/** Every place that says which photos are accepted says the same. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { acceptedPhotos, photoFormats, photoTypes } from '#contract';
import type { PhotoFormat } from '#contract/photo-format.ts';
import { photoParts } from '#server/http/documented.ts';
import { trackedFiles } from '#tests/support/checkout.ts';
import { isPhotoName } from '#web/features/batches/photo-index.ts';

/** A name for each format that the server recognises, by which people know it. */
const formats: Readonly<Record<PhotoFormat, { name: string; type: string; file: string }>> = {
  jpeg: { name: 'JPEG', type: 'image/jpeg', file: 'a.JPG' },
  png: { name: 'PNG', type: 'image/png', file: 'a.png' },
  webp: { name: 'WebP', type: 'image/webp', file: 'a.webp' },
  tiff: { name: 'TIFF', type: 'image/tiff', file: 'a.tif' },
  avif: { name: 'AVIF', type: 'image/avif', file: 'a.avif' },
  heic: { name: 'HEIC', type: 'image/heic', file: 'IMG_1.HEIC' },
};

test.for(Object.values(formats))('$name is accepted wherever photos are chosen', ({ name, type, file }) => {
  expect(photoFormats).toContain(name);
  expect(Object.keys(photoTypes)).toContain(type);
  expect(acceptedPhotos().split(',')).toContain(type);
  expect(photoParts.one.contentType.split(', ')).toContain(type);
  expect(isPhotoName(file)).toBe(true);
});

test('whoever lists the formats lists all of them', () => {
  const lists = trackedFiles('shared', 'server', 'web/src', 'docs', 'README.md')
    .filter((file) => /\.(ts|tsx|md)$/.test(file) && !/\.test\.ts$|docs\/decisions/.test(file))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .map((line) => ({ file, line })),
    )
    .filter(({ line }) => /\bWebP\b/.test(line) && /\bTIFF\b/.test(line));
  expect(lists.length).toBeGreaterThan(2);
  for (const { file, line } of lists) {
    for (const { name } of Object.values(formats)) expect(line, file).toContain(name);
  }
});
