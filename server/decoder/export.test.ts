/** Exported files and how they obey the rules of marketplaces: each kind of rule once; `export.full.test.ts` has the rest. */
import { expect, test } from 'vitest';
import { exportFormats } from '#contract';
import { expectExport, expectFilledFrame, exportPicture } from '#tests/support/export-pictures.ts';

test('the Amazon main image is pure white and filled by the product', async () => {
  const { file, facts, rules } = await exportPicture('square', 'amazon-main', { scale: 0.5 });
  await expectExport(file, 'jpeg', 'amazon-main');
  await expectFilledFrame(file);
  expect(facts.enlarged).toBeGreaterThan(1);
  expect(rules).toMatchObject([
    { name: 'Format', outcome: 'fixed' },
    { name: 'Background', outcome: 'fixed' },
    { name: 'Product size', outcome: 'fixed', measured: expect.stringMatching(/^50 %, now (89\.\d|90) %$/) },
    { name: 'Longest side', outcome: 'fixed', measured: expect.stringMatching(/enlarged \d\.\d times/) },
  ]);
});

test('a scene fails the rules about the background, and keeps its pixels', async () => {
  const main = await exportPicture('portrait', 'amazon-main', { scale: 0.25 });
  expect(main.rules.map(({ outcome }) => outcome)).toEqual(['fixed', 'fails', 'fails', 'fixed']);
  const square = await exportPicture('portrait', 'instagram-square', { scale: 0.25 });
  await expectExport(square.file, 'jpeg', 'instagram-square');
  expect(square.rules[1]).toMatchObject({
    outcome: 'fixed',
    measured: expect.stringContaining('cut off'),
  });
});

test('sides, bytes and the mark of AI are measured', async () => {
  const { file, rules } = await exportPicture('transparent', 'google-merchant', { scale: 0.25 });
  await expectExport(file, 'jpeg', 'google-merchant');
  expect(rules).toMatchObject([
    { name: 'Format', outcome: 'fixed' },
    { name: 'Shortest side', outcome: 'fixed', measured: expect.stringContaining('256 px, now 500 px') },
    { name: 'File size', outcome: 'pass' },
    { name: 'Marked as made by AI', outcome: 'fixed' },
  ]);
});

test.for(exportFormats)('the original size as %s', async (format) => {
  const { file, facts, rules } = await exportPicture('transparent', 'original', {
    format,
    scale: 0.25,
  });
  await expectExport(file, format, 'original');
  expect(facts).toMatchObject({ width: 384, height: 256, enlarged: 1 });
  expect(rules).toEqual([]);
});
