/** Exported files of real images, opened by independent readers: ExifTool for the metadata, and sharp for the pixels. */
import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import sharp, { type Sharp } from 'sharp';
import { expect } from 'vitest';
import {
  type ErrorReply,
  type ExportCheck,
  type ExportFormat,
  type ExportPresetId,
  exportFormats,
  exportPreset,
  exportPresetIds,
  exportPresets,
  type GenerationView,
  paths,
} from '#contract';
import { findGeneration } from '#shared/data/generations/find.ts';
import { expectError } from '#tests/support/errors.ts';
import type { Seller, SellerWindow } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { temporaryFolder, testWithSeller } from '#tests/support/test.ts';

const test = testWithSeller();
const productName = 'Tea & <Cups> Größe 2';
const madeByAi = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia';

const photo = (width: number, height: number) =>
  sharp('scripts/sample/coffee-cup.png').removeAlpha().resize(width, height);

/** A part of a photo on a background of one colour. */
async function productOn(background: object, width: number, height: number): Promise<Sharp> {
  const product = await photo(Math.round(width / 2), Math.round(height / 3))
    .png()
    .toBuffer();
  return sharp({ create: { width, height, channels: 4, background } as never }).composite([
    { input: product, left: Math.round(width / 8), top: Math.round(height / 4) },
  ]);
}

const pictures = {
  square: async () => (await productOn({ r: 252, g: 251, b: 249, alpha: 1 }, 1_024, 1_024)).removeAlpha(),
  portrait: async () => photo(1_024, 1_536),
  transparent: async () => productOn({ r: 0, g: 0, b: 0, alpha: 0 }, 1_536, 1_024),
} as const;
type PictureName = keyof typeof pictures;

/** Makes an image, and puts a picture in its place: the image server of the tests makes all images alike. */
async function makeImage(
  { stack, seller, window }: { stack: TestStack; seller: Seller; window: SellerWindow },
  picture: PictureName,
): Promise<GenerationView> {
  const { id } = await seller.submit({ productName });
  const view = await window.untilEnded(id);
  const row = await findGeneration(stack.db, seller.id, id);
  const file = await (await pictures[picture]())
    .withExif({ IFD0: { Make: 'Camera' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } })
    .png()
    .toBuffer();
  await writeFile(join(stack.storageFolder, row!.image!.key), file);
  return view;
}

const queryOf = (query: Record<string, string>) => `?${new URLSearchParams(query)}`;

async function download(stack: TestStack, seller: Seller, query: Record<string, string>) {
  const reply = await fetch(stack.url + paths.exports + queryOf(query), {
    headers: { authorization: `Bearer ${seller.token}` },
  });
  expect(reply.status).toBe(200);
  return { headers: reply.headers, file: Buffer.from(await reply.arrayBuffer()) };
}

async function check(seller: Seller, query: Record<string, string>): Promise<ExportCheck[]> {
  const { status, body } = await seller.request<{ files: ExportCheck[] }>(
    paths.exportChecks + queryOf(query),
  );
  expect(status).toBe(200);
  return body.files;
}

/** Checks the metadata of all files in a folder. */
async function expectMetadata(folder: string, count: number): Promise<void> {
  // Every tag with its group.
  const { stdout } = await promisify(execFile)('exiftool', ['-json', '-G1', '-a', folder]);
  const files = JSON.parse(stdout) as Record<string, unknown>[];
  expect(files).toHaveLength(count);
  for (const tags of files) {
    expect(tags).toMatchObject({
      'XMP-iptcExt:DigitalSourceType': madeByAi,
      'XMP-dc:Title': productName,
      'ICC_Profile:ProfileDescription': 'sRGB',
    });
    const groups = new Set(Object.keys(tags).map((tag) => tag.split(':')[0]));
    for (const group of ['GPS', 'IFD0', 'ExifIFD', 'MakerNotes']) expect(groups).not.toContain(group);
  }
}

