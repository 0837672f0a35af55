/** Version 1 of the API: changes of finished images, images made again at no charge, and the images of one request. */
import sharp from 'sharp';
import { expect } from 'vitest';
import {
  type ErrorReply,
  limits,
  paths,
  type V1Balance,
  type V1Created,
  type V1Estimate,
  type V1Generation,
  type V1Set,
  v1Paths,
} from '#contract';
import { callWithKey, giveKey } from '#tests/support/api-keys.ts';
import { insertImage, insertPoorImage } from '#tests/support/finished-images.ts';
import type { Answer, Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';

type Program = <Body = V1Created & ErrorReply>(
  method: string,
  path: string,
  body?: object,
  idempotencyKey?: string,
) => Promise<Answer<Body>>;

const programAt =
  (url: string, key: string): Program =>
  (method, path, body, idempotencyKey) =>
    callWithKey(
      url,
      key,
      method,
      path,
      body,
      idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
    );

const test = testWithSeller({ workers: 0 }, { plan: 'enterprise' })
  .extend('key', ({ stack, seller }) => giveKey(stack, seller))
  .extend('program', ({ stack, key }) => programAt(stack.url, key))
  .extend('elsewhere', async ({ stack, key }) => programAt((await stack.startServer()).url, key));

const idsOf = ({ body }: Answer<V1Created>) => body.generations.map(({ id }) => id);
const countOf = (stack: TestStack, { id }: Seller) =>
  stack.models.generations.countDocuments({ profile: id });
const holdsOf = async (stack: TestStack, { id }: Seller) =>
  (await stack.models.profiles.findById(id).lean())!.holds;
test('a change makes a new generation, which says what it changes', async ({ stack, seller, program }) => {
  const { _id: id } = await insertImage(stack, seller, { form: { productName: 'Cup' } });
  const answer = await program('POST', v1Paths.change(id), { instruction: 'A blue cup', maxImages: 1 });
  expect(answer).toMatchObject({
    status: 202,
    body: {
      generations: [
        {
          state: 'queued',
          parentId: id,
          productName: 'Cup',
          change: { instruction: 'A blue cup', masked: false },
          remake: null,
        },
      ],
    },
  });
  const [made] = idsOf(answer);
  // The seller sees it in the studio as a version of the image.
  expect(await seller.generation(made!)).toMatchObject({ parentId: id, rootId: id });
  const marks = [{ kind: 'rectangle', left: 0, top: 0, width: 100, height: 100 }];
  const masked = await program('POST', v1Paths.change(id), { instruction: 'Blue', marks });
  expect(masked.body.generations[0]!.change).toEqual({ instruction: 'Blue', masked: true });
  expect((await program<V1Balance>('GET', v1Paths.balance)).body.onHold).toBe(2);
});

test('a repeated change gets the first answer, on every server, and nothing is made twice', async ({
  stack,
  seller,
  program,
  elsewhere,
}) => {
  const { _id: id } = await insertImage(stack, seller);
  const change = { instruction: 'A blue cup' };
  const answers = await Promise.all(
    [program, elsewhere, program, elsewhere, program].map((send) =>
      send('POST', v1Paths.change(id), change, 'change-1'),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(202));
  expect(new Set(answers.flatMap(idsOf)).size).toBe(1);
  // What a person has agreed to is no part of what is asked for.
  const again = await elsewhere('POST', v1Paths.change(id), { ...change, maxImages: 1 }, 'change-1');
  expect(idsOf(again)).toEqual(idsOf(answers[0]!));
  expect(await holdsOf(stack, seller)).toHaveLength(1);

  const { _id: other } = await insertImage(stack, seller);
  const mismatches: [path: string, body: object][] = [
    [v1Paths.change(id), { instruction: 'A red cup' }],
    [v1Paths.change(other), change],
  ];
  for (const [path, body] of mismatches) {
    for (const send of [program, elsewhere]) {
      expect(await send('POST', path, body, 'change-1')).toMatchObject({
        status: 409,
        body: { error: { code: 'IDEMPOTENCY_MISMATCH' } },
      });
    }
  }
  const wrong = await program(
    'POST',
    v1Paths.change(id),
    change,
    'x'.repeat(limits.idempotencyKeyCharacters + 1),
  );
  expect(wrong.body.error).toMatchObject({ code: 'VALIDATION', field: 'Idempotency-Key' });
  expect(await holdsOf(stack, seller)).toHaveLength(1);

  // The changed image goes to the trash, which changes nothing of what the request made.
  expect((await program('DELETE', v1Paths.generation(id))).status).toBe(204);
  for (const send of [program, elsewhere]) {
    const late = await send('POST', v1Paths.change(id), change, 'change-1');
    expect([late.status, idsOf(late)]).toEqual([202, idsOf(again)]);
    expect(await send('POST', v1Paths.change(id), { instruction: 'A red cup' }, 'change-1')).toMatchObject({
      body: { error: { code: 'IDEMPOTENCY_MISMATCH' } },
    });
    expect((await send('POST', v1Paths.change(id), change, 'change-2')).status).toBe(404);
  }
  expect(await holdsOf(stack, seller)).toHaveLength(1);
  expect(await stack.audit()).toEqual([]);
});

test('a dry run of a change says what it would use or why not, and a person agrees to a number', async ({
  stack,
  seller,
  program,
}) => {
  const { _id: id } = await insertImage(stack, seller);
  const unfinished = (await seller.submit()).id;
  const [before, held] = [await countOf(stack, seller), await holdsOf(stack, seller)];
  const instruction = 'A blue cup';
  const outside = [{ kind: 'rectangle', left: 100_000, top: 0, width: 1, height: 1 }];
  const asked: [id: string, details: object, code: string | null][] = [
    [id, {}, null],
    [id, { maxImages: 1 }, null],
    [id, { maxImages: 0 }, 'MAX_IMAGES'],
    [id, { marks: [{ kind: 'rectangle', left: 0, top: 0, width: 9, height: 9 }] }, null],
    [id, { mask: Buffer.from('no picture').toString('base64') }, 'VALIDATION'],
    [unfinished, {}, 'NOT_CHANGEABLE'],
  ];
  for (const [of, details, code] of asked) {
    const question = { instruction, ...details };
    const dry = await program<V1Estimate>('POST', v1Paths.change(of), { ...question, dryRun: true });
    expect([dry.status, dry.body.images, dry.body.refusal?.code ?? null], JSON.stringify(details)).toEqual([
      200,
      1,
      code,
    ]);
    if (code === null) continue;
    // What is said is what would be answered.
    const real = await program('POST', v1Paths.change(of), question);
    expect(real.body.error).toMatchObject(dry.body.refusal!);
  }
  const refused = await program('POST', v1Paths.change(id), { instruction, marks: outside });
  expect(refused).toMatchObject({ status: 400, body: { error: { field: expect.stringMatching(/^marks/) } } });
  for (const body of [
    undefined,
    {},
    { instruction: '' },
    { instruction, dryRun: 'yes' },
    { instruction, numImages: 2 },
  ])
    expect((await program('POST', v1Paths.change(id), body)).status, JSON.stringify(body)).toBe(400);

  await stack.models.profiles.updateOne(
    { _id: seller.id },
    { $set: { subscription_plan: 'freelance', generations_left: 0 } },
  );
  const none = await program<V1Estimate>('POST', v1Paths.change(id), { instruction, dryRun: true });
  expect(none.body).toMatchObject({ refusal: { code: 'NO_CREDITS' }, balance: { left: 0 } });
  expect((await program('POST', v1Paths.change(id), { instruction })).status).toBe(402);
  expect(await countOf(stack, seller)).toBe(before);
  expect(await holdsOf(stack, seller)).toEqual(held);
});

test('a key of one kind of request is not answered with what another one made', async ({
  stack,
  seller,
  program,
  elsewhere,
}) => {
  const { _id: id } = await insertImage(stack, seller);
  const change = { instruction: 'A blue cup' };
  const changed = await program('POST', v1Paths.change(id), change, 'one');
  expect(changed.status).toBe(202);
  const photos = [{ url: 'https://photos.shop.example/mug.png' }];
  const mismatch = { status: 409, body: { error: { code: 'IDEMPOTENCY_MISMATCH' } } };
  for (const send of [program, elsewhere]) {
    expect(await send('POST', v1Paths.generations, { photos, prompt: 'A blue cup' }, 'one')).toMatchObject(
      mismatch,
    );
    // Nor is a version of the image that was changed: that is another image.
    const [made] = idsOf(changed);
    expect(await send('POST', v1Paths.change(made!), change, 'one')).toMatchObject({ status: 409 });
  }
  // A request that was refused leaves its key free, for another body as well.
  const refused = await program('POST', v1Paths.change(id), { ...change, maxImages: 0 }, 'two');
  expect(refused.body.error.code).toBe('MAX_IMAGES');
  expect((await elsewhere('POST', v1Paths.change(id), { instruction: 'A red cup' }, 'two')).status).toBe(202);
  // The order of the fields says nothing.
  const area = [{ kind: 'rectangle', left: 0, top: 0, width: 9, height: 9 }];
  const one = await program('POST', v1Paths.change(id), { marks: area, instruction: 'Blue' }, 'three');
  const other = await elsewhere('POST', v1Paths.change(id), { instruction: 'Blue', marks: area }, 'three');
  expect([other.status, idsOf(other)]).toEqual([202, idsOf(one)]);
  expect(await holdsOf(stack, seller)).toHaveLength(3);
});

test('masks that are none of the image are refused, by a dry run as well, and leave nothing', async ({
  stack,
  seller,
  program,
}) => {
  const { _id: id, image } = await insertImage(stack, seller);
  const { width, height } = image!;
  const clear = { r: 0, g: 0, b: 0, alpha: 0 };
  const blank = (alpha: number, sides = { width, height }) =>
    sharp({ create: { ...sides, channels: 4, background: { ...clear, alpha } } });
  const png = await blank(0).png().toBuffer();
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  const masks: [what: string, mask: unknown][] = [
    ['opaque everywhere', text(await blank(1).png().toBuffer())],
    ['black and white, without an alpha channel', text(await blank(1).removeAlpha().png().toBuffer())],
    [
      'half as large',
      text(
        await blank(0, { width: width / 2, height })
          .png()
          .toBuffer(),
      ),
    ],
    [
      'turned',
      text(
        await blank(0, { width: height + 1, height: width })
          .png()
          .toBuffer(),
      ),
    ],
    ['a WebP', text(await blank(0).webp().toBuffer())],
    [
      'an SVG',
      text(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"/>`)),
    ],
    ['cut off', text(png.subarray(0, png.length - 30))],
    ['empty', ''],
    ['no base64', 'not base64!'],
    ['a data URL', `data:image/png;base64,${text(png)}`],
    ['an address', 'https://photos.shop.example/mask.png'],
    ['no text', { $gt: '' }],
    ['null', null],
    ['too long', 'A'.repeat(limits.maskCharacters + 4)],
  ];
  const [before, held] = [await countOf(stack, seller), await holdsOf(stack, seller)];
  for (const [what, mask] of masks) {
    const change = { instruction: 'Blue', mask };
    const real = await program('POST', v1Paths.change(id), change);
    expect([what, real.status, real.body.error]).toEqual([
      what,
      400,
      expect.objectContaining({ code: 'VALIDATION', field: 'mask' }),
    ]);
    const dry = await program<V1Estimate & ErrorReply>('POST', v1Paths.change(id), {
      ...change,
      dryRun: true,
    });
    expect([what, dry.body.refusal?.message ?? dry.body.error.message]).toEqual([
      what,
      real.body.error.message,
    ]);
  }
  const both = {
    instruction: 'Blue',
    mask: text(png),
    marks: [{ kind: 'rectangle', left: 0, top: 0, width: 9, height: 9 }],
  };
  expect((await program('POST', v1Paths.change(id), both)).body.error).toMatchObject({
    message: 'Please send either marks or a mask.',
    field: 'mask',
  });
  expect([await countOf(stack, seller), await holdsOf(stack, seller)]).toEqual([before, held]);
  const good = await program('POST', v1Paths.change(id), {
    instruction: 'Blue',
    mask: text(png),
    maxImages: 1,
  });
  expect(good.body.generations[0]!.change).toEqual({ instruction: 'Blue', masked: true });
});

test('an image with a low match is made again once, at no charge, on every server', async ({
  stack,
  seller,
  program,
  elsewhere,
}) => {
  const id = await insertPoorImage(stack, seller);
  const good = (await insertImage(stack, seller))._id;
  const left = async () => (await program<V1Balance>('GET', v1Paths.balance)).body.left;
  const before = await left();
  const get = async () => (await program<V1Generation>('GET', v1Paths.generation(id))).body;
  expect((await get()).remake).toBe('offered');

  const dry = await program<V1Estimate>('POST', v1Paths.remake(id), { dryRun: true, maxImages: 0 });
  expect(dry).toMatchObject({ status: 200, body: { images: 0, refusal: null } });
  const notOffered = await program<V1Estimate>('POST', v1Paths.remake(good), { dryRun: true });
  expect(notOffered.body.refusal?.code).toBe('REMAKE_NOT_OFFERED');
  expect((await program('POST', v1Paths.remake(good))).body.error.code).toBe('REMAKE_NOT_OFFERED');
  expect(await countOf(stack, seller)).toBe(2);

  const keys = ['again-1', 'again-1', undefined, 'again-2'];
  const answers = await Promise.all(
    keys.map((key, index) =>
      (index % 2 ? elsewhere : program)('POST', v1Paths.remake(id), { maxImages: 0 }, key),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(4).fill(202));
  expect(new Set(answers.flatMap(idsOf)).size).toBe(1);
  expect(answers[0]!.body.generations[0]).toMatchObject({ parentId: id, change: null, remake: null });
  expect((await get()).remake).toBe('used');
  expect(await left()).toBe(before);
  // What was made again already is answered once more, so it would be refused for nothing.
  const asked = await program<V1Estimate>('POST', v1Paths.remake(id), { dryRun: true });
  expect(asked.body).toMatchObject({ images: 0, refusal: null });

  expect((await program('DELETE', v1Paths.generation(id))).status).toBe(204);
  for (const send of [program, elsewhere]) {
    const late = await send('POST', v1Paths.remake(id));
    expect([late.status, idsOf(late)]).toEqual([202, idsOf(answers[0]!)]);
  }
  const theirs = await giveKey(stack, await stack.seller());
  expect((await callWithKey(stack.url, theirs, 'POST', v1Paths.remake(id), {})).status).toBe(404);

  const month = new Date().toISOString().slice(0, 7);
  await stack.models.profiles.updateOne(
    { _id: seller.id },
    { $set: { 'remakes.month': month, 'remakes.used': limits.remakesAMonth } },
  );
  const another = await insertPoorImage(stack, seller);
  const full = await program<V1Estimate>('POST', v1Paths.remake(another), { dryRun: true });
  expect(full.body.refusal?.code).toBe('REMAKE_LIMIT');
  expect((await program('POST', v1Paths.remake(another))).body.error).toMatchObject(full.body.refusal!);
  for (const body of [{ dryRun: 1 }, { maxImages: -1 }, { instruction: 'x' }])
    expect((await program('POST', v1Paths.remake(another), body)).status).toBe(400);
});

test('the images of one request are read together, without those that were deleted', async ({
  seller,
  program,
}) => {
  const [first, second, third] = (await seller.submitSet(3)).map(({ id }) => id);
  const get = (id: string) => program<V1Set & ErrorReply>('GET', v1Paths.set(id));
  const all = await get(first!);
  expect(all).toMatchObject({ status: 200, body: { id: first } });
  expect(all.body.generations.map(({ id, set }) => [id, set.index, set.size])).toEqual([
    [first, 0, 3],
    [second, 1, 3],
    [third, 2, 3],
  ]);
  await seller.cancel(second!);
  expect((await seller.request(paths.generation(second!), { method: 'DELETE' })).status).toBe(200);
  expect((await get(first!)).body.generations.map(({ id }) => id)).toEqual([first, third]);
  for (const wrong of [second!, 'x', '$ne']) expect((await get(wrong)).status).toBe(404);
});
