/** Saved looks: create, limit, change, duplicate, delete with the picture, and what account export and deletion do. */
import { strFromU8, unzipSync } from 'fflate';
import sharp from 'sharp';
import { expect } from 'vitest';
import {
  defaultOptions,
  type LookList,
  type LookView,
  limits,
  type OwnPreset,
  ownPresetPaths,
  paths,
} from '#contract';
import { finishDeletion } from '#shared/accounts/deletion.ts';
import { beginDeletion } from '#shared/data/accounts/deletion.ts';
import { beginLookDeletion } from '#shared/data/looks.ts';
import { storageKeys } from '#shared/storage/storage.ts';
import { askForExport, call } from '#tests/support/account.ts';
import { atOnce, workerContext } from '#tests/support/credits.ts';
import { expectError } from '#tests/support/errors.ts';
import { newImage } from '#tests/support/finished-images.ts';
import { eventually } from '#tests/support/harness.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { runUpkeep } from '#worker/upkeep/upkeep.ts';

const test = testWithStack({ workers: 0 }).extend('seller', ({ stack }) => stack.seller());

const plain = { name: 'Oak', scene: 'On an oak table' };
const create = async (seller: Seller, body: object = plain) =>
  (await call<LookView>(seller, 'POST', paths.looks, body)).body;
const listOf = async (seller: Seller) => (await seller.request<LookList>(paths.looks)).body.looks;
const hasPicture = (stack: TestStack, id: string) =>
  stack.server.context.storage.has(storageKeys.lookPicture(id));

async function picture(seller: Seller, url: string) {
  const reply = await seller.fetch(url);
  return { status: reply.status, bytes: Buffer.from(await reply.arrayBuffer()) };
}

test('a look is saved with the picture of an image, changed, duplicated and deleted with its file', async ({
  stack,
  seller,
}) => {
  const image = await newImage(stack, seller);
  const options = {
    template: 'Studio Photography Setup',
    negativePrompt: 'people',
    // Only some plans have this size: that decides when the look is used.
    width: 2_048,
    height: 2_048,
    style: 'lifestyle',
    background: 'transparent',
    numImages: 3,
    exportPresets: ['ebay', 'etsy'],
  };
  const saved = await create(seller, { ...plain, name: ' Oak ', ...options, pictureOf: image.id });
  expect(saved).toMatchObject({ ...plain, ...options, pictureUrl: paths.lookPicture(saved.id) });
  const { status, bytes } = await picture(seller, saved.pictureUrl!);
  expect(status).toBe(200);
  expect((await sharp(bytes).metadata()).format).toBe('webp');

  // Its picture is a copy.
  await call(seller, 'DELETE', paths.generation(image.id));
  const changed = await call<LookView>(seller, 'PUT', paths.look(saved.id), { name: 'Ash', scene: 'On ash' });
  const { negativePrompt, width, height, style, background } = defaultOptions;
  const defaults = { template: null, negativePrompt, width, height, style, background };
  expect(changed.body).toMatchObject({
    id: saved.id,
    name: 'Ash',
    scene: 'On ash',
    pictureUrl: saved.pictureUrl,
    ...defaults,
    numImages: 1,
    exportPresets: [],
  });
  const copied = await call<LookView>(seller, 'POST', paths.duplicateLook(saved.id));
  expect(copied.status).toBe(201);
  const { id, name, pictureUrl } = copied.body;
  expect(name).toBe('Ash copy');
  expect((await listOf(seller)).map((look) => look.id)).toEqual([id, saved.id]);

  expect((await call(seller, 'DELETE', paths.look(saved.id))).status).toBe(204);
  expect(await hasPicture(stack, saved.id)).toBe(false);
  expectError(await call<never>(seller, 'DELETE', paths.look(saved.id)), 'NOT_FOUND');
  expect((await picture(seller, saved.pictureUrl!)).status).toBe(404);
  expect((await picture(seller, pictureUrl!)).bytes.equals(bytes)).toBe(true);
  // As the server leaves it that dies after it deleted the look.
  await beginLookDeletion(stack.db, seller.id, id);
  expect(await listOf(seller)).toEqual([]);
  await runUpkeep(workerContext(stack), atOnce);
  expect(await hasPicture(stack, id)).toBe(false);
  expect(await stack.models.looks.countDocuments({ profile: seller.id })).toBe(0);
});

