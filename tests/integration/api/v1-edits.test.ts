/** Version 1 of the API: edits of finished images. */
import sharp from 'sharp';
import { expect } from 'vitest';
import {
  type ErrorReply,
  identityRecipe,
  straightenMost,
  type V1ExportCheck,
  type V1Generation,
  v1ExportPaths,
  v1LibraryPaths,
  v1Paths,
} from '#contract';
import { callWithKey, giveKey, programOf } from '#tests/support/api-keys.ts';
import { insertImage } from '#tests/support/finished-images.ts';
import type { Answer } from '#tests/support/seller.ts';
import { testWithSeller } from '#tests/support/test.ts';

const test = testWithSeller({ workers: 0 })
  .extend('key', ({ stack, seller }) => giveKey(stack, seller))
  .extend('program', ({ stack, key }) => programOf<V1Generation & ErrorReply>(stack.url, key));

const conflict = { status: 409, body: { error: { code: 'EDIT_CONFLICT' } } };

test('an edited image is so for programs, in exports and in the studio, until the edits are removed', async ({
  stack,
  seller,
  key,
  program,
}) => {
  const { _id: id, image } = await insertImage(stack, seller);
  const before = await seller.me();
  const original = { width: image!.width, height: image!.height };
  expect((await program('GET', v1Paths.generation(id))).body).toMatchObject({ edits: null, image: original });

  const crop = { left: 0, top: 0.25, width: 1, height: 0.5 };
  const edited = await program('PUT', v1Paths.edits(id), { recipe: { rotate: 90, crop } });
  const size = { width: original.height, height: Math.round(original.width / 2) };
  const recipe = { ...identityRecipe, rotate: 90, crop };
  expect(edited).toMatchObject({ status: 200, body: { state: 'succeeded', image: size, edits: { recipe } } });
  const { version } = edited.body.edits!;
  const shown = async () => {
    const file = await fetch(stack.url + v1Paths.image(id), { headers: { authorization: `Bearer ${key}` } });
    const { format, width, height } = await sharp(await file.arrayBuffer()).metadata();
    return { format, width, height };
  };
  expect(await shown()).toEqual({ format: 'png', ...size });
  const check = await program<V1ExportCheck>('GET', v1ExportPaths.check(id, 'original'));
  expect(check.body).toMatchObject(size);
  expect((await seller.generation(id)).edits).toMatchObject({ version, recipe });

  const removed = await program('PUT', v1Paths.edits(id), { recipe: {}, basedOn: version });
  expect(removed.body).toMatchObject({ edits: null, image: original });
  expect(await shown()).toEqual({ format: 'png', ...original });
  expect((await seller.me()).subscription).toEqual(before.subscription);
  expect(await stack.audit()).toEqual([]);
});

