/** Version 1 of the API: requests for images with a saved look. */
import { afterAll, beforeEach, expect } from 'vitest';
import {
  defaultOptions,
  type ErrorReply,
  type LookView,
  limits,
  paths,
  type V1Created,
  type V1Estimate,
  v1Paths,
} from '#contract';
import { call } from '#tests/support/account.ts';
import { giveKey, type Program, programOf } from '#tests/support/api-keys.ts';
import { expectError, expectNothingLeft } from '#tests/support/errors.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import type { Answer, Seller } from '#tests/support/seller.ts';
import { startStrangerServer } from '#tests/support/stranger-server.ts';
import { testWithSeller } from '#tests/support/test.ts';

const photo = await samplePhoto();
const stranger = await startStrangerServer({ '/mug.png': ['image/png', photo] });
afterAll(() => stranger.close());
beforeEach(() => {
  stranger.requests.length = 0;
});

const test = testWithSeller({ workers: 0, server: { outbound: stranger.outbound() } }, { plan: 'enterprise' })
  .extend('key', ({ stack, seller }) => giveKey(stack, seller))
  .extend('program', ({ stack, key }) => programOf(stack.url, key));

type Made = V1Created & ErrorReply;
const photos = [{ url: stranger.url('/mug.png') }];
const keyed = (idempotencyKey?: string): Record<string, string> =>
  idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
const create = <Body = Made>(program: Program, fields: object, idempotencyKey?: string) =>
  program<Body>('POST', v1Paths.generations, { photos, ...fields }, keyed(idempotencyKey));
const send = <Body = Made>(program: Program, fields: Record<string, string>, idempotencyKey?: string) => {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.append('photos', new Blob([new Uint8Array(photo)], { type: 'image/png' }), 'cup.png');
  return program<Body>('POST', v1Paths.generations, form, keyed(idempotencyKey));
};
const idsOf = ({ body }: Answer<V1Created>) => body.generations.map(({ id }) => id);

const oak = {
  name: 'Oak',
  scene: 'With oranges',
  template: 'Studio Photography Setup',
  style: 'vintage',
  width: 1_536,
  height: 1_024,
  negativePrompt: 'hands',
  numImages: 2,
};
const saveLook = async (seller: Seller, look: object = oak) => {
  const { status, body } = await call<LookView>(seller, 'POST', paths.looks, look);
  expect(status).toBe(201);
  return body.id;
};
const changeLook = async (seller: Seller, id: string, look: object) =>
  expect((await call(seller, 'PUT', paths.look(id), { ...oak, ...look })).status).toBe(200);
const deleteLook = async (seller: Seller, id: string) =>
  expect((await seller.request(paths.look(id), { method: 'DELETE' })).status).toBe(204);

test('images have what their look says, from addresses and from a form', async ({ seller, program }) => {
  const lookId = await saveLook(seller);
  const look = {
    prompt: 'Studio Photography Setup: With oranges',
    options: { style: 'vintage', width: 1_536, height: 1_024, negativePrompt: 'hands' },
    set: { size: 2 },
  };
  for (const answer of [await create(program, { lookId }), await send(program, { lookId })]) {
    expect(answer.status).toBe(202);
    expect(answer.body.generations).toMatchObject([look, look]);
  }
});

test('what is sent beside a look wins, also where it is what images have without one', async ({
  seller,
  program,
}) => {
  const lookId = await saveLook(seller);
  const fields = {
    lookId,
    prompt: 'On stone',
    style: defaultOptions.style,
    numImages: 1,
    productName: 'Cup',
  };
  const own = {
    prompt: 'On stone',
    productName: 'Cup',
    options: { style: defaultOptions.style, width: 1_536, negativePrompt: 'hands' },
    set: { size: 1 },
  };
  expect((await create(program, fields)).body.generations).toMatchObject([own]);
  expect((await send(program, { ...fields, numImages: '1' })).body.generations).toMatchObject([own]);
  // Both sides of the size together, or those of the look.
  const square = { lookId, width: 1_024, height: 1_024, maxImages: 2 };
  expect((await create(program, square)).body.generations[0]!.options).toMatchObject({ width: 1_024 });
  const half = await create(program, { lookId, height: 1_536 });
  expect([half.status, half.body.error.code, half.body.error.field]).toEqual([400, 'VALIDATION', 'height']);
});

test('the number of a look is announced, and never passes what was agreed to', async ({
  stack,
  seller,
  program,
}) => {
  const lookId = await saveLook(seller, { ...oak, numImages: 4 });
  for (const ask of [create<V1Estimate>, send<V1Estimate>]) {
    const dry = await ask(program, { lookId, dryRun: 'true', maxImages: '3' });
    expect(dry).toMatchObject({ status: 200, body: { images: 4, refusal: { code: 'MAX_IMAGES' } } });
  }
  for (const answer of [
    await create(program, { lookId, maxImages: 3 }),
    await send(program, { lookId, maxImages: '3' }),
  ]) {
    expect([answer.status, answer.body.error.message]).toEqual([
      409,
      'This would use 4 images, and 3 were agreed to. Nothing was made.',
    ]);
  }
  // Nothing was fetched for it either.
  expect(stranger.requests).toEqual([]);
  await expectNothingLeft(stack, seller.id);
});

