import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { findPhotos } from './photos.ts';
import { drawSheet } from './sheet.ts';

test('the sheet has a row for each photo and a column for each scene', async () => {
  const red = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#ff0000' } })
    .png()
    .toBuffer();
  const picture = { kind: 'picture', image: red, milliseconds: 12.3 } as const;
  const failure = { kind: 'failure', message: 'No product stands out <here> & there' } as const;
  const draw = (rows: number) =>
    drawSheet(
      ['on oak', 'x'.repeat(400)],
      Array.from({ length: rows }, () => ({ name: 'red', photo: red, cells: [picture, failure] })),
      2 / 3,
    );
  const [one, two] = await Promise.all(
    [draw(1), draw(2)].map(async (sheet) => sharp(await sheet).metadata()),
  );
  expect(one!.format).toBe('jpeg');
  expect(two!.width).toBe(one!.width);
  expect(two!.height - one!.height).toBeGreaterThan((320 * 2) / 3);
  // The first picture is red in the middle, the cell beside it is not.
  const { data, info } = await sharp(await draw(1))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const greenAt = (x: number, y: number) => data[(y * info.width + x) * 3 + 1]!;
  expect(greenAt(224 + 160, 120 + 106)).toBeLessThan(20);
  expect(greenAt(224 + 332 + 160, 120 + 180)).toBeGreaterThan(200);
});

test('photos are found by name, in a folder or among the samples', async () => {
  expect(findPhotos(undefined, '').length).toBeGreaterThan(10);
  expect(findPhotos(undefined, 'mug').map(({ name }) => name)).toEqual(['mug-1', 'mug-2', 'mug-3']);
  const folder = await mkdtemp(join(tmpdir(), 'packshot-photos-'));
  for (const name of ['b10.JPG', 'b9.webp', 'notes.txt']) await writeFile(join(folder, name), '');
  expect(findPhotos(folder, '').map(({ name }) => name)).toEqual(['b9', 'b10']);
  expect(() => findPhotos(folder, 'cup')).toThrow(/no photo named like “cup”/);
  await rm(folder, { recursive: true });
  expect(() => findPhotos(folder, '')).toThrow(/there is no folder/);
});
