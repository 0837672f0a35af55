import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { imageCapabilitiesOf, imageQualities, imageSizes } from '#contract';
import { models } from '#local/openai/edit-fields.ts';
import { outputTokensOf, usageOf } from '#local/openai/usage.ts';
import { createRandom } from '#tests/support/random.ts';
import { findPrice } from './image-prices.ts';
import { costOf, mostTokens, type Tokens, tokensOf } from './image-tokens.ts';

const none: Tokens = {
  textInput: 0,
  cachedTextInput: 0,
  imageInput: 0,
  cachedImageInput: 0,
  imageOutput: 0,
  textOutput: 0,
};

const whole = { input_tokens: 1_029, output_tokens: 639, total_tokens: 1_668 };
const inputDetails = { text_tokens: 5, image_tokens: 1_024 };

/** Usage as it is reported, and as which tokens it counts. */
const reports: [name: string, usage: unknown, tokens: Partial<Tokens> | null][] = [
  [
    'an image edit',
    { ...whole, input_tokens_details: inputDetails },
    { textInput: 5, imageInput: 1_024, imageOutput: 639 },
  ],
  [
    'empty details of the output, as in streams',
    { ...whole, input_tokens_details: inputDetails, output_tokens_details: {} },
    { textInput: 5, imageInput: 1_024, imageOutput: 639 },
  ],
  [
    'text that the model wrote',
    {
      ...whole,
      input_tokens_details: inputDetails,
      output_tokens_details: { image_tokens: 496, text_tokens: 143 },
    },
    { textInput: 5, imageInput: 1_024, imageOutput: 496, textOutput: 143 },
  ],
  [
    'output whose details are less than all of it',
    {
      ...whole,
      input_tokens_details: inputDetails,
      output_tokens_details: { image_tokens: 439, text_tokens: 0 },
    },
    { textInput: 5, imageInput: 1_024, imageOutput: 639 },
  ],
  ['no details: all of it counts as pictures', whole, { imageInput: 1_029, imageOutput: 639 }],
  [
    'details that are null',
    { ...whole, input_tokens_details: null },
    { imageInput: 1_029, imageOutput: 639 },
  ],
  [
    'details that are less than all of it',
    { ...whole, input_tokens_details: { text_tokens: 5, image_tokens: 1_000 } },
    { textInput: 5, imageInput: 1_024, imageOutput: 639 },
  ],
  [
    'cached tokens by kind',
    {
      ...whole,
      input_tokens_details: {
        ...inputDetails,
        cached_tokens: 514,
        cached_tokens_details: { text_tokens: 2, image_tokens: 512 },
      },
    },
    { textInput: 3, cachedTextInput: 2, imageInput: 512, cachedImageInput: 512, imageOutput: 639 },
  ],
  [
    'cached tokens of no kind: first text, which saves less',
    { ...whole, input_tokens_details: { ...inputDetails, cached_tokens: 100 } },
    { cachedTextInput: 5, imageInput: 929, cachedImageInput: 95, imageOutput: 639 },
  ],
  [
    'more cached tokens than there are',
    { ...whole, input_tokens_details: { ...inputDetails, cached_tokens: 9_999 } },
    { cachedTextInput: 5, cachedImageInput: 1_024, imageOutput: 639 },
  ],
  ['nothing was used', { input_tokens: 0, output_tokens: 0 }, {}],
  ['null', null, null],
  ['nothing', undefined, null],
  ['a text', 'usage', null],
  ['an empty object', {}, null],
  ['only a sum', { total_tokens: 5 }, null],
  ['a negative number', { input_tokens: -1, output_tokens: 1 }, null],
  ['a fraction', { input_tokens: 1.5, output_tokens: 1 }, null],
  ['numbers as texts', { input_tokens: '10', output_tokens: '20' }, null],
];

test.for(reports)('usage: %s', ([, usage, tokens]) => {
  expect(tokensOf(usage)).toEqual(tokens && { ...none, ...tokens });
});

