/** Sellers' own export presets over HTTP: who may use them, their limit, what is refused, and the files that are made with them. */
import { strFromU8, unzipSync } from 'fflate';
import sharp from 'sharp';
import { expect } from 'vitest';
import {
  type ErrorReply,
  limits,
  type OwnPreset,
  type OwnPresetList,
  ownPresetPaths,
  paths,
} from '#contract';
import { batchPaths } from '#contract/batch-paths.ts';
import { askForExport, call } from '#tests/support/account.ts';
import { postBatch, sampleRows } from '#tests/support/batches.ts';
import { expectError } from '#tests/support/errors.ts';
import { expectMetadata, exportedName, fetchExport, pictureOf } from '#tests/support/export-pictures.ts';
import { insertImage } from '#tests/support/finished-images.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';

const test = testWithSeller({ workers: 0 });

const plain = { name: 'Shop', width: 400, height: 300, format: 'jpeg' } as const;
const create = (seller: Seller, body: object = plain) =>
  call<OwnPreset>(seller, 'POST', ownPresetPaths.ownPresets, body);
const made = async (seller: Seller, body: object = plain): Promise<OwnPreset> => {
  const reply = await create(seller, body);
  expect(reply.status).toBe(201);
  return reply.body;
};
const listOf = async (seller: Seller) =>
  (await seller.request<OwnPresetList>(ownPresetPaths.ownPresets)).body.presets;
const change = (seller: Seller, id: string, body: object) =>
  call<OwnPreset>(seller, 'PATCH', ownPresetPaths.ownPreset(id), body);
const remove = (seller: Seller, id: string) => call<never>(seller, 'DELETE', ownPresetPaths.ownPreset(id));

async function makeImage(stack: TestStack, seller: Seller) {
  const form = { productName: exportedName };
  return (await insertImage(stack, seller, { form, file: await pictureOf('square', 0.25) }))._id;
}

const queryOf = (query: Record<string, string>) => `?${new URLSearchParams(query)}`;
const ask = (seller: Seller, path: string, query: Record<string, string>) =>
  seller.request<ErrorReply>(path + queryOf(query));
async function download(seller: Seller, path: string, query: Record<string, string>) {
  const reply = await seller.fetch(path + queryOf(query));
  expect(reply.status).toBe(200);
  return { headers: reply.headers, file: Buffer.from(await reply.arrayBuffer()) };
}

test('a preset is made, listed by name, changed and deleted', async ({ seller }) => {
  const preset = await made(seller);
  const usual = { quality: 92, background: 'white', productShare: null, namePattern: null };
  expect(preset).toMatchObject({ ...plain, ...usual, id: expect.stringMatching(/^own-[0-9a-f]{24}$/) });
  const full = {
    name: ' ا لصورة 👩‍👩‍👧 ',
    width: 5_000,
    height: 500,
    format: 'webp',
    quality: limits.ownPresetQualityLeast,
    background: 'transparent',
    productShare: 85,
    namePattern: 'CON',
  };
  const other = await made(seller, full);
  expect(other).toMatchObject({ ...full, name: full.name.trim() });
  expect((await listOf(seller)).map(({ id }) => id)).toEqual([preset.id, other.id]);

  const changed = await change(seller, preset.id, { name: 'SHOP', background: '#f5f5f5', width: 500 });
  expect(changed.body).toMatchObject({ ...plain, name: 'SHOP', width: 500, background: '#f5f5f5' });
  expect((await change(seller, preset.id, {})).body).toMatchObject({ name: 'SHOP', width: 500 });
  expect((await remove(seller, preset.id)).status).toBe(204);
  expectError(await remove(seller, preset.id), 'PRESET_GONE');
  expectError(await change(seller, preset.id, { name: 'Shop' }), 'PRESET_GONE');
  expect(await listOf(seller)).toEqual([other]);
});

test('another seller can neither see nor use nor change a preset', async ({ stack, seller }) => {
  const preset = await made(seller);
  const stranger = await stack.seller();
  const own = await makeImage(stack, stranger);
  const theirs = await makeImage(stack, seller);
  expect(await listOf(stranger)).toEqual([]);
  expectError(await change(stranger, preset.id, { name: 'Mine' }), 'PRESET_GONE');
  expectError(await remove(stranger, preset.id), 'PRESET_GONE');
  const batch = await postBatch(stranger, { rows: await sampleRows(1) });
  for (const presets of [preset.id, `ebay,${preset.id}`]) {
    for (const path of [paths.exports, ...(presets === preset.id ? [paths.exportFile] : [])])
      expectError(await ask(stranger, path, { images: own, presets }), 'PRESET_GONE');
    const { id } = batch.body;
    expectError(await ask(stranger, batchPaths.batchArchive(id), { presets }), 'PRESET_GONE');
    const table = { presets, system: 'shopify' };
    expectError(await ask(stranger, batchPaths.batchProducts(id), table), 'PRESET_GONE');
  }
  // Nor does the preset of one seller open the image of another.
  const mine = await made(stranger);
  expectError(await ask(stranger, paths.exports, { images: theirs, presets: mine.id }), 'NOT_FOUND');
  // The same name is free for each seller.
  expect(await listOf(seller)).toEqual([preset]);
});