test('a repeated request is the same after its look was changed or deleted, on every server', async ({
  stack,
  seller,
  key,
  program,
}) => {
  const elsewhere = programOf((await stack.startServer()).url, key);
  const lookId = await saveLook(seller);
  const json = await create(program, { lookId, maxImages: 2 }, 'json');
  const form = await send(program, { lookId, maxImages: '2' }, 'form');
  expect([json.status, form.status]).toEqual([202, 202]);
  stranger.requests.length = 0;
  const again = async () => {
    for (const each of [program, elsewhere]) {
      expect(idsOf(await create(each, { lookId, maxImages: 2 }, 'json'))).toEqual(idsOf(json));
      expect(idsOf(await send(each, { lookId, maxImages: '2' }, 'form'))).toEqual(idsOf(form));
    }
  };
  // It would be more images by now, of another scene.
  await changeLook(seller, lookId, { scene: 'On stone', numImages: 4 });
  await again();
  await deleteLook(seller, lookId);
  await again();
  expect(stranger.requests).toEqual([]);
  expect(await stack.models.generations.countDocuments({ profile: seller.id })).toBe(4);

  const other = await saveLook(seller);
  const fields = { prompt: 'Studio Photography Setup: With oranges', numImages: 2 };
  for (const body of [{ lookId: other }, { lookId, numImages: 2 }, { lookId, style: 'vintage' }, fields]) {
    for (const each of [program, elsewhere])
      expectError(withoutDocs(await create(each, body, 'json')), 'IDEMPOTENCY_MISMATCH');
  }
});

/** An error of the API for programs as other routes answer it. */
function withoutDocs(answer: Answer<Made>): Answer<unknown> {
  const { docs, ...error } = answer.body.error as ErrorReply['error'] & { docs: string };
  expect(docs).toMatch(/#errors$/);
  return { ...answer, body: { error } };
}

test('many repeated requests at once, while the look changes, make the images of one', async ({
  stack,
  seller,
  key,
  program,
}) => {
  const other = programOf((await stack.startServer()).url, key);
  const lookId = await saveLook(seller, { ...oak, numImages: 1 });
  const requests = Array.from({ length: 12 }, async (_, index) => {
    // The form is read by every server; both read the look for themselves.
    const answer = await send(index % 2 ? other : program, { lookId }, 'many');
    await changeLook(seller, lookId, { scene: `Scene ${index}`, numImages: 1 + (index % 4) });
    return answer;
  });
  const answers = await Promise.all(requests);
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(202));
  expect(new Set(answers.map((answer) => idsOf(answer).join())).size).toBe(1);
  const rows = await stack.models.generations.find({ profile: seller.id }).lean();
  expect(rows).toHaveLength(rows[0]!.set.size);
  expect((await stack.models.profiles.findById(seller.id).lean())!.holds).toHaveLength(rows.length);
  expect(await stack.audit()).toEqual([]);
});

test('a look that is deleted, of another seller, or none is refused before a photo is fetched', async ({
  stack,
  seller,
  program,
}) => {
  const theirs = await saveLook(await stack.seller());
  const deleted = await saveLook(seller);
  await deleteLook(seller, deleted);
  const gone = { message: 'This look does not exist any more.', field: 'lookId' };
  for (const lookId of [theirs, deleted, 'x', '', '../looks', '$ne']) {
    const asked: Record<string, string>[] = [{}, { prompt: 'On oak' }, { dryRun: 'true' }];
    for (const details of asked) {
      for (const answer of [
        await create(program, { lookId, ...details }),
        await send(program, { lookId, ...details }),
      ])
        expect([lookId, answer.status, answer.body.error]).toEqual([
          lookId,
          400,
          expect.objectContaining({ code: 'VALIDATION', ...gone }),
        ]);
    }
  }
  for (const lookId of [null, 1, true, ['x'], { $gt: '' }, 'x'.repeat(101)]) {
    const { status, body } = await create(program, { lookId, prompt: 'On oak' });
    expect([status, body.error.code, body.error.field]).toEqual([400, 'VALIDATION', 'lookId']);
  }
  const mine = await saveLook(seller);
  for (const prompt of ['', ' \n']) {
    expect((await create(program, { lookId: mine, prompt })).body.error.code).toBe('PROMPT_REQUIRED');
    expect((await send(program, { lookId: mine, prompt })).body.error.code).toBe('PROMPT_REQUIRED');
  }
  // Without a look a description is needed, as ever.
  for (const answer of [
    await create(program, {}),
    await send(program, {}),
    await create(program, { prompt: null }),
  ])
    expect([answer.status, answer.body.error.code]).toEqual([400, 'PROMPT_REQUIRED']);
  // Template and scene are longer together than a description may be.
  const long = await saveLook(seller, { ...oak, scene: 'x'.repeat(limits.promptCharacters) });
  expect((await create(program, { lookId: long })).body.error.code).toBe('PROMPT_INVALID');
  expect(stranger.requests).toEqual([]);
  await expectNothingLeft(stack, seller.id);
});