const flare = findPrice([], 'gpt-image-2.5-flare', '2026-11-28')!;

test('a cost is rounded up to a micro-dollar, once', () => {
  expect(costOf({ ...none, imageOutput: 439 }, flare)).toBe(13_170);
  expect(costOf({ ...none, textInput: 5, imageInput: 1_024, imageOutput: 639 }, flare)).toBe(27_387);
  expect(costOf({ ...none, cachedTextInput: 1 }, flare)).toBe(2);
  expect(costOf({ ...none, cachedTextInput: 1, cachedImageInput: 1 }, flare)).toBe(4);
  expect(costOf(none, flare)).toBe(0);
  // Repeating decimals: in fractions of a dollar, a million of them would be off.
  expect(costOf({ ...none, textInput: 1_000_000_000 }, { ...flare, textInput: 100_001 })).toBe(100_001_000);
});

test('output tokens are those that OpenAI and others publish', () => {
  const tokens = (model: string, width: number, height: number) =>
    imageQualities.map((quality) => outputTokensOf({ model, width, height, quality }));
  expect(tokens('gpt-image-1.5', 1_024, 1_024).toSorted((a, b) => a - b)).toEqual([272, 1_056, 4_160]);
  expect(tokens('gpt-image-1.5', 1_024, 1_536).toSorted((a, b) => a - b)).toEqual([408, 1_584, 6_240]);
  expect(tokens('gpt-image-2', 1_024, 1_024).toSorted((a, b) => a - b)).toEqual([196, 1_756, 7_024]);
  expect(tokens('gpt-image-2', 1_536, 1_024).toSorted((a, b) => a - b)).toEqual([158, 1_372, 5_488]);
  expect(tokens('gpt-image-2.5-flare', 1_024, 1_024).toSorted((a, b) => a - b)).toEqual([196, 439, 1_756]);
});

test('an estimate is at least what a call uses, whatever is asked for', () => {
  const seed = randomInt(2 ** 31);
  console.log(`image-tokens.test.ts: seed ${seed}`);
  const random = createRandom(seed);
  for (let run = 0; run < 3_000; run += 1) {
    const model = random.pick(models);
    const { width, height } =
      imageSizes[random.pick(imageCapabilitiesOf({ provider: 'openai', model }).sizes)];
    const quality = random.pick(imageQualities);
    const prompt = random.pick(['a cup', 'Ein Becher ', '一个杯子', '🏺']).repeat(random.between(1, 400));
    const previews = random.between(0, 3);
    const images = Array.from({ length: random.between(1, 16) }, () => ({
      width: random.between(16, 2_048),
      height: random.between(16, 2_048),
    }));
    const inputFidelity = model === 'gpt-image-1.5' ? 'high' : undefined;
    const request = { model, width, height, quality, prompt, images, inputFidelity };
    const used = tokensOf(usageOf(request as never, previews))!;
    const most = mostTokens({ model, width, height, quality, prompt, pictures: images.length, previews });
    for (const kind of Object.keys(none) as (keyof Tokens)[]) {
      expect(most[kind], `${kind} of ${JSON.stringify({ ...request, prompt: '' })}`).toBeGreaterThanOrEqual(
        used[kind],
      );
    }
    const price = findPrice([], model, '2026-11-28')!;
    expect(costOf(most, price)).toBeGreaterThanOrEqual(costOf(used, price));
  }
});

test('the estimate of a model that nobody knows is that of the dearest', () => {
  const call = {
    width: 1_024,
    height: 1_024,
    quality: 'high',
    prompt: '',
    pictures: 1,
    previews: 0,
  } as const;
  expect(mostTokens({ ...call, model: 'gpt-image-2.9' }).imageOutput).toBe(7_024);
  expect(mostTokens({ ...call, model: 'another' }).imageInput).toBe(8_000);
});
