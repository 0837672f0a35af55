import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { brightnessModel } from '#tests/support/onnx-model.ts';
import { argumentsOfModel, modelOfArguments } from './model-arguments.ts';
import {
  chooseModel,
  findSaliency,
  findSmallSaliency,
  loadSaliency,
  saliencySide,
  setThreads,
} from './saliency.ts';

const folder = mkdtempSync(join(tmpdir(), 'packshot-models-'));
afterEach(() => chooseModel(undefined));

function modelFile(name: string, content: Buffer): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

/** Left half black, right half white. */
const photo = {
  width: 8,
  height: 8,
  data: Uint8Array.from({ length: 8 * 8 * 3 }, (_, index) => (Math.floor(index / 3) % 8 < 4 ? 0 : 255)),
};

test('a model of the installation is asked at its own size, and normalised as its family wants it', async () => {
  const file = modelFile('64.onnx', brightnessModel([1, 3, 64, 64]));
  const sigmoid = (value: number) => 1 / (1 + Math.exp(-value));
  for (const [family, black, white] of [
    ['u2net', sigmoid(-1.986), sigmoid(2.439)],
    ['isnet', sigmoid(-0.5), sigmoid(0.5)],
  ] as const) {
    chooseModel({ file, family });
    const { width, height, data } = await findSaliency(photo);
    expect([width, height]).toEqual([64, 64]);
    expect(data[64 * 32 + 4]).toBeCloseTo(black, 2);
    expect(data[64 * 32 + 60]).toBeCloseTo(white, 2);
    const small = await findSmallSaliency(photo);
    expect(small.data).toHaveLength(saliencySide ** 2);
    expect(small.data[saliencySide * 160 + 300]).toBeCloseTo(white, 2);
  }
});

/** A red disc on grey. */
const disc = {
  width: 64,
  height: 64,
  data: Uint8Array.from({ length: 64 * 64 * 3 }, (_, index) => {
    const pixel = Math.floor(index / 3);
    return Math.hypot((pixel % 64) - 32, Math.floor(pixel / 64) - 32) < 16 ? [170, 30, 30][index % 3]! : 225;
  }),
};

test('the model of the product takes an input of another side', async () => {
  const { width, height, data } = await findSaliency(disc, undefined, 160);
  expect([width, height, data.length]).toEqual([160, 160, 160 * 160]);
  expect(data[160 * 80 + 80]).toBeGreaterThan(0.8);
  expect(data[160 * 8 + 8]).toBeLessThan(0.2);
});

test('with two threads the model answers the same', async () => {
  const { data } = await findSaliency(disc);
  setThreads(2);
  chooseModel(undefined);
  expect((await findSaliency(disc)).data).toEqual(data);
  setThreads(1);
});

test('without a family, an input of 1,024 pixels per side is that of ISNet', async () => {
  chooseModel({ file: modelFile('1024.onnx', brightnessModel([1, 3, 1_024, 1_024])) });
  expect(await loadSaliency()).toMatchObject({ side: 1_024, family: 'isnet' });
  chooseModel({ file: modelFile('96.onnx', brightnessModel([1, 3, 96, 96])) });
  expect(await loadSaliency()).toMatchObject({ side: 96, family: 'u2net' });
});

test.each([
  [
    'a missing file',
    '/nowhere/model.onnx',
    undefined,
    /^\/nowhere\/model\.onnx cannot be read as an ONNX model/,
  ],
  ['no model', 'text.onnx', Buffer.from('hello'), /text\.onnx cannot be read as an ONNX model/],
  [
    'one channel',
    'grey.onnx',
    brightnessModel([1, 1, 64, 64]),
    /must have one input.* and has float32 of \[1, 1, 64, 64\]/,
  ],
  ['no square', 'wide.onnx', brightnessModel([1, 3, 64, 128]), /must have one input/],
  ['a giant', 'giant.onnx', brightnessModel([1, 3, 8_192, 8_192]), /must have one input/],
])('%s is refused with a sentence', async (_, name, content, sentence) => {
  chooseModel({ file: content === undefined ? name : modelFile(name, content) });
  await expect(loadSaliency()).rejects.toThrow(sentence);
});

test('programs get a model as an argument', () => {
  const model = { file: '/models/with space.onnx', family: 'isnet' } as const;
  expect(modelOfArguments(['node', 'main.ts', ...argumentsOfModel(model)])).toEqual(model);
  expect(modelOfArguments(['node', 'main.ts', ...argumentsOfModel(undefined)])).toBeUndefined();
});
