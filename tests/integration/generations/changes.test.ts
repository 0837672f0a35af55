/** Changing a finished image over the API: what the provider gets, versions, masks, and what is refused. */
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { expect } from 'vitest';
import {
  errorDefinitions,
  type GenerationList,
  type GenerationSet,
  type GenerationView,
  limits,
  paths,
  tooManyPoints,
} from '#contract';
import { expectError } from '#tests/support/errors.ts';
import { makeImage, untilEnded } from '#tests/support/finished-images.ts';
import { eventually } from '#tests/support/harness.ts';
import { limitMs } from '#tests/support/machine.ts';
import { nestedSvg } from '#tests/support/odd-photos.ts';
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

const imageOf = async (seller: Seller, { image }: GenerationView) =>
  Buffer.from(await (await seller.fetch(image!.url)).arrayBuffer());

/** A mask whose square of this side, at the top left, may change. */
async function maskOf(width: number, height: number, side: number): Promise<string> {
  const kept = { create: { width, height, channels: 4 as const, background: '#000' } };
  const hole = { create: { width: side, height: side, channels: 4 as const, background: '#000' } };
  const mask = sharp(kept).composite([{ input: hole, left: 0, top: 0, blend: 'dest-out' }]);
  return (await mask.png().toBuffer()).toString('base64');
}

const rectangle = { kind: 'rectangle', left: 0, top: 0, width: 300, height: 300 };

