/** Exported files over HTTP. Their pixels and rules are tested in `server/decoder/export.test.ts`. */
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { unzipSync } from 'fflate';
import sharp from 'sharp';
import { expect, vi } from 'vitest';
import {
  type ErrorReply,
  type ExportCheck,
  type ExportPresetId,
  exportPreset,
  exportPresetIds,
  paths,
} from '#contract';
import { call } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import {
  expectExport,
  expectMetadata,
  fetchExport,
  type PictureName,
  pictureOf,
  exportedName as productName,
} from '#tests/support/export-pictures.ts';
import { insertImage } from '#tests/support/finished-images.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';

const test = testWithSeller({ workers: 0 });

/** Gives the seller an image of a quarter of the usual size. @returns its row */
async function makeImage(stack: TestStack, seller: Seller, picture: PictureName) {
  return insertImage(stack, seller, { form: { productName }, file: await pictureOf(picture, 0.25) });
}

const queryOf = (query: Record<string, string>) => `?${new URLSearchParams(query)}`;

async function check(seller: Seller, query: Record<string, string>): Promise<ExportCheck[]> {
  const { status, body } = await seller.request<{ files: ExportCheck[] }>(
    paths.exportChecks + queryOf(query),
  );
  expect(status).toBe(200);
  return body.files;
}

async function download(seller: Seller, query: Record<string, string>) {
  const reply = await seller.fetch(paths.exports + queryOf(query));
  expect(reply.status).toBe(200);
  return { headers: reply.headers, file: Buffer.from(await reply.arrayBuffer()) };
}

test('a downloaded file is the one that was checked, and nothing of it is stored', async ({
  stack,
  seller,
}) => {
  const { _id: id, image, created_at: createdAt } = await makeImage(stack, seller, 'portrait');
  const query = { images: id, presets: 'google-merchant' };
  const { file, headers } = await download(seller, query);
  await expectExport(file, 'jpeg', 'google-merchant');
  const { width, height } = await sharp(file).metadata();
  const fileName = `Tea-Cups-Größe-2-google-merchant-${createdAt.toISOString().slice(0, 10)}.jpg`;
  expect(await check(seller, query)).toMatchObject([{ fileName, width, height, bytes: file.byteLength }]);
  expect(headers.get('content-disposition')).toContain(encodeURIComponent(fileName));
  await expectMetadata([file]);
  expect(await readdir(join(stack.storageFolder, image!.key, '..'))).toEqual([basename(image!.key)]);
});

test('one reply has the file and how it obeys the rules, and the image is rendered once for it', async ({
  stack,
  seller,
}) => {
  const { _id: id } = await makeImage(stack, seller, 'square');
  const render = vi.spyOn(stack.server.context.decoder, 'export');
  try {
    const query = { images: id, presets: 'amazon-main' };
    const { file, check: found, mediaType, reply } = await fetchExport(seller, query);
    expect(render).toHaveBeenCalledTimes(1);
    expect([mediaType, reply.headers.get('cache-control')]).toEqual(['image/jpeg', 'no-store']);
    expect(found.bytes).toBe(file.byteLength);
    expect([found]).toEqual(await check(seller, query));
    expect(file).toEqual((await download(seller, query)).file);
    // Each of those makes it anew: that is what the reply with both is for.
    expect(render).toHaveBeenCalledTimes(3);
  } finally {
    render.mockRestore();
  }
});

test('the reply with both is for one file', async ({ stack, seller }) => {
  const [one, other] = [await makeImage(stack, seller, 'square'), await makeImage(stack, seller, 'square')];
  for (const [field, query] of [
    ['images', { images: `${one._id},${other._id}`, presets: 'ebay' }],
    ['presets', { images: one._id, presets: 'ebay,etsy' }],
  ] as const) {
    const answer = await seller.request<ErrorReply>(paths.exportFile + queryOf(query));
    expect([answer.status, answer.body.error.field?.split('.')[0]]).toEqual([400, field]);
  }
});

test('an edited image is exported as edited', async ({ stack, seller }) => {
  const { _id: id } = await makeImage(stack, seller, 'portrait');
  const { status } = await call(seller, 'PUT', paths.edits(id), { recipe: { rotate: 90 }, basedOn: null });
  expect(status).toBe(200);
  const { file } = await download(seller, { images: id, presets: 'original', format: 'webp' });
  expect(await sharp(file).metadata()).toMatchObject({ format: 'webp', width: 384, height: 256 });
});