test('of forty requests at once as many as there are places make a preset, and of one name a single one', async ({
  seller,
}) => {
  const replies = await Promise.all(
    Array.from({ length: limits.ownPresets + 20 }, (_, index) =>
      create(seller, { ...plain, name: `Shop ${index}` }),
    ),
  );
  const count = (status: number) => replies.filter((reply) => reply.status === status).length;
  expect([count(201), count(409)]).toEqual([limits.ownPresets, 20]);
  for (const reply of replies.filter(({ status }) => status === 409))
    expectError(reply as never, 'PRESET_LIMIT');
  const [first, second] = await listOf(seller);
  await remove(seller, first!.id);
  const same = await Promise.all(
    ['Café', 'CAFÉ', 'cafe\u0301', ' café ', 'Ｃａｆé'].map((name) => create(seller, { ...plain, name })),
  );
  expect(same.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409]);
  expect(await listOf(seller)).toHaveLength(limits.ownPresets);
  expectError((await change(seller, second!.id, { name: 'cafÉ' })) as never, 'PRESET_NAME_TAKEN');
});

test('changes at once are all kept, and what does not go together is refused also if it comes in two requests', async ({
  seller,
}) => {
  const { id } = await made(seller, { ...plain, format: 'png' });
  const replies = await Promise.all([
    change(seller, id, { width: 600 }),
    change(seller, id, { height: 700 }),
    change(seller, id, { quality: 50 }),
    change(seller, id, { name: 'Square' }),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect((await listOf(seller))[0]).toMatchObject({ width: 600, height: 700, quality: 50, name: 'Square' });
  const [first, second] = await Promise.all([
    change(seller, id, { format: 'jpeg' }),
    change(seller, id, { background: 'transparent' }),
  ]);
  expect([first.status, second.status].toSorted()).toEqual([200, 400]);
});

test('wrong input is refused at its field', async ({ seller }) => {
  const { id } = await made(seller, { ...plain, name: 'Kept' });
  const wrong: [field: string, value: unknown][] = [
    ...[
      '',
      ' ',
      'x'.repeat(61),
      'a\u0000b',
      'a\nb',
      'bell\u0007',
      '\u202eevil',
      '\u200d',
      'a\ud800',
      7,
      null,
    ].map((name): [string, unknown] => ['name', name]),
    ...[0, -1, 5_001, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e300, '400', null, [], {}].flatMap(
      (side): [string, unknown][] => [
        ['width', side],
        ['height', side],
      ],
    ),
    ['height', 39],
    ['format', 'avif'],
    ['format', 'bmp'],
    ['quality', limits.ownPresetQualityLeast - 1],
    ['quality', 101],
    ['background', 'red'],
    ['background', '#FFF'],
    ['background', '#12345g'],
    ['background', 'transparent'],
    ['productShare', 9],
    ['productShare', 101],
    ['namePattern', ''],
    ['namePattern', '{product}-{price}'],
    ['namePattern', '{sku'],
    ['namePattern', 'x'.repeat(101)],
  ];
  for (const [field, value] of wrong) {
    for (const reply of [
      await call<never>(seller, 'POST', ownPresetPaths.ownPresets, { ...plain, [field]: value }),
      await call<never>(seller, 'PATCH', ownPresetPaths.ownPreset(id), { [field]: value }),
    ])
      expect(reply, `${field} ${JSON.stringify(value)}`).toMatchObject({
        status: 400,
        body: { error: { field } },
      });
  }
  const sized = { ...plain, background: 'keep', productShare: 80 };
  expect(await create(seller, sized)).toMatchObject({
    status: 400,
    body: { error: { field: 'productShare' } },
  });
  expect(await create(seller, { ...plain, price: 1 })).toMatchObject({ status: 400 });
  expect(await listOf(seller)).toMatchObject([{ name: 'Kept', ...{ width: 400, height: 300 } }]);
  for (const presets of ['own-', 'own-x', `own-${'0'.repeat(23)}`, 'OWN-000000000000000000000000'])
    expect((await ask(seller, paths.exports, { images: 'x', presets })).status).toBe(400);
});

test('an export has the preset’s size, colour and name, checks say so, and a deleted one is told in words', async ({
  stack,
  seller,
}) => {
  const id = await makeImage(stack, seller);
  const { id: preset } = await made(seller, {
    ...plain,
    name: 'Größe Ⅱ / Shop: "1"',
    background: '#20406a',
    productShare: 60,
    namePattern: '{sku}_{preset}_{amazon}',
  });
  const query = { images: id, presets: preset, name: '{product}' };
  const { file, headers } = await download(seller, paths.exports, query);
  expect(await sharp(file).metadata()).toMatchObject({ format: 'jpeg', width: 400, height: 300 });
  const corner = await sharp(file).extract({ left: 0, top: 0, width: 1, height: 1 }).raw().toBuffer();
  for (const [channel, value] of [0x20, 0x40, 0x6a].entries())
    expect(Math.abs(corner[channel]! - value)).toBeLessThanOrEqual(3);
  await expectMetadata([file]);
  const fileName = 'Tea-Cups-Größe-2_Größe-Ⅱ-Shop-1_MAIN.jpg';
  expect(headers.get('content-disposition')).toContain(encodeURIComponent(fileName));
  // One reply has the same file with its check.
  const both = await fetchExport(seller, query);
  expect(both.file).toEqual(file);
  expect(both.check).toMatchObject({ preset, fileName, width: 400, height: 300, bytes: file.byteLength });
  expect(both.check.rules.map(({ name, confirmed }) => [name, confirmed])).toEqual([
    ['Format', true],
    ['Background', true],
    ['Product size', true],
    ['Size', true],
  ]);
  // The check of several files knows presets of marketplaces only.
  const refused = await ask(seller, paths.exportChecks, query);
  expect([refused.status, refused.body.error.field?.split('.')[0]]).toEqual([400, 'presets']);

  // With a marketplace's: a ZIP, each file with its own pattern.
  const zip = unzipSync(
    (await download(seller, paths.exports, { ...query, presets: `${preset},ebay` })).file,
  );
  expect(Object.keys(zip)).toEqual([fileName, 'Tea-Cups-Größe-2.jpg']);

  await change(seller, preset, { width: 320, height: 320, format: 'png', namePattern: null });
  const later = await download(seller, paths.exports, query);
  expect(await sharp(later.file).metadata()).toMatchObject({ format: 'png', width: 320, height: 320 });
  expect(later.headers.get('content-disposition')).toContain('Tea-Cups');

  await remove(seller, preset);
  for (const path of [paths.exports, paths.exportFile]) {
    const gone = await ask(seller, path, query);
    expectError(gone, 'PRESET_GONE');
    expect(gone.body.error.message).toBe('This export preset was deleted. Please choose another one.');
  }
});

test('names that Windows keeps, and names that become the same, are safe in a ZIP', async ({
  stack,
  seller,
}) => {
  const id = await makeImage(stack, seller);
  const presets = [];
  for (const [name, namePattern] of [
    ['CON', 'con'],
    ['A?', 'nul.txt'],
    ['A:', '{preset}'],
    ['🎨', '{preset}'],
    ['A!', '{preset}'],
    ['..', '../{preset}'],
  ] as const)
    presets.push((await made(seller, { ...plain, name, namePattern })).id);
  const { file } = await download(seller, paths.exports, { images: id, presets: presets.join() });
  expect(Object.keys(unzipSync(file))).toEqual([
    '_con.jpg',
    '_nul.txt.jpg',
    'A.jpg',
    'preset.jpg',
    'A-2.jpg',
    'preset-2.jpg',
  ]);
});

test('a download keeps the settings of the moment at which it was asked for', async ({ stack, seller }) => {
  const images = [
    await makeImage(stack, seller),
    await makeImage(stack, seller),
    await makeImage(stack, seller),
  ];
  const preset = await made(seller);
  // Its headers come once the first file is made; the others are made while it is read.
  const reply = await seller.fetch(paths.exports + queryOf({ images: images.join(), presets: preset.id }));
  await change(seller, preset.id, { width: 111, height: 111 });
  await remove(seller, preset.id);
  const files = Object.values(unzipSync(new Uint8Array(await reply.arrayBuffer())));
  expect(files).toHaveLength(3);
  for (const file of files) expect(await sharp(file).metadata()).toMatchObject({ width: 400, height: 300 });
});

test('own presets are in the export of the account', async ({ seller }) => {
  const preset = await made(seller);
  const files = unzipSync(Buffer.from(await (await seller.fetch(await askForExport(seller))).arrayBuffer()));
  expect(JSON.parse(strFromU8(files['export-presets.json']!))).toEqual([preset]);
});