test('edits are replaced, unless they are others than the program has seen', async ({
  stack,
  seller,
  key,
  program,
}) => {
  const elsewhere = programOf<V1Generation & ErrorReply>((await stack.startServer()).url, key);
  const { _id: id } = await insertImage(stack, seller);
  const edit = (each: typeof program, recipe: object, basedOn?: number | null) =>
    each('PUT', v1Paths.edits(id), { recipe, ...(basedOn !== undefined && { basedOn }) });
  const versionOf = ({ body }: Answer<V1Generation>) => body.edits?.version;

  const first = await edit(program, { warmth: 10 }, null);
  // A request whose answer was lost is repeated: it is no conflict with itself, and makes no other version.
  for (const each of [program, elsewhere]) {
    const again = await edit(each, { warmth: 10 }, null);
    expect([again.status, versionOf(again)]).toEqual([200, versionOf(first)]);
  }
  expect(await edit(elsewhere, { warmth: 20 }, null)).toMatchObject(conflict);
  expect(await edit(program, {}, null)).toMatchObject(conflict);
  const second = await edit(elsewhere, { warmth: 20 }, versionOf(first)!);
  expect(versionOf(second)).toBeGreaterThan(versionOf(first)!);
  expect(await edit(program, { warmth: 30 }, versionOf(first)!)).toMatchObject(conflict);
  // Without a version the last one counts.
  const third = await edit(program, { warmth: 30 });
  expect(third.body.edits!.recipe.warmth).toBe(30);

  // Many at once, on two servers: of those with the same version one wins, and of the others all.
  const based = versionOf(third)!;
  const answers = await Promise.all(
    [10, 20, 40, 50].map((contrast, index) => edit(index % 2 ? elsewhere : program, { contrast }, based)),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
  const last = await Promise.all(
    [11, 21, 41, 51].map((contrast, index) => edit(index % 2 ? elsewhere : program, { contrast })),
  );
  expect(last.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const versions = last.map(versionOf);
  expect(new Set(versions).size).toBe(4);
  const latest = last.find((answer) => versionOf(answer) === Math.max(...versions.map(Number)))!;
  const { body } = await program('GET', v1Paths.generation(id));
  expect(body.edits).toEqual(latest.body.edits);
});

const crop = { left: 0, top: 0, width: 1, height: 1 };
test.for([
  ['no body', undefined, undefined],
  ['no recipe', {}, 'recipe'],
  ['a recipe of null', { recipe: null }, 'recipe'],
  ['a recipe as text', { recipe: '{"rotate": 90}' }, 'recipe'],
  ['an angle between', { recipe: { rotate: 45 } }, 'recipe.rotate'],
  ['a number as text', { recipe: { rotate: '90' } }, 'recipe.rotate'],
  ['an operator', { recipe: { rotate: { $gt: '' } } }, 'recipe.rotate'],
  ['too far', { recipe: { straighten: straightenMost + 1 } }, 'recipe.straighten'],
  ['too bright', { recipe: { brightness: 101 } }, 'recipe.brightness'],
  ['half a step', { recipe: { contrast: 1.5 } }, 'recipe.contrast'],
  ['a number of null', { recipe: { contrast: null } }, 'recipe.contrast'],
  ['yes', { recipe: { whiteBackground: 'yes' } }, 'recipe.whiteBackground'],
  ['beyond the image', { recipe: { crop: { ...crop, left: 0.5 } } }, 'recipe.crop'],
  ['nothing left', { recipe: { crop: { ...crop, width: 0 } } }, 'recipe.crop.width'],
  ['a part of a crop', { recipe: { crop: { left: 0 } } }, 'recipe.crop.top'],
  ['unknown in the recipe', { recipe: { blur: 1 } }, 'blur'],
  ['unknown beside it', { recipe: {}, sellerId: 'x' }, 'sellerId'],
  ['a version of text', { recipe: {}, basedOn: '1' }, 'basedOn'],
  ['a version between', { recipe: {}, basedOn: 1.5 }, 'basedOn'],
] as const)('refused: %s', async ([, body, field], { stack, seller, program }) => {
  const { _id: id, revision } = await insertImage(stack, seller);
  const { status, body: answer } = await program('PUT', v1Paths.edits(id), body);
  expect([status, answer.error.code, answer.error.field]).toEqual([400, 'VALIDATION', field]);
  expect(await stack.models.generations.findById(id).lean()).toMatchObject({ revision });
});

test('what is not finished, is deleted or is not there cannot be edited', async ({
  seller,
  stack,
  program,
}) => {
  const recipe = { rotate: 90 };
  const edit = (id: string) => program('PUT', v1Paths.edits(id), { recipe });
  const { id: unended } = await seller.submit();
  const refused = { status: 409, body: { error: { code: 'NOT_EDITABLE' } } };
  expect(await edit(unended)).toMatchObject(refused);
  await seller.cancel(unended);
  expect(await edit(unended)).toMatchObject(refused);
  const { _id: id } = await insertImage(stack, seller);
  await edit(id);
  await program('DELETE', v1Paths.generation(id));
  for (const none of [id, 'x', '$ne', encodeURIComponent('../x')])
    expect((await edit(none)).status).toBe(404);
  // It comes back as it was edited.
  await program('POST', v1LibraryPaths.restore(id));
  expect((await program('GET', v1Paths.generation(id))).body.edits).toMatchObject({ recipe });
  const reader = await giveKey(stack, seller, { scopes: ['generations:read', 'generations:write'] });
  expect(await callWithKey(stack.url, reader, 'PUT', v1Paths.edits(id), { recipe: {} })).toMatchObject({
    status: 403,
  });
});
