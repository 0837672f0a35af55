/** Version 1 of the API: finished images as marketplaces want them. */
import { once } from 'node:events';
import { unzipSync } from 'fflate';
import sharp from 'sharp';
import { expect } from 'vitest';
import {
  type ErrorReply,
  type ExportCheck,
  exportPresetIds,
  identityRecipe,
  limits,
  paths,
  type V1ExportCheck,
  type V1ExportPresetList,
  v1ExportPaths,
} from '#contract';
import { call } from '#tests/support/account.ts';
import { callWithKey, giveKey } from '#tests/support/api-keys.ts';
import { pictureOf, exportedName as productName } from '#tests/support/export-pictures.ts';
import { insertImage } from '#tests/support/finished-images.ts';
import { limitMs } from '#tests/support/machine.ts';
import { testWithSeller } from '#tests/support/test.ts';
import { untilUnread } from '#tests/support/unread-reply.ts';

const test = testWithSeller({ workers: 0 })
  .extend('key', ({ stack, seller }) => giveKey(stack, seller, { scopes: ['exports:read'] }))
  .extend('get', ({ stack, key }) => <Body>(path: string) => {
    return callWithKey<Body>(stack.url, key, 'GET', path);
  })
  .extend('download', ({ stack, key }) => async (path: string) => {
    const reply = await fetch(stack.url + path, { headers: { authorization: `Bearer ${key}` } });
    expect(reply.status, path).toBe(200);
    return { headers: reply.headers, file: Buffer.from(await reply.arrayBuffer()) };
  });

const queryOf = (query: Record<string, string>) => `?${new URLSearchParams(query)}`;

test('every preset is listed, with its rules in words', async ({ get }) => {
  const { status, body } = await get<V1ExportPresetList>(v1ExportPaths.presets);
  expect(status).toBe(200);
  expect(body.presets.map(({ id }) => id)).toEqual(exportPresetIds);
  expect(body.presets.find(({ id }) => id === 'amazon-main')).toEqual({
    id: 'amazon-main',
    name: 'Amazon main image',
    group: 'marketplaces',
    format: 'jpeg',
    rules: [
      { name: 'Format', needed: 'JPEG', confirmed: false, advised: false },
      { name: 'Background', needed: '100 % pure white', confirmed: true, advised: false },
      { name: 'Product size', needed: 'at least 85 % of the frame', confirmed: false, advised: false },
      {
        name: 'Longest side',
        needed: 'at least 1,600 px, at most 10,000 px',
        confirmed: false,
        advised: false,
      },
    ],
    toCheck: expect.any(String),
    source: expect.stringMatching(/^https:/),
  });
});

test('a file is the one of the web app, and says which rules it does not obey', async ({
  stack,
  seller,
  get,
  download,
}) => {
  const file = await pictureOf('portrait', 0.25);
  const { _id: id } = await insertImage(stack, seller, { form: { productName }, file });
  for (const preset of ['amazon-main', 'google-merchant', 'shopify'] as const) {
    const query = queryOf({ images: id, presets: preset });
    const inApp = await seller.fetch(paths.exports + query);
    const ours = await download(v1ExportPaths.file(id, preset));
    expect(ours.file.equals(Buffer.from(await inApp.arrayBuffer()))).toBe(true);
    for (const header of ['content-type', 'content-disposition', 'content-length', 'cache-control'])
      expect(ours.headers.get(header)).toBe(inApp.headers.get(header));

    const { body } = await seller.request<{ files: ExportCheck[] }>(paths.exportChecks + query);
    const [{ image, ...checked }] = body.files as [ExportCheck];
    // Advice and marks are for the page.
    const rules = checked.rules.map(({ advice, marks, ...rule }) => rule);
    const failed = checked.rules.filter(({ outcome }) => outcome === 'fails').map(({ name }) => name);
    expect((await get<V1ExportCheck>(v1ExportPaths.check(id, preset))).body).toEqual({
      ...checked,
      rules,
      generationId: image,
      passes: failed.length === 0,
    });
    const named = failed.map((name) => `"${name}"`).join(', ');
    expect(ours.headers.get('packshot-failed-rules')).toBe(named === '' ? null : named);
  }
  // There is one of each kind among them.
  expect((await get<V1ExportCheck>(v1ExportPaths.check(id, 'amazon-main'))).body.passes).toBe(false);
  const white = await insertImage(stack, seller, { file: await pictureOf('square') });
  const passed = await download(v1ExportPaths.file(white._id, 'ebay'));
  expect(passed.headers.has('packshot-failed-rules')).toBe(false);
});

test('a file has the format and the name that were asked for, and the last edits', async ({
  stack,
  seller,
  download,
}) => {
  const { _id: id } = await insertImage(stack, seller, { file: await pictureOf('portrait', 0.25) });
  const webp = await download(
    v1ExportPaths.file(id, 'original') + queryOf({ format: 'webp', name: 'cup-{preset}' }),
  );
  expect(webp.headers.get('content-type')).toBe('image/webp');
  expect(webp.headers.get('content-disposition')).toContain('filename="cup-original.webp"');
  const before = await download(v1ExportPaths.file(id, 'original'));
  const edits = { recipe: { ...identityRecipe, rotate: 90 }, basedOn: null };
  expect((await call(seller, 'PUT', paths.edits(id), edits)).status).toBe(200);
  const after = await download(v1ExportPaths.file(id, 'original'));
  expect(after.file.equals(before.file)).toBe(false);
});

