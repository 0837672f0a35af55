/** The checks of all kinds of rules. */
import { expect } from 'vitest';
import { type ExportPresetId, exportPreset, exportPresetIds } from '#contract';
import { testWithSeller } from '#tests/support/test.ts';
import { check, makeImage } from './exports-steps.ts';

const test = testWithSeller({ workers: 0 });

const kindsOf = (presets: readonly ExportPresetId[]) =>
  new Set(presets.flatMap((preset) => exportPreset(preset).rules.map(({ kind }) => kind)));

test('an image is checked by each kind of rule', async ({ stack, seller }) => {
  const { _id: id } = await makeImage(stack, seller, 'square');
  const presets = ['amazon-main', 'google-merchant', 'instagram-square'] as const;
  expect(kindsOf(presets)).toEqual(kindsOf(exportPresetIds));
  const checks = await check(seller, { images: id, presets: presets.join() });
  expect(
    checks.map(({ image, preset, rules }) => [image, preset, rules.map(({ outcome }) => outcome)]),
  ).toEqual([
    [id, 'amazon-main', ['fixed', 'fixed', 'fixed', 'fixed']],
    [id, 'google-merchant', ['fixed', 'fixed', 'pass', 'fixed']],
    [id, 'instagram-square', ['fixed', 'fixed']],
  ]);
});
