/** Editing a finished image over the API: rendering, versions, reset, and what is refused. */
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { expect } from 'vitest';
import { type GenerationView, identityRecipe, paths } from '#contract';
import { findGeneration } from '#shared/data/generations/find.ts';
import { call } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { insertImage, makeImage, newImage } from '#tests/support/finished-images.ts';
import { eventually } from '#tests/support/harness.ts';
import type { Seller } from '#tests/support/seller.ts';
import { testWithSeller } from '#tests/support/test.ts';

const test = testWithSeller();

const put = (seller: Seller, id: string, recipe: object | null, basedOn: number | null = null) =>
  call<GenerationView>(seller, 'PUT', paths.edits(id), { recipe, basedOn });

test('an edited image is rendered, another window sees it, and a reset removes it', async ({
  stack,
  seller,
  window,
}) => {
  const made = await makeImage(seller);
  const before = await seller.me();
  const recipe = {
    ...identityRecipe,
    rotate: 90,
    crop: { left: 0, top: 0.25, width: 1, height: 0.5 },
    whiteBackground: true,
  };
  const { status, body: edited } = await put(seller, made.id, recipe);
  expect(status).toBe(200);
  const { width, height } = made.image!;
  expect(edited.edits).toMatchObject({ recipe, width: height, height: Math.round(width / 2) });
  expect(edited.image).toEqual(made.image);
  const seen = await window.until(made.id, ({ edits }) => edits !== null);
  expect(seen).toEqual(edited);

  const file = await seller.fetch(edited.edits!.downloadUrl);
  expect(file.headers.get('content-disposition')).toMatch(/^attachment/);
  const picture = await sharp(Buffer.from(await file.arrayBuffer())).metadata();
  expect(picture).toMatchObject({ format: 'png', width: height, height: Math.round(width / 2) });
  const thumbnail = await seller.fetch(edited.edits!.thumbnailUrl);
  expect(thumbnail.headers.get('content-type')).toBe('image/webp');

  // The preview of a white background needs to know where the product is.
  const product = await seller.fetch(`${made.image!.url}-product`);
  expect(product.headers.get('cache-control')).toMatch(/^private, max-age=/);
  const plane = await sharp(Buffer.from(await product.arrayBuffer())).metadata();
  expect(plane).toMatchObject({ format: 'png', channels: 1, width: 512 });

  // Another version replaces the first one and its files.
  const { version } = edited.edits!;
  const { body: again } = await put(seller, made.id, { warmth: 30 }, version);
  expect(again.edits!.version).toBeGreaterThan(version);
  expectError(await seller.request(edited.edits!.url), 'NOT_FOUND');
  expect((await seller.fetch(again.edits!.url)).status).toBe(200);
  const row = await findGeneration(stack.db, seller.id, made.id);
  const folder = dirname(join(stack.storageFolder, row!.image!.key));
  expect((await readdir(folder)).filter((name) => name.startsWith('edited-'))).toEqual([
    `edited-${again.edits!.version}.png`,
  ]);

  const { body: reset } = await put(seller, made.id, identityRecipe, again.edits!.version);
  expect(reset.edits).toBeNull();
  expect(reset.revision).toBeGreaterThan(again.revision);
  expect((await readdir(folder)).filter((name) => name.startsWith('edited-'))).toEqual([]);
  expect((await seller.fetch(made.image!.url)).status).toBe(200);
  expect((await seller.me()).subscription).toEqual(before.subscription);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('of two windows that edit the same version, one saves', async ({ stack, seller }) => {
  const { _id: id } = await insertImage(stack, seller);
  const answers = await Promise.all([10, 20, 30].map((contrast) => put(seller, id, { contrast })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  for (const answer of answers.filter(({ status }) => status === 409)) expectError(answer, 'EDIT_CONFLICT');
  const saved = answers.find(({ status }) => status === 200)!.body;
  expect((await seller.generation(id)).edits).toEqual(saved.edits);
});

test('what cannot be edited is refused, and nothing changes', async ({ stack, seller, window }) => {
  const made = await newImage(stack, seller);
  for (const [field, recipe] of [
    ['recipe.crop', { crop: { left: 0.6, top: 0, width: 0.5, height: 1 } }],
    ['recipe.straighten', { straighten: 16 }],
    ['recipe.straighten', { straighten: null }],
    ['recipe.brightness', { brightness: 'bright' }],
    ['recipe.rotate', { rotate: 45 }],
    ['recipe', null],
  ] as const) {
    const answer = await put(seller, made.id, recipe);
    expectError(answer, 'VALIDATION', { field });
  }
  const other = await stack.seller();
  expectError(await put(other, made.id, { warmth: 1 }), 'NOT_FOUND');
  expect(await seller.generation(made.id)).toEqual(made);

  await stack.images.set({ behaviours: [{ kind: 'hold' }] });
  const { id } = await seller.submit();
  expectError(await put(seller, id, { warmth: 1 }), 'NOT_EDITABLE');
  await stack.images.waitFor({ waiting: 1 });
  await stack.images.release();
  await window.untilEnded(id);
});
