/** How an image is to be made: options of the form, their defaults, and which a plan or the provider refuses. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { defaultOptions, errorDefinitions, imageStyles } from '#contract';
import { expectError, expectNothingLeft } from '#tests/support/errors.ts';
import type { Form } from '#tests/support/seller.ts';
import { testWithSharedSeller } from '#tests/support/test.ts';

const test = testWithSharedSeller({ workers: 0 });

type Fields = NonNullable<Form['fields']>;

const upgrade = { field: 'width', message: errorDefinitions.UPGRADE_REQUIRED[1] };

test('without options a generation has the defaults', async ({ stack }) => {
  const seller = await stack.seller();
  const view = await seller.submit({ prompt: 'On oak' });
  expect(view.options).toMatchObject(defaultOptions);
  expect(view.composedPrompt.startsWith('On oak\n\n')).toBe(true);
  expect(view.composedPrompt).toContain(`Avoid: ${defaultOptions.negativePrompt}.`);
});

test('options are kept as chosen, and say what the provider is told', async ({ stack }) => {
  const seller = await stack.seller();
  const fields: Fields = [
    ['negativePrompt', ' people,\r\nhands '],
    ['width', '1024'],
    ['height', '1536'],
    ['numImages', '1'],
    ['style', 'vintage'],
    ['useSeed', 'true'],
    ['seedValue', '999999'],
    ['background', 'transparent'],
  ];
  const view = await seller.submit({ fields });
  expect(view.options).toMatchObject({
    negativePrompt: 'people,\nhands',
    width: 1_024,
    height: 1_536,
    style: 'vintage',
    background: 'transparent',
  });
  expect(view.composedPrompt).toContain(imageStyles.vintage.sentence);
  expect(view.composedPrompt).toContain('Avoid: people,\nhands.');
  expect((await seller.generation(view.id)).options).toEqual(view.options);
});

test('every option is part of the request that a key stands for', async ({ stack }) => {
  const seller = await stack.seller();
  const idempotencyKey = randomUUID();
  const first = await seller.submit({ idempotencyKey });
  const others: Fields = [
    ['negativePrompt', 'people'],
    ['style', 'minimal'],
    ['background', 'transparent'],
    ['seedValue', '5'],
  ];
  for (const field of others) {
    expectError(await seller.send({ idempotencyKey, fields: [field] }), 'IDEMPOTENCY_MISMATCH');
  }
  const landscape: Fields = [
    ['width', '1536'],
    ['height', '1024'],
  ];
  expectError(await seller.send({ idempotencyKey, fields: landscape }), 'IDEMPOTENCY_MISMATCH');
  // A default that is written out is the same request, and its drawn seed stays.
  expect(await seller.submit({ idempotencyKey, fields: [['width', '1024']] })).toEqual(first);
});

const otherSizes: [width: number, height: number, field: string][] = [
  [1_000, 1_024, 'width'],
  [1_024, 1_000, 'height'],
  [1_024, 2_048, 'height'],
  [1_536, 1_536, 'height'],
  [1, 1, 'width'],
];

test.for(otherSizes)('not offered: %i × %i', async ([width, height, field], { stack, seller }) => {
  const fields: Fields = [
    ['width', String(width)],
    ['height', String(height)],
  ];
  const sizes = '1024 × 1024, 1024 × 1280, 1024 × 1536, 864 × 1536, 1536 × 1024, 1536 × 864, 2048 × 2048';
  const message = `Images of ${width} × ${height} pixels are not offered. Choose one of: ${sizes}.`;
  expectError(await seller.send({ fields }), 'VALIDATION', { field, message });
  await expectNothingLeft(stack, seller.id);
});

const square2k: Fields = [
  ['width', '2048'],
  ['height', '2048'],
];

test('2048 × 2048 is part of the enterprise plan, while that plan can generate', async ({
  stack,
  seller,
}) => {
  expectError(await seller.send({ fields: square2k }), 'UPGRADE_REQUIRED', upgrade);
  await expectNothingLeft(stack, seller.id);
  const enterprise = await stack.seller({ plan: 'enterprise' });
  const view = await enterprise.submit({ fields: square2k });
  expect(view.options).toMatchObject({ width: 2_048, height: 2_048 });
  const chosenOnly = await stack.seller({ plan: 'enterprise', paid: false });
  await stack.models.profiles.updateOne(
    { _id: chosenOnly.id },
    { $set: { 'free_images.granted': 3, 'free_images.left': 3 } },
  );
  expectError(await chosenOnly.send({ fields: square2k }), 'UPGRADE_REQUIRED', upgrade);
  expect((await chosenOnly.send()).status).toBe(202);
});

test('without seeds of the provider, none is kept, and a chosen one is refused', async ({ stack }) => {
  const { url } = await stack.startServer({ IMAGE_PROVIDER: 'openai', IMAGE_MODEL: 'gpt-image-1.5' });
  const seller = await stack.seller({ plan: 'enterprise', url });
  expect((await seller.me()).imageCapabilities).toEqual({
    sizes: ['square', 'portrait', 'landscape'],
    transparentBackground: true,
    seed: false,
    mask: true,
  });
  const useSeed: Fields = [
    ['useSeed', 'true'],
    ['seedValue', '7'],
  ];
  expectError(await seller.send({ fields: useSeed }), 'VALIDATION', {
    field: 'useSeed',
    message: 'The image service takes no seeds.',
  });
  expectError(await seller.send({ fields: square2k }), 'VALIDATION', {
    field: 'width',
    message: 'The image service does not make images of 2048 × 2048 pixels at the moment.',
  });
  await expectNothingLeft(stack, seller.id);
  expect((await seller.submit()).options.seed).toBeNull();
});

test('a background that the model does not make is refused', async ({ stack }) => {
  const { url } = await stack.startServer({ IMAGE_PROVIDER: 'openai', IMAGE_MODEL: 'another' });
  const seller = await stack.seller({ url });
  expectError(await seller.send({ fields: [['background', 'transparent']] }), 'VALIDATION', {
    field: 'background',
    message: 'The image service does not make transparent backgrounds at the moment.',
  });
  await expectNothingLeft(stack, seller.id);
});

test('a chosen seed is used, otherwise one is drawn', async ({ stack, seller: shared }) => {
  expect((await shared.me()).imageCapabilities.seed).toBe(true);
  const seller = await stack.seller();
  const seedOf = async (fields: Fields) => (await seller.submit({ fields })).options.seed;
  const seedValue: Fields[number] = ['seedValue', '999999'];
  expect(await seedOf([['useSeed', 'true'], seedValue])).toBe(999_999);
  expect(
    await seedOf([
      ['useSeed', 'true'],
      ['seedValue', '0'],
    ]),
  ).toBe(0);
  const drawn = [await seedOf([]), await seedOf([]), await seedOf([['useSeed', 'false'], seedValue])];
  expect(new Set([...drawn, 999_999]).size).toBe(4);
});
