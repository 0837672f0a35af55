/** Pictures to export, and what every exported file of them has: read with sharp, and with ExifTool for the metadata. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp, { type Sharp } from 'sharp';
import { expect } from 'vitest';
import {
  type DigitalSourceType,
  type ExportFormat,
  type ExportPresetId,
  type ExportRule,
  exportCheckSchema,
  exportParts,
  exportPreset,
  paths,
} from '#contract';
import { exportImage } from '#server/decoder/export.ts';
import { checkRules } from '#server/images/check-rules.ts';
import type { Seller } from './seller.ts';

/** The product's name in the files: it needs escaping in XMP and in file names. */
export const exportedName = 'Tea & <Cups> Größe 2';
const madeByAi = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia';

const photo = (width: number, height: number) =>
  sharp('tests/support/sample/coffee-cup.png').removeAlpha().resize(width, height);

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
  square: async (scale: number) =>
    (await productOn({ r: 252, g: 251, b: 249, alpha: 1 }, 1_024 * scale, 1_024 * scale)).removeAlpha(),
  portrait: async (scale: number) => photo(1_024 * scale, 1_536 * scale),
  transparent: (scale: number) => productOn({ r: 0, g: 0, b: 0, alpha: 0 }, 1_536 * scale, 1_024 * scale),
} as const;
export type PictureName = keyof typeof pictures;

/** A picture as PNG, with the metadata of a camera. @param scale 1 for the size of our images */
export async function pictureOf(name: PictureName, scale = 1): Promise<Buffer> {
  return (await pictures[name](scale))
    .withExif({ IFD0: { Make: 'Camera' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } })
    .png()
    .toBuffer();
}

/** Does something in a temporary folder. */
async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'packshot-exports-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Has a server make one file. @returns it with its check */
export async function fetchExport({ fetch }: Pick<Seller, 'fetch'>, query: Record<string, string>) {
  const reply = await fetch(`${paths.exportFile}?${new URLSearchParams(query)}`);
  expect(reply.status).toBe(200);
  const form = await reply.formData();
  const [file, check] = [exportParts.file, exportParts.check].map((name) => form.get(name) as File);
  return {
    reply,
    mediaType: file!.type,
    file: Buffer.from(await file!.arrayBuffer()),
    check: exportCheckSchema.parse(JSON.parse(await check!.text())),
  };
}

interface Wanted {
  format?: ExportFormat;
  scale?: number;
  sourceType?: DigitalSourceType;
}

/** Exports a picture as the decoder does, in this process. @returns the file, its facts, and how it obeys the rules */
export async function exportPicture(
  picture: PictureName | Buffer,
  preset: ExportPresetId,
  { format = 'png', scale = 1, sourceType = 'trainedAlgorithmicMedia' }: Wanted = {},
) {
  const { rules, format: wanted } = exportPreset(preset);
  return exportByRules(picture, rules, { format: wanted ?? format, scale, sourceType });
}

/** The same by rules that no preset of a marketplace has. */
export async function exportByRules(
  picture: PictureName | Buffer,
  rules: readonly ExportRule[],
  {
    format,
    quality = null,
    scale = 1,
    sourceType = 'trainedAlgorithmicMedia',
  }: Wanted & { format: ExportFormat; quality?: number | null },
) {
  const outcome = await inFolder(async (folder) => {
    const path = join(folder, 'image.png');
    await writeFile(path, typeof picture === 'string' ? await pictureOf(picture, scale) : picture);
    return exportImage({ path, rules, format, quality, productName: exportedName, sourceType });
  });
  if (!('result' in outcome)) throw new Error(`not exported: ${JSON.stringify(outcome)}`);
  const { facts } = outcome.result;
  const file = Buffer.from(outcome.result.file);
  return { file, facts, format, rules: checkRules(rules, facts, file.byteLength) };
}

/** Checks what every exported file has, and what the rules of its preset ask for. */
export async function expectExport(
  file: Buffer,
  format: ExportFormat,
  preset: ExportPresetId,
): Promise<void> {
  const { format: container, width, height, icc, exif, xmpAsString } = await sharp(file).metadata();
  expect(container).toBe(format === 'avif' ? 'heif' : format);
  // The name is stored with two bytes for each character.
  expect(icc?.toString('latin1').replaceAll('\0', '')).toContain('sRGB');
  expect(exif).toBeUndefined();
  expect(xmpAsString).toContain(`<Iptc4xmpExt:DigitalSourceType>${madeByAi}<`);
  expect(file.includes('Camera')).toBe(false);
  for (const rule of exportPreset(preset).rules) {
    // What is only recommended is not reached where it would look blurred.
    if (rule.advised && rule.kind !== 'ratio') continue;
    if (rule.kind === 'ratio')
      expect(Math.abs(width - (height * rule.width) / rule.height)).toBeLessThanOrEqual(1);
    if (rule.kind === 'size') expect([width, height]).toEqual([rule.width, rule.height]);
    if (rule.kind === 'longest-side') expect(Math.max(width, height)).toBeGreaterThanOrEqual(rule.least);
    if (rule.kind === 'shortest-side') expect(Math.min(width, height)).toBeGreaterThanOrEqual(rule.least);
    if (rule.kind === 'bytes') expect(file.byteLength).toBeLessThanOrEqual(rule.most);
  }
}

/** Every tag of files with its group, as ExifTool reads them. */
export async function tagsOf(files: readonly Uint8Array[]): Promise<Record<string, unknown>[]> {
  const stdout = await inFolder(async (folder) => {
    const paths = files.map((_, index) => join(folder, String(index)));
    for (const [index, path] of paths.entries()) await writeFile(path, files[index]!);
    return (await promisify(execFile)('exiftool', ['-json', '-G1', '-a', ...paths])).stdout;
  });
  return JSON.parse(stdout);
}

/** Checks the metadata of exported files as ExifTool reads them. */
export async function expectMetadata(exported: readonly Buffer[]): Promise<void> {
  const files = await tagsOf(exported);
  expect(files).toHaveLength(exported.length);
  for (const tags of files) {
    expect(tags).toMatchObject({
      'XMP-iptcExt:DigitalSourceType': madeByAi,
      'XMP-dc:Title': exportedName,
      'ICC_Profile:ProfileDescription': 'sRGB',
    });
    const groups = new Set(Object.keys(tags).map((tag) => tag.split(':')[0]));
    for (const group of ['GPS', 'IFD0', 'ExifIFD', 'MakerNotes']) expect(groups).not.toContain(group);
  }
}

/** Checks that a file of 1,600 pixels is pure white around its product, which takes 90 % of it. */
export async function expectFilledFrame(file: Buffer): Promise<void> {
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ width: 1_600, height: 1_600, channels: 3 });
  // JPEG changes blocks that the product touches, so beside it 32 pixels are left out.
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
}