/** Checks what every exported file has, and the size of its preset. */
async function expectExport(file: Buffer, format: ExportFormat, preset: ExportPresetId): Promise<void> {
  const { format: container, width, height, icc, exif, xmpAsString } = await sharp(file).metadata();
  expect(container).toBe(format === 'avif' ? 'heif' : format);
  // The name is stored with two bytes for each character.
  expect(icc?.toString('latin1').replaceAll('\0', '')).toContain('sRGB');
  expect(exif).toBeUndefined();
  expect(xmpAsString).toContain(`<Iptc4xmpExt:DigitalSourceType>${madeByAi}<`);
  expect(file.includes('Camera')).toBe(false);
  for (const rule of exportPreset(preset).rules) {
    if (rule.kind === 'size') expect([width, height]).toEqual([rule.width, rule.height]);
    if (rule.kind === 'longest-side') expect(Math.max(width, height)).toBeGreaterThanOrEqual(rule.least);
    if (rule.kind === 'shortest-side') expect(Math.min(width, height)).toBeGreaterThanOrEqual(rule.least);
    if (rule.kind === 'bytes') expect(file.byteLength).toBeLessThanOrEqual(rule.most);
  }
}

test.for<[PictureName, readonly ExportPresetId[], readonly ExportFormat[]]>([
  ['square', exportPresetIds, exportFormats],
  // The other pictures only where their shape or transparency matters.
  ['portrait', ['amazon-secondary', 'etsy', 'shopify', 'instagram-portrait', 'original'], ['webp']],
  ['transparent', ['google-merchant', 'instagram-square', 'original'], ['png', 'jpeg', 'avif']],
])(
  'a %s image is exported for marketplaces',
  async ([picture, presets, formats], { stack, seller, window, onTestFinished }) => {
    const { id, createdAt } = await makeImage({ stack, seller, window }, picture);
    const exported = await temporaryFolder(stack, onTestFinished);
    for (const preset of presets) {
      for (const format of preset === 'original' ? formats : (['png'] as const)) {
        const query = { images: id, presets: preset, format };
        const { file, headers } = await download(stack, seller, query);
        const [checked] = await check(seller, query);
        const written = exportPreset(preset).format ?? format;
        await expectExport(file, written, preset);
        await writeFile(join(exported, checked!.fileName), file);
        const { width, height } = await sharp(file).metadata();
        expect(checked).toMatchObject({ image: id, preset, width, height, bytes: file.byteLength });
        expect(checked!.rules).toHaveLength(exportPresets[preset].rules.length);
        const extension = written === 'jpeg' ? 'jpg' : written;
        expect(checked!.fileName).toBe(`Tea-Cups-Größe-2-${preset}-${createdAt.slice(0, 10)}.${extension}`);
        expect(headers.get('content-disposition')).toContain(encodeURIComponent(checked!.fileName));
      }
    }
    await expectMetadata(exported, presets.length - 1 + formats.length);
    // Nothing of it is stored.
    const row = await findGeneration(stack.db, seller.id, id);
    const folder = join(stack.storageFolder, row!.image!.key, '..');
    expect(await readdir(folder)).toEqual([basename(row!.image!.key)]);
  },
);

test.for(['square', 'transparent'] as const)(
  'the Amazon main image of a %s image is pure white and filled by the product',
  async (picture, { stack, seller, window }) => {
    const { id } = await makeImage({ stack, seller, window }, picture);
    const query = { images: id, presets: 'amazon-main' };
    const { file } = await download(stack, seller, query);
    const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 1_600, height: 1_600, channels: 3 });
    // The product takes 90 % of the frame. JPEG changes blocks that it touches, so beside it 32 pixels are left out.
    const inner = 1_600 * 0.05 - 32;
    let notWhite = 0;
    for (let y = 0; y < 1_600; y += 1) {
      for (let x = 0; x < 1_600; x += 1) {
        if (Math.min(x, y, 1_599 - x, 1_599 - y) >= inner) continue;
        const at = (y * 1_600 + x) * 3;
        if (data[at] !== 255 || data[at + 1] !== 255 || data[at + 2] !== 255) notWhite += 1;
      }
    }
    expect(notWhite).toBe(0);
    const trimmed = await sharp(file)
      .trim({ background: '#fff', threshold: 40 })
      .toBuffer({ resolveWithObject: true });
    expect(Math.max(trimmed.info.width, trimmed.info.height) / 1_600).toBeCloseTo(0.9, 2);
    const [{ rules, enlarged }] = (await check(seller, query)) as [ExportCheck];
    expect(enlarged).toBeGreaterThan(1);
    expect(rules).toMatchObject([
      { name: 'Format', outcome: 'fixed' },
      { name: 'Background', outcome: 'fixed' },
      { name: 'Product size', outcome: 'fixed', measured: expect.stringMatching(/^50 %, now (89\.9|90) %$/) },
      { name: 'Longest side', outcome: 'fixed', measured: expect.stringMatching(/enlarged \d\.\d times/) },
    ]);
  },
);

