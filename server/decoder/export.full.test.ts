/** Each export preset × picture, at the size of our images. */
import sharp from 'sharp';
import { expect, test } from 'vitest';
import {
  type ExportFormat,
  type ExportPresetId,
  exportFormats,
  exportPresetIds,
  exportPresets,
} from '#contract';
import {
  expectExport,
  expectFilledFrame,
  expectMetadata,
  exportPicture,
  type PictureName,
} from '#tests/support/export-pictures.ts';

/** Exports a picture for presets, in these formats if the seller chooses it, and checks the files. */
async function expectExports(
  picture: PictureName,
  presets: readonly ExportPresetId[],
  formats: readonly ExportFormat[],
): Promise<void> {
  const files: Buffer[] = [];
  for (const preset of presets) {
    for (const wanted of preset === 'original' ? formats : (['png'] as const)) {
      const made = await exportPicture(picture, preset, { format: wanted });
      await expectExport(made.file, made.format, preset);
      const { width, height } = await sharp(made.file).metadata();
      expect(made.facts).toMatchObject({ width, height });
      expect(made.rules).toHaveLength(exportPresets[preset].rules.length);
      files.push(made.file);
    }
  }
  await expectMetadata(files);
}

test.for(exportPresetIds)('a square image is exported as %s', async (preset) => {
  await expectExports('square', [preset], exportFormats);
});

// The other pictures only where their shape or transparency matters.
test.for<[PictureName, readonly ExportPresetId[], readonly ExportFormat[]]>([
  ['portrait', ['amazon-secondary', 'etsy', 'shopify', 'instagram-portrait', 'original'], ['webp']],
  ['transparent', ['google-merchant', 'instagram-square', 'original'], ['png', 'jpeg', 'avif']],
])('a %s image is exported for marketplaces', ([picture, presets, formats]) =>
  expectExports(picture, presets, formats),
);

test('the Amazon main image of a transparent image is pure white and filled by the product', async () => {
  const { file, rules } = await exportPicture('transparent', 'amazon-main');
  await expectFilledFrame(file);
  expect(rules.map(({ outcome }) => outcome)).toEqual(['fixed', 'fixed', 'fixed', 'fixed']);
});
