import { expect, test } from 'vitest';
import type { OwnPreset } from '#contract';
import { changesOf, type FormValues, formResolver, presetOf, valuesOf } from './own-preset-values.ts';

const preset: OwnPreset = {
  id: `own-${'0'.repeat(24)}`,
  name: 'Shop',
  width: 400,
  height: 300,
  format: 'jpeg',
  quality: 80,
  background: 'white',
  productShare: 85,
  namePattern: null,
  createdAt: '2026-11-01T00:00:00.000Z',
  updatedAt: '2026-11-01T00:00:00.000Z',
};

/** What comes of typed values: the preset, or the fields that are wrong. */
async function resolved(changes: Partial<FormValues>) {
  const opened = valuesOf(preset);
  const options = { fields: {}, shouldUseNativeValidation: false };
  const { values, errors } = await formResolver(opened)({ ...opened, ...changes }, undefined, options);
  const wrong = Object.keys(errors);
  return wrong.length > 0 ? wrong : presetOf(values as FormValues);
}

test('a field that is not shown keeps nobody from saving', async () => {
  const wrong = { quality: '7', colour: 'red', productShare: '3' };
  expect(await resolved({ ...wrong, background: 'colour' })).toEqual(['quality', 'colour', 'productShare']);
  expect(await resolved({ ...wrong, format: 'png', background: 'keep' })).toMatchObject({
    format: 'png',
    quality: 80,
    background: 'keep',
    productShare: null,
  });
  expect(await resolved({ ...wrong, format: 'png', productShare: '' })).toMatchObject({
    background: 'white',
  });
});

test('only what was changed is sent', () => {
  const fields = presetOf(valuesOf(preset));
  expect(changesOf(preset, fields)).toEqual({});
  expect(changesOf(preset, { ...fields, width: 500, namePattern: '{sku}' })).toEqual({
    width: 500,
    namePattern: '{sku}',
  });
  // Another window may have set a share meanwhile, which does not go together with it.
  const without = { ...preset, productShare: null };
  expect(changesOf(without, presetOf({ ...valuesOf(without), background: 'keep' }))).toEqual({
    background: 'keep',
    productShare: null,
  });
});