test('a seller has so many looks at most, also with concurrent requests', async ({ stack, seller }) => {
  await create(seller);
  const row = await stack.models.looks.findOne({ profile: seller.id }).lean();
  await stack.models.looks.insertMany(
    Array.from({ length: limits.looks - 3 }, (_, index) => ({
      ...row,
      _id: `${seller.id}-${index}`,
      slot: index + 1,
    })),
  );
  const replies = await Promise.all(
    Array.from({ length: 6 }, () => call<LookView>(seller, 'POST', paths.looks, plain)),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
  expect(await listOf(seller)).toHaveLength(limits.looks);
  const [look] = await listOf(seller);
  expectError(await call<never>(seller, 'POST', paths.duplicateLook(look!.id)), 'LOOK_LIMIT');
  await call(seller, 'DELETE', paths.look(look!.id));
  expect((await call(seller, 'POST', paths.looks, plain)).status).toBe(201);
});

test('wrong input is refused, and nobody uses the look of another seller', async ({ stack, seller }) => {
  const image = await newImage(stack, seller);
  const look = await create(seller, { ...plain, pictureOf: image.id });
  const wrong: [field: string, value: unknown][] = [
    ['name', ' '],
    ['name', 'x'.repeat(limits.lookNameCharacters + 1)],
    ['scene', ''],
    ['scene', 'x'.repeat(limits.promptCharacters + 1)],
    ['template', 'Underwater'],
    ['style', 'cubist'],
    ['width', 77],
    ['numImages', limits.imagesPerRequest + 1],
    ['exportPresets', ['ebay', 'ebay']],
    ['pictureOf', 'absent'],
  ];
  for (const [field, value] of wrong) {
    const reply = await call<never>(seller, 'POST', paths.looks, { ...plain, [field]: value });
    expect(reply, field).toMatchObject({ status: 400, body: { error: { field } } });
  }
  const stranger = await stack.seller();
  expect(await listOf(stranger)).toEqual([]);
  expectError(await call<never>(stranger, 'PUT', paths.look(look.id), plain), 'NOT_FOUND');
  expectError(await call<never>(stranger, 'DELETE', paths.look(look.id)), 'NOT_FOUND');
  expectError(await call<never>(stranger, 'POST', paths.duplicateLook(look.id)), 'NOT_FOUND');
  expect((await picture(stranger, look.pictureUrl!)).status).toBe(404);
  const stolen = await call<never>(stranger, 'POST', paths.looks, { ...plain, pictureOf: image.id });
  expect(stolen.status).toBe(400);
});

test('a look names own presets of its seller, and goes on without those that are deleted', async ({
  stack,
  seller,
}) => {
  const preset = async (of: Seller, name: string) => {
    const body = { name, width: 400, height: 300, format: 'jpeg' };
    return (await call<OwnPreset>(of, 'POST', ownPresetPaths.ownPresets, body)).body.id;
  };
  const [shop, print] = [await preset(seller, 'Shop'), await preset(seller, 'Print')];
  const look = await create(seller, { ...plain, exportPresets: ['ebay', shop, print] });
  expect(look.exportPresets).toEqual([shop, print, 'ebay']);
  const copy = (await call<LookView>(seller, 'POST', paths.duplicateLook(look.id))).body;
  expect(copy.exportPresets).toEqual(look.exportPresets);
  const only = await create(seller, { ...plain, exportPresets: [shop] });

  expect((await call(seller, 'DELETE', ownPresetPaths.ownPreset(shop))).status).toBe(204);
  const presetsOf = new Map((await listOf(seller)).map(({ id, exportPresets }) => [id, exportPresets]));
  expect(presetsOf).toEqual(
    new Map([
      [only.id, []],
      [copy.id, [print, 'ebay']],
      [look.id, [print, 'ebay']],
    ]),
  );

  // One that is gone, or another seller's, is not taken.
  const stranger = await stack.seller();
  for (const id of [shop, await preset(stranger, 'Shop')]) {
    const body = { ...plain, exportPresets: [id] };
    expectError(await call<never>(seller, 'POST', paths.looks, body), 'PRESET_GONE');
    expectError(await call<never>(seller, 'PUT', paths.look(look.id), body), 'PRESET_GONE');
  }
  // Those of others stay as they are.
  const theirs = await preset(stranger, 'Print');
  const kept = await create(stranger, { ...plain, exportPresets: [theirs] });
  expectError(await call<never>(seller, 'DELETE', ownPresetPaths.ownPreset(theirs)), 'PRESET_GONE');
  expect(await listOf(stranger)).toEqual([kept]);
});

test('looks are in the export of the account, and go with the account', async ({ stack, seller }) => {
  const image = await newImage(stack, seller);
  const look = await create(seller, { ...plain, pictureOf: image.id });
  const files = unzipSync((await picture(seller, await askForExport(seller))).bytes);
  expect(JSON.parse(strFromU8(files['looks.json']!))).toEqual([look]);
  expect(Object.keys(files)).toContain(`looks/${look.id}.webp`);

  await expect.poll(() => stack.audit(), eventually).toEqual([]);
  await beginDeletion(stack.db, seller.id);
  expect(await finishDeletion(workerContext(stack), seller.id, new Date())).toBe(true);
  expect(await stack.models.looks.countDocuments({ profile: seller.id })).toBe(0);
  expect(await hasPicture(stack, look.id)).toBe(false);
});