test('a ZIP has each image in each preset, also a single one', async ({ stack, seller, download }) => {
  const file = await pictureOf('square', 0.25);
  const ids: string[] = [];
  for (const name of ['Cup', 'Bowl'])
    ids.push((await insertImage(stack, seller, { file, form: { productName: name } }))._id);
  const zip = await download(
    v1ExportPaths.zip +
      queryOf({ generations: ids.join(), presets: 'ebay,etsy', name: '{product}-{preset}' }),
  );
  expect(zip.headers.get('content-type')).toBe('application/zip');
  const files = unzipSync(zip.file);
  expect(Object.keys(files)).toEqual(['Cup-ebay.jpg', 'Cup-etsy.jpg', 'Bowl-ebay.jpg', 'Bowl-etsy.jpg']);
  const one = await download(`${v1ExportPaths.file(ids[1]!, 'etsy')}?name=x`);
  expect(Buffer.from(files['Bowl-etsy.jpg']!).equals(one.file)).toBe(true);
  const single = await download(v1ExportPaths.zip + queryOf({ generations: ids[0]!, presets: 'ebay' }));
  expect(Object.keys(unzipSync(single.file))).toHaveLength(1);
});

test('what cannot be exported is refused before a byte is sent', async ({ stack, seller, get }) => {
  const { _id: id } = await insertImage(stack, seller);
  const waiting = await seller.submit();
  const deleted = await insertImage(stack, seller);
  expect((await seller.request(paths.generation(deleted._id), { method: 'DELETE' })).status).toBe(200);
  const others = await insertImage(stack, await stack.seller());
  const absent = ['x', waiting.id, deleted._id, others._id];
  const refused: [path: string, status: number, field?: string][] = [
    ...absent.flatMap((each): [string, number][] => [
      [v1ExportPaths.file(each, 'ebay'), 404],
      [v1ExportPaths.check(each, 'ebay'), 404],
      [v1ExportPaths.zip + queryOf({ generations: `${id},${each}`, presets: 'ebay' }), 404],
    ]),
    [v1ExportPaths.file(id, 'large'), 404],
    [v1ExportPaths.check(id, '__proto__'), 404],
    [v1ExportPaths.file(id, 'ebay%2Fetsy'), 404],
    [v1ExportPaths.file(id, 'original') + queryOf({ format: 'gif' }), 400, 'format'],
    [v1ExportPaths.file(id, 'original') + queryOf({ name: '{secret}' }), 400, 'name'],
    [v1ExportPaths.file(id, 'original') + queryOf({ presets: 'ebay' }), 400],
    [v1ExportPaths.zip, 400, 'generations'],
    [v1ExportPaths.zip + queryOf({ generations: id }), 400, 'presets'],
    [v1ExportPaths.zip + queryOf({ generations: id, presets: 'ebay,large' }), 400],
    [v1ExportPaths.zip + queryOf({ generations: id, presets: `own-${'0'.repeat(24)}` }), 400],
    [v1ExportPaths.zip + queryOf({ generations: `${id},${id}`, presets: 'ebay' }), 400, 'generations'],
    [
      v1ExportPaths.zip +
        queryOf({
          generations: Array.from({ length: limits.exportImages + 1 }, (_, index) => `a${index}`).join(),
          presets: 'ebay',
        }),
      400,
      'generations',
    ],
  ];
  for (const [path, status, field] of refused) {
    const answer = await get<ErrorReply>(path);
    expect([path, answer.status]).toEqual([path, status]);
    expect(answer.body.error.docs).toContain('#errors');
    if (field !== undefined) expect(answer.body.error.field, path).toBe(field);
  }
  await seller.cancel(waiting.id);
});

test('a key that is revoked while its file is made gets no file', async ({ stack, seller, get }) => {
  const { _id: id } = await insertImage(stack, seller);
  const { decoder } = stack.server.context;
  const { export: exportImage } = decoder;
  for (const path of [
    v1ExportPaths.file(id, 'ebay'),
    v1ExportPaths.zip + queryOf({ generations: id, presets: 'ebay' }),
  ]) {
    const key = await giveKey(stack, seller);
    decoder.export = async (...given) => {
      const made = await exportImage(...given);
      await stack.models.apiKeys.deleteMany({ user_id: seller.id, hint: key.slice(-4) });
      return made;
    };
    const answer = await callWithKey<ErrorReply>(stack.url, key, 'GET', path);
    decoder.export = exportImage;
    expect(answer).toMatchObject({ status: 401, body: { error: { code: 'API_KEY_INVALID' } } });
  }
  expect((await get(v1ExportPaths.file(id, 'ebay'))).status).toBe(200);
});

test(
  'a ZIP that is being sent is cut off when its key is revoked, and another key reads on',
  async ({ stack, seller, key, onTestFinished }) => {
    // Noise, which no format makes small: the ZIP is larger than the buffers of the network.
    const noise = {
      create: { width: 1_600, height: 1_600, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 60 } },
    };
    const file = await sharp(noise as never)
      .png()
      .toBuffer();
    const ids = await Promise.all(
      Array.from({ length: 6 }, async () => (await insertImage(stack, seller, { file }))._id),
    );
    const path =
      v1ExportPaths.zip + queryOf({ generations: ids.join(), presets: 'ebay,etsy,google-merchant' });
    const other = await giveKey(stack, seller, { name: 'Other', scopes: ['exports:read'] });
    const [revoked, kept] = [
      await untilUnread(stack, path, { authorization: `Bearer ${key}` }, onTestFinished),
      await untilUnread(stack, path, { authorization: `Bearer ${other}` }, onTestFinished),
    ];
    const closed = once(revoked, 'close');
    await stack.models.apiKeys.deleteOne({ user_id: seller.id, name: { $ne: 'Other' } });
    await closed;
    expect(kept.destroyed).toBe(false);
  },
  limitMs(60_000),
);