/** How many pixels of two images differ, within the square of 300 pixels at the top left and outside of it. */
async function differences(first: Buffer, second: Buffer, width: number) {
  const [before, after] = await Promise.all(
    [first, second].map((image) => sharp(image).removeAlpha().raw().toBuffer()),
  );
  let [outside, inside] = [0, 0];
  for (let index = 0; index < before!.length / 3; index += 1) {
    const colour = (pixels: Buffer) => pixels.subarray(index * 3, index * 3 + 3);
    if (colour(before!).equals(colour(after!))) continue;
    if (index % width < 300 && index < 300 * width) inside += 1;
    else outside += 1;
  }
  return { inside, outside };
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

test.for(['mask', 'marks'] as const)(
  'with a %s no pixel outside of it changes, whatever the provider does',
  async (field, { stack, seller }) => {
    const first = await makeImage(seller);
    const { width, height } = first.image!;
    await stack.images.set({ behaviours: [{ kind: 'ignore-mask' }] });
    const area = field === 'mask' ? { mask: await maskOf(width, height, 300) } : { marks: [rectangle] };
    const { id } = (await ask(seller, first.id, { instruction: 'A red wall', ...area })).body.generations[0]!;
    const changed = await untilEnded(seller, id);
    expect(changed).toMatchObject({ state: 'succeeded', change: { masked: true } });
    expect((await stack.images.state()).calls.at(-1)).toMatchObject({ masked: true });
    const images = await Promise.all([imageOf(seller, first), imageOf(seller, changed)]);
    const { inside, outside } = await differences(...images, width);
    expect(outside).toBe(0);
    expect(inside).toBeGreaterThan(0);
  },
);

test('what is stored and sent on is a mask of ours, the same from marks and from a PNG of others', async ({
  stack,
  seller,
}) => {
  const first = await makeImage(seller);
  const { width, height } = first.image!;
  const pixels = { create: { width, height, channels: 4 as const, background: '#40f0' } };
  const marked = sharp(pixels).composite([
    { input: { create: { ...pixels.create, background: '#123' } }, left: 300, top: 0, blend: 'over' },
    { input: { create: { ...pixels.create, background: '#123' } }, left: 0, top: 300, blend: 'over' },
  ]);
  const fromOthers = await marked.withIccProfile('p3').png({ palette: true, progressive: true }).toBuffer();
  const stored = async (area: object) => {
    const { body } = await ask(seller, first.id, { instruction: 'A red wall', ...area });
    const { id } = body.generations[0]!;
    const row = await stack.models.generations.findById(id);
    const bytes = await stack.server.context.storage.get(row!.change!.mask_key!);
    await untilEnded(seller, id);
    return bytes;
  };
  const drawn = await stored({ marks: [rectangle] });
  expect(await stored({ mask: fromOthers.toString('base64') })).toEqual(drawn);
  expect((await sharp(drawn!).metadata()).channels).toBe(4);
});

test('under one key the same marks are one change, and other marks are refused', async ({
  stack,
  seller,
}) => {
  const first = await makeImage(seller);
  const key = randomUUID();
  const wall = (mark: object) => ({ instruction: 'A red wall', marks: [mark] });
  const answers = await Promise.all([1, 2].map(() => ask(seller, first.id, wall(rectangle), key)));
  expect(answers.map(({ status }) => status)).toEqual([202, 202]);
  const [id, again] = answers.map(({ body }) => body.generations[0]!.id);
  expect(again).toBe(id);
  const other = await ask<never>(seller, first.id, wall({ ...rectangle, width: 301 }), key);
  expectError(other, 'IDEMPOTENCY_MISMATCH');
  await untilEnded(seller, id!);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
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
  const black = (channels: 3 | 4) => sharp({ create: { width, height, channels, background: '#000' } });
  const [plain, opaque] = await Promise.all(([3, 4] as const).map((each) => black(each).png().toBuffer()));
  // Its pixels cannot be read, although its chunks are complete.
  const damaged = Buffer.from(await maskOf(width, height, 8), 'base64');
  damaged.fill(0x55, damaged.indexOf('IDAT') + 4, damaged.indexOf('IDAT') + 40);
  for (const [field, wrong] of [
    ['instruction', { instruction: ' ' }],
    ['instruction', { instruction: undefined }],
    ['mask', { mask: 'not base64!' }],
    ['mask', { mask: Buffer.from('no image').toString('base64') }],
    ['mask', { mask: await maskOf(width / 2, height, 8) }],
    ['mask', { mask: opaque!.toString('base64') }],
    ['mask', { mask: plain!.toString('base64') }],
    ['mask', { mask: opaque!.subarray(0, -30).toString('base64') }],
    ['mask', { mask: damaged.toString('base64') }],
    ['mask', { mask: await maskOf(width, height, 8), marks: [rectangle] }],
    ['marks', { marks: [] }],
    ['marks', { marks: [{ ...rectangle, left: width }] }],
    ['marks', { marks: [{ kind: 'stroke', width: 20, points: [{ x: -20, y: -20 }] }] }],
    ['marks.0.width', { marks: [{ ...rectangle, width: '300' }] }],
  ] as const) {
    const answer = await ask<never>(seller, first.id, { instruction: 'Blue', ...wrong });
    expect(answer.status, JSON.stringify(wrong).slice(0, 80)).toBe(400);
    expect((answer.body as { error: { field: string } }).error.field).toBe(field);
  }
  const other = await stack.seller();
  expectError(await ask<never>(other, first.id, { instruction: 'Blue' }), 'NOT_FOUND');
  const own = await makeImage(other);
  // The plan is looked at before the bytes.
  for (const area of [{ mask: 'AAAA' }, { marks: [{ ...rectangle, left: width }] }]) {
    const [field] = Object.keys(area);
    const gated = await ask<never>(other, own.id, { instruction: 'Blue', ...area });
    expectError(gated, 'UPGRADE_REQUIRED', { message: errorDefinitions.UPGRADE_REQUIRED[1], field: field! });
  }
  await stack.images.set({ behaviours: [{ kind: 'hold' }] });
  const { id } = await seller.submit();
  expectError(await ask<never>(seller, id, { instruction: 'Blue' }), 'NOT_CHANGEABLE');
  await stack.images.waitFor({ waiting: 1 });
  await stack.images.release();
  await untilEnded(seller, id);
  expect(await stack.models.generations.countDocuments({ profile: seller.id })).toBe(2);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('an SVG that takes long to draw, or any other picture, is refused as a mask without a decoder', async ({
  seller,
}) => {
  const first = await makeImage(seller);
  const { width, height } = first.image!;
  const picture = sharp({ create: { width, height, channels: 4, background: '#0000' } });
  const others = await Promise.all(
    (['webp', 'tiff', 'gif', 'avif'] as const).map((format) => picture.clone().toFormat(format).toBuffer()),
  );
  const before = process.cpuUsage();
  for (const bytes of [nestedSvg(), ...others]) {
    const body = { instruction: 'Blue', mask: bytes.toString('base64') };
    const answer = await ask<never>(seller, first.id, body);
    expectError(answer, 'VALIDATION', { message: 'The mask cannot be read as a PNG.', field: 'mask' });
  }
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(limitMs(2_000));
});

test('millions of values are refused before they are parsed; the most marks are accepted', async ({
  stack,
  seller,
}) => {
  const first = await makeImage(seller);
  const before = process.memoryUsage.rss();
  for (const value of ['{}', '0', '[', '{"kind":"stroke","width":1,"points":[{}]}']) {
    const separator = value === '[' ? '' : ',';
    const body = `{"instruction":"Blue","marks":[${Array(Math.floor(4e6 / (value.length + separator.length)))
      .fill(value)
      .join(separator)}]}`;
    const answer = await seller.request<never>(paths.changes(first.id), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expectError(answer, 'VALIDATION', { message: tooManyPoints, field: 'marks' });
  }
  expect(process.memoryUsage.rss() - before).toBeLessThan(500 * 1024 * 1024);
  const dot = (index: number) => ({ kind: 'stroke', width: 40.5, points: [{ x: index % 1_000, y: 900.5 }] });
  const marks = Array.from({ length: limits.markPoints }, (_, index) => dot(index));
  const accepted = await ask(seller, first.id, { instruction: ','.repeat(limits.promptCharacters), marks });
  expect(accepted.status).toBe(202);
  await untilEnded(seller, accepted.body.generations[0]!.id);
  const tooMany = await ask<never>(seller, first.id, { instruction: 'Blue', marks: [...marks, rectangle] });
  expectError(tooMany, 'VALIDATION', { message: tooManyPoints, field: 'marks' });
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});