test('what AI changed of an image that was made without it says so', async ({ stack, seller }) => {
  const first = await makeImage(stack, seller, 'portrait');
  const changed = await makeImage(stack, seller, 'portrait');
  const provider = { model: '', request_id: null, milliseconds: 1, usage: null };
  const set = (id: string, changes: object) => stack.models.generations.updateOne({ _id: id }, changes);
  await set(first._id, { provider: { ...provider, name: 'local' } });
  const version = { parent: first._id, root: first._id };
  for (const [name, type] of [
    ['openai', 'compositeWithTrainedAlgorithmicMedia'],
    ['local', 'composite'],
  ] as const) {
    await set(changed._id, { ...version, provider: { ...provider, name } });
    const { file } = await download(seller, { images: changed._id, presets: 'original', format: 'png' });
    expect((await sharp(file).metadata()).xmpAsString).toContain(`digitalsourcetype/${type}<`);
  }
});

test('several files come as a ZIP with unique names', async ({ stack, seller }) => {
  const one = await makeImage(stack, seller, 'square');
  const other = await makeImage(stack, seller, 'transparent');
  const query = { images: `${one._id},${other._id}`, presets: 'ebay,original', name: '{product}' };
  const { file, headers } = await download(seller, query);
  expect(headers.get('content-type')).toBe('application/zip');
  const names = [
    'Tea-Cups-Größe-2.jpg',
    'Tea-Cups-Größe-2.png',
    'Tea-Cups-Größe-2-2.jpg',
    'Tea-Cups-Größe-2-2.png',
  ];
  expect(Object.keys(unzipSync(file))).toEqual(names);
  expect((await check(seller, query)).map(({ fileName }) => fileName)).toEqual(names);
});

test('files of a long name are told apart by their presets, else by numbers', async ({ stack, seller }) => {
  const form = { productName: 'Mug '.repeat(50).trim() };
  const { _id: id } = await insertImage(stack, seller, { form, file: await pictureOf('square', 0.25) });
  for (const [name, first, second] of [
    ['{product}-{preset}', '-ebay.jpg', '-etsy.jpg'],
    ['{sku}', '.jpg', '-2.jpg'],
  ] as const) {
    const checks = await check(seller, { images: id, presets: 'ebay,etsy', name });
    expect(checks[0]!.fileName).toMatch(/^Mug-Mug-/);
    expect(checks[0]!.fileName.endsWith(first)).toBe(true);
    expect(checks[1]!.fileName).toBe(checks[0]!.fileName.slice(0, -first.length) + second);
  }
});

test('what cannot be exported is refused', async ({ stack, seller }) => {
  const { _id: id } = await makeImage(stack, seller, 'square');
  const ask = (path: string, query: Record<string, string>, by = seller) =>
    by.request<ErrorReply>(path + queryOf(query));
  for (const path of [paths.exports, paths.exportFile, paths.exportChecks]) {
    for (const [field, wrong] of [
      ['presets', { presets: 'myspace' }],
      ['presets', { presets: 'ebay,ebay' }],
      ['presets', { presets: '' }],
      ['images', { images: '' }],
      ['images', { images: Array.from({ length: 51 }, (_, index) => index).join() }],
      ['format', { format: 'bmp' }],
      ['name', { name: '{product}-{price}' }],
      ['name', { name: '' }],
      ['name', { name: 'x'.repeat(101) }],
    ] as const) {
      const answer = await ask(path, { images: id, presets: 'ebay', ...wrong });
      expect(answer.status, JSON.stringify(wrong)).toBe(400);
      expect(answer.body.error.field?.split('.')[0]).toBe(field);
    }
    expectError(await ask(path, { images: id, presets: 'ebay' }, await stack.seller()), 'NOT_FOUND');
    const absent = path === paths.exportFile ? 'absent' : `${id},absent`;
    expectError(await ask(path, { images: absent, presets: 'ebay' }), 'NOT_FOUND');
  }
  await seller.request(paths.generation(id), { method: 'DELETE' });
  expectError(await ask(paths.exports, { images: id, presets: 'ebay' }), 'NOT_FOUND');
});

const kindsOf = (presets: readonly ExportPresetId[]) =>
  new Set(presets.flatMap((preset) => exportPreset(preset).rules.map(({ kind }) => kind)));

test('an image is checked by each kind of rule', async ({ stack, seller }) => {
  const { _id: id } = await makeImage(stack, seller, 'square');
  // The image is small: where it would be enlarged more than twice, the rule about the size fails.
  const presets = ['amazon-main', 'google-merchant', 'instagram-square', 'temu'] as const;
  expect(kindsOf(presets)).toEqual(kindsOf(exportPresetIds));
  const checks = await check(seller, { images: id, presets: presets.join() });
  expect(
    checks.map(({ image, preset, rules }) => [image, preset, rules.map(({ outcome }) => outcome)]),
  ).toEqual([
    [id, 'amazon-main', ['fixed', 'fixed', 'fixed', 'fails']],
    [id, 'google-merchant', ['fixed', 'fixed', 'fails', 'pass', 'fixed']],
    [id, 'instagram-square', ['fixed', 'fails']],
    [id, 'temu', ['fixed', 'pass', 'fails', 'pass']],
  ]);
});
