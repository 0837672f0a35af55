/** Changing a finished image over the API: what the provider gets, versions, masks, and what is refused. */
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { expect } from 'vitest';
import {
  errorDefinitions,
  type GenerationList,
  type GenerationSet,
  type GenerationView,
  paths,
} from '#contract';
import { expectError } from '#tests/support/errors.ts';
import { eventually } from '#tests/support/harness.ts';
import type { Seller } from '#tests/support/seller.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack().extend('seller', ({ stack }) => stack.seller({ plan: 'enterprise' }));
test.beforeEach(({ stack }) => stack.images.reset());

function ask<Body = GenerationSet>(seller: Seller, id: string, body: object, key: string = randomUUID()) {
  return seller.request<Body>(paths.changes(id), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  });
}

async function untilEnded(seller: Seller, id: string): Promise<GenerationView> {
  await expect.poll(async () => (await seller.generation(id)).endedAt, eventually).not.toBeNull();
  return seller.generation(id);
}

const makeImage = async (seller: Seller) => untilEnded(seller, (await seller.submit()).id);

async function imageOf(seller: Seller, url: string, base: string): Promise<Buffer> {
  const reply = await fetch(base + url, { headers: { authorization: `Bearer ${seller.token}` } });
  return Buffer.from(await reply.arrayBuffer());
}

