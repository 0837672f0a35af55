import { expect, test } from 'vitest';
import { createOwnPresetSchema, type FilePreset, filePresets, limits, type OwnPreset } from '#contract';
import { isLargeExport } from './use-export-files.ts';

/** As many files of a size in pixels; null for that of the image. */
function filesOf(count: number, side: number | null) {
  const id = `own-${'0'.repeat(24)}` as const;
  const own = createOwnPresetSchema.parse({
    name: 'Shop',
    width: side ?? 1,
    height: side ?? 1,
    format: 'png',
  });
  const [preset] = filePresets(
    [side === null ? 'ebay' : id],
    [{ ...own, id, createdAt: '', updatedAt: '' } satisfies OwnPreset],
  ) as [FilePreset];
  return Array.from({ length: count }, () => ({ preset }));
}

test('a server packs more files, or larger ones, than a page should hold', () => {
  const most = limits.exportFilesOfPage;
  expect([filesOf(most, null), filesOf(most, 400)].map(isLargeExport)).toEqual([false, false]);
  expect([filesOf(most + 1, null), filesOf(most + 1, 400)].map(isLargeExport)).toEqual([true, true]);
  // 25 megapixels each.
  expect([filesOf(16, 5_000), filesOf(17, 5_000)].map(isLargeExport)).toEqual([false, true]);
});
