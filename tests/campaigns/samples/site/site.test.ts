import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { sceneLibrary } from '#contract';
import { describeScene } from '#local/openai/scene/description/describe.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { screenshotGroups } from '#tests/campaigns/samples/screenshots/screenshots.ts';
import { pictureGroups } from './groups/all.ts';
import { demoPhotos } from './groups/demo.ts';
import { templateScenes } from './groups/templates.ts';
import { isScene, type Picture } from './picture.ts';
import { samplePhotoFile } from './sample-photos.ts';
import { picturesFolder } from './write-site.ts';

/** The largest file of each width, in bytes. */
const budgets: Readonly<Record<number, number>> = {
  160: 12_000,
  320: 25_000,
  400: 40_000,
  480: 50_000,
  640: 75_000,
  800: 110_000,
  880: 110_000,
  960: 130_000,
  1280: 130_000,
};

/** A folder of pictures; screenshots have no source. */
interface Folder {
  folder: string;
  widths: readonly number[];
  pictures: readonly (Omit<Picture, 'source'> & { source?: Picture['source'] })[];
}

const folders: readonly Folder[] = [
  ...pictureGroups,
  ...screenshotGroups.map((group) => ({ ...group, pictures: group.screenshots })),
];

/** The files that a picture must have. */
function filesOf(group: Folder, { name, widths }: Folder['pictures'][number]): string[] {
  return (widths ?? group.widths).flatMap((width) => [`${name}-${width}.avif`, `${name}-${width}.webp`]);
}

/** A folder's list of its pictures. */
async function readList({ folder }: Folder): Promise<Record<string, ListedPicture>> {
  return JSON.parse(await readFile(join(picturesFolder, folder, 'pictures.json'), 'utf8'));
}

interface ListedPicture {
  alt: string;
  width: number;
  height: number;
  scene?: string;
}

test('the folders have the files of their pictures and no others', async () => {
  const found: string[] = [];
  for (const { folder } of folders) {
    const files = (await readdir(join(picturesFolder, folder))).filter((file) => /\.(avif|webp)$/.test(file));
    found.push(...files.map((file) => `${folder}/${file}`));
  }
  const expected = folders.flatMap((group) =>
    group.pictures.flatMap((picture) => filesOf(group, picture).map((file) => `${group.folder}/${file}`)),
  );
  expect(found.sort()).toEqual(expected.sort());
});

test('pictures are as wide as their names say, all of one shape, each within its budget', async () => {
  const violations: string[] = [];
  for (const group of folders) {
    const list = await readList(group);
    for (const picture of group.pictures) {
      const listed = list[picture.name]!;
      for (const file of filesOf(group, picture)) {
        const path = join(picturesFolder, group.folder, file);
        const own = Number(/-(\d+)\./.exec(file)![1]);
        const { width, height } = await sharp(path).metadata();
        const isOfShape = Math.abs(height - (own * listed.height) / listed.width) <= 1;
        if (width !== own || !isOfShape) violations.push(`${group.folder}/${file}: ${width} × ${height}`);
        const { size } = await stat(path);
        if (size > budgets[own]!) violations.push(`${group.folder}/${file}: ${size} bytes`);
      }
    }
  }
  expect(violations).toEqual([]);
});

test('the lists have their pictures in order, with the text alternatives and scenes of today', async () => {
  for (const group of folders) {
    const expected = group.pictures.map(({ name, alt, source }) => [
      name,
      { alt, scene: source && isScene(source) ? source.scene : undefined },
    ]);
    const found = Object.entries(await readList(group)).map(([name, { alt, scene }]) => [
      name,
      { alt, scene },
    ]);
    expect(found, group.folder).toEqual(expected);
    expect(group.pictures.filter(({ alt }) => alt.length <= 10)).toEqual([]);
  }
});

test('the carousels have 8 and 10 images, the demo a photo and four images of three products', () => {
  const sizes = Object.fromEntries(pictureGroups.map(({ folder, pictures }) => [folder, pictures.length]));
  expect(sizes).toMatchObject({ landing: 8, login: 10, demo: 15, templates: 4, products: 3 });
  expect(sizes.scenes).toBe(sceneLibrary.length);
});

test('what a phone loads of the first hero image is at most 60 kB, and all pictures are at most 6 MB', async () => {
  expect((await stat(join(picturesFolder, 'hero', 'vase-image-640.avif'))).size).toBeLessThan(60_000);
  const files = await readdir(picturesFolder, { recursive: true, withFileTypes: true });
  const sizes = files.filter((file) => file.isFile()).map((file) => stat(join(file.parentPath, file.name)));
  const total = (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
  expect(total).toBeLessThan(6_000_000);
});

test('the photos of the studio are the sample photos, at most 200 kB each', async () => {
  for (const { id, photo } of demoPhotos) {
    const copy = await readFile(join(picturesFolder, 'products', `${id}.jpg`));
    expect(copy.equals(await readFile(samplePhotoFile(photo))), id).toBe(true);
    expect(copy.length, id).toBeLessThanOrEqual(200_000);
  }
});

test('cards and icons have the sizes that others expect', async () => {
  const icons = join(rootFolder, 'web', 'public', 'icons');
  const sizeOf = async (path: string) => {
    const { width, height, format, hasAlpha } = await sharp(path).metadata();
    return { width, height, format, hasAlpha };
  };
  for (const card of ['default', 'guides']) {
    const file = join(picturesFolder, 'open-graph', `${card}.jpg`);
    expect(await sizeOf(file)).toEqual({ width: 1200, height: 630, format: 'jpeg', hasAlpha: false });
    expect((await stat(file)).size).toBeLessThan(200_000);
  }
  expect((await readdir(icons)).sort()).toEqual([
    'apple-touch-icon-180.png',
    'icon-192.png',
    'icon-512.png',
    'icon-maskable-512.png',
  ]);
  for (const name of await readdir(icons)) {
    const side = Number(/(\d+)\.png$/.exec(name)![1]);
    expect(await sizeOf(join(icons, name)), name).toMatchObject({ width: side, height: side, format: 'png' });
  }
});

test('the local renderer draws every scene of the library and every template differently', () => {
  const drawn = [
    ...sceneLibrary.map(({ description }) => description),
    ...templateScenes.map(({ scene }) => scene),
  ].map((text) => JSON.stringify(describeScene(text)));
  expect(new Set(drawn).size).toBe(drawn.length);
  // What a description looks like of which no word is understood.
  expect(drawn).not.toContain(JSON.stringify(describeScene('')));
});