test('a scene fails the rules about the background, and keeps its pixels', async ({
  stack,
  seller,
  window,
}) => {
  const { id } = await makeImage({ stack, seller, window }, 'portrait');
  const [main, square] = await check(seller, { images: id, presets: 'amazon-main,instagram-square' });
  expect(main!.rules.map(({ outcome }) => outcome)).toEqual(['fixed', 'fails', 'fails', 'fixed']);
  expect(square!.rules[1]).toMatchObject({ outcome: 'fixed', measured: expect.stringContaining('cut off') });
});

test('an edited image is exported as edited', async ({ stack, seller, window }) => {
  const { id } = await makeImage({ stack, seller, window }, 'portrait');
  const { status } = await seller.request(paths.edits(id), {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ recipe: { rotate: 90 }, basedOn: null }),
  });
  expect(status).toBe(200);
  const { file } = await download(stack, seller, { images: id, presets: 'original', format: 'webp' });
  expect(await sharp(file).metadata()).toMatchObject({ format: 'webp', width: 1_536, height: 1_024 });
});

test('several files come as a ZIP with unique names', async ({ stack, seller, window }) => {
  const one = await makeImage({ stack, seller, window }, 'square');
  const other = await makeImage({ stack, seller, window }, 'transparent');
  const query = { images: `${one.id},${other.id}`, presets: 'ebay,original', name: '{product}' };
  const { file, headers } = await download(stack, seller, query);
  expect(headers.get('content-type')).toBe('application/zip');
  const names = [
    'Tea-Cups-Größe-2.jpg',
    'Tea-Cups-Größe-2.png',
    'Tea-Cups-Größe-2-2.jpg',
    'Tea-Cups-Größe-2-2.png',
  ];
  expect(Object.keys(unzipSync(file))).toEqual(names);
  expect((await check(seller, query)).map(({ fileName }) => fileName)).toEqual(names);
});

test('what cannot be exported is refused', async ({ stack, seller, window }) => {
  const { id } = await makeImage({ stack, seller, window }, 'square');
  const ask = (path: string, query: Record<string, string>, by = seller) =>
    by.request<ErrorReply>(path + queryOf(query));
  for (const path of [paths.exports, paths.exportChecks]) {
    for (const [field, wrong] of [
      ['presets', { presets: 'myspace' }],
      ['presets', { presets: 'ebay,ebay' }],
      ['presets', { presets: '' }],
      ['images', { images: '' }],
      ['images', { images: Array.from({ length: 51 }, (_, index) => index).join() }],
      ['format', { format: 'bmp' }],
      ['name', { name: '{product}-{price}' }],
      ['name', { name: '' }],
      ['name', { name: 'x'.repeat(101) }],
    ] as const) {
      const answer = await ask(path, { images: id, presets: 'ebay', ...wrong });
      expect(answer.status, JSON.stringify(wrong)).toBe(400);
      expect(answer.body.error.field?.split('.')[0]).toBe(field);
    }
    expectError(await ask(path, { images: id, presets: 'ebay' }, await stack.seller()), 'NOT_FOUND');
    expectError(await ask(path, { images: `${id},absent`, presets: 'ebay' }), 'NOT_FOUND');
  }
  await seller.request(paths.generation(id), { method: 'DELETE' });
  expectError(await ask(paths.exports, { images: id, presets: 'ebay' }), 'NOT_FOUND');
});