/** A mask whose square of this side, at the top left, may change. */
async function maskOf(width: number, height: number, side: number): Promise<string> {
  const hole = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><rect width="100%" height="100%"/></svg>`,
  );
  const kept = { create: { width, height, channels: 4 as const, background: '#000' } };
  const mask = sharp(kept).composite([{ input: hole, left: 0, top: 0, blend: 'dest-out' }]);
  return (await mask.png().toBuffer()).toString('base64');
}

test('a change is a new version, made from the image and the photos; the versions are listed', async ({
  stack,
  seller,
}) => {
  const first = await makeImage(seller);
  expect(first).toMatchObject({ parentId: null, rootId: first.id, change: null });
  const key = randomUUID();
  const instruction = 'Make the wall blue.\nNothing else.';
  const answers = await Promise.all([1, 2, 3].map(() => ask(seller, first.id, { instruction }, key)));
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
  const [{ id }] = answers[0]!.body.generations as [GenerationView];
  expect(answers.map(({ body }) => body.generations[0]!.id)).toEqual([id, id, id]);
  const second = await untilEnded(seller, id);
  expect(second).toMatchObject({
    state: 'succeeded',
    parentId: first.id,
    rootId: first.id,
    change: { instruction, masked: false },
    photos: first.photos.map(() => expect.anything()),
  });
  const { calls } = await stack.images.state();
  expect(calls).toHaveLength(2);
  expect(calls[1]!.prompt).toMatch(/^Change the first picture: Make the wall blue\. Nothing else\.\s{2}/);
  expect(calls[1]!.images).toHaveLength(1 + first.photos.length);
  expect(calls[1]).toMatchObject({ masked: false });

  // The parent can be deleted: the version has its own copy.
  expect((await seller.request(paths.generation(first.id), { method: 'DELETE' })).status).toBe(200);
  const third = await ask(seller, id, { instruction: 'Warmer' });
  expect(third.body.generations[0]).toMatchObject({ parentId: id, rootId: first.id });
  await untilEnded(seller, third.body.generations[0]!.id);
  const versions = (of: Seller) =>
    of.request<GenerationList>(`${paths.generations}?root=${first.id}`).then(({ body }) => body.generations);
  expect((await versions(seller)).map((view) => view.id)).toEqual([id, third.body.generations[0]!.id]);
  expect(await versions(await stack.seller())).toEqual([]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('with a mask no pixel outside of it changes, whatever the provider does', async ({ stack, seller }) => {
  const first = await makeImage(seller);
  const { width, height } = first.image!;
  await stack.images.set({ behaviours: [{ kind: 'ignore-mask' }] });
  const body = { instruction: 'A red wall', mask: await maskOf(width, height, 300) };
  const { id } = (await ask(seller, first.id, body)).body.generations[0]!;
  const changed = await untilEnded(seller, id);
  expect(changed).toMatchObject({ state: 'succeeded', change: { masked: true } });
  expect((await stack.images.state()).calls.at(-1)).toMatchObject({ masked: true });
  const [before, after] = await Promise.all(
    [first, changed].map(async ({ image }) =>
      sharp(await imageOf(seller, image!.url, stack.url))
        .removeAlpha()
        .raw()
        .toBuffer(),
    ),
  );
  let [outside, inside] = [0, 0];
  for (let index = 0; index < width * height; index += 1) {
    const differs = !before!
      .subarray(index * 3, index * 3 + 3)
      .equals(after!.subarray(index * 3, index * 3 + 3));
    if (!differs) continue;
    if (index % width < 300 && index < 300 * width) inside += 1;
    else outside += 1;
  }
  expect(outside).toBe(0);
  expect(inside).toBeGreaterThan(0);
});

test('a change that changes nothing is not accepted from the provider, and not charged', async ({
  stack,
  seller,
}) => {
  const first = await makeImage(seller);
  const { generationsLeft } = (await seller.me()).subscription!;
  await stack.images.set({ behaviours: [{ kind: 'copy' }, { kind: 'copy' }] });
  const [{ id }] = (await ask(seller, first.id, { instruction: 'Blue' })).body.generations as [
    GenerationView,
  ];
  expect(await untilEnded(seller, id)).toMatchObject({ state: 'failed', failure: { code: 'NO_IMAGE_DATA' } });
  expect((await stack.images.state()).calls).toHaveLength(3);
  expect((await seller.me()).subscription!.generationsLeft).toBe(generationsLeft);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('what cannot be changed is refused: nothing is held, nothing is left', async ({ stack, seller }) => {
  const first = await makeImage(seller);
  const { width, height } = first.image!;
  const opaque = await sharp({ create: { width, height, channels: 4, background: '#000' } })
    .png()
    .toBuffer();
  const plain = await sharp({ create: { width, height, channels: 3, background: '#000' } })
    .png()
    .toBuffer();
  for (const [field, body] of [
    ['instruction', { instruction: ' ' }],
    ['instruction', {}],
    ['mask', { instruction: 'Blue', mask: 'not base64!' }],
    ['mask', { instruction: 'Blue', mask: Buffer.from('no image').toString('base64') }],
    ['mask', { instruction: 'Blue', mask: await maskOf(width / 2, height, 8) }],
    ['mask', { instruction: 'Blue', mask: opaque.toString('base64') }],
    ['mask', { instruction: 'Blue', mask: plain.toString('base64') }],
  ] as const) {
    const answer = await ask<never>(seller, first.id, body);
    expect(answer.status, JSON.stringify(body).slice(0, 80)).toBe(400);
    expect((answer.body as { error: { field: string } }).error.field).toBe(field);
  }
  const other = await stack.seller();
  expectError(await ask<never>(other, first.id, { instruction: 'Blue' }), 'NOT_FOUND');
  const own = await makeImage(other);
  const mask = await maskOf(width, height, 8);
  const gated = await ask<never>(other, own.id, { instruction: 'Blue', mask });
  expectError(gated, 'UPGRADE_REQUIRED', {
    message: errorDefinitions.UPGRADE_REQUIRED[1],
    field: 'mask',
  });
  await stack.images.set({ behaviours: [{ kind: 'hold' }] });
  const { id } = await seller.submit();
  expectError(await ask<never>(seller, id, { instruction: 'Blue' }), 'NOT_CHANGEABLE');
  await stack.images.waitFor({ waiting: 1 });
  await stack.images.release();
  await untilEnded(seller, id);
  expect(await stack.models.generations.countDocuments({ profile: seller.id })).toBe(2);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});
