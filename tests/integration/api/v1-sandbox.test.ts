/** The sandbox: test images cost nothing, are never among real ones, and do what their scenes say. */
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { expect } from 'vitest';
import { type ErrorReply, limits, type V1Created, type V1Generation, v1Paths } from '#contract';
import { type TestOutcome, testScenes } from '#contract/test-scenes.ts';
import { sandboxOf, testSellerOf } from '#shared/data/test-seller.ts';
import { modelsOf } from '#shared/data/collections.ts';
import { callWithKey, giveKey } from '#tests/support/api-keys.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import type { Answer } from '#tests/support/seller.ts';
import { frequentUpkeep } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';

const photo = await samplePhoto();

type Program = <Body = ErrorReply>(method: string, path: string, body?: object) => Promise<Answer<Body>>;

const test = testWithSeller({ settings: { ...frequentUpkeep, LOG_LEVEL: 'warn' } })
  .extend('testKey', ({ stack, seller }) => giveKey(stack, seller, { test: true }))
  .extend('program', ({ stack, testKey }): Program => {
    return (method, path, body) => callWithKey(stack.url, testKey, method, path, body);
  });

const formOf = (fields: Record<string, string>) => {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.append('photos', new Blob([new Uint8Array(photo)], { type: 'image/png' }), 'cup.png');
  return form;
};

const create = (program: Program, prompt: string, fields: Record<string, string> = {}) =>
  program<V1Created & ErrorReply>('POST', v1Paths.generations, formOf({ prompt, ...fields }));

const ended = async (program: Program, { id }: Pick<V1Generation, 'id'>) =>
  (await program<V1Generation>('GET', `${v1Paths.generation(id)}?wait=${limits.apiWaitSeconds}`)).body;

test('a test image comes into being as a real one does, with a watermark, and nobody is asked', async ({
  stack,
  program,
}) => {
  const made = await create(program, 'On a wooden table');
  expect(made.status).toBe(202);
  const [first] = made.body.generations as [V1Generation];
  expect(first).toMatchObject({ mode: 'test', state: 'queued' });
  const stages = new Set<string>();
  for (;;) {
    const { body } = await program<V1Generation>('GET', v1Paths.generation(first.id));
    if (body.progress) stages.add(`${body.progress.stage} ${body.progress.previews}`);
    if (body.endedAt) break;
    await wait(20);
  }
  const done = await ended(program, first);
  expect(done).toMatchObject({ state: 'succeeded', mode: 'test', imageUsed: true });
  console.log([...stages], done.startedAt, done.endedAt, made.body);
  const image = await program<string>('GET', v1Paths.image(first.id));
  expect(image.status).toBe(200);
  const bytes = Buffer.from(
    await (await fetch(stack.url + v1Paths.image(first.id), { headers: { authorization: `Bearer ${await giveKeyOf(stack)}` } })).arrayBuffer(),
  );
  console.log(bytes.length, sharp, modelsOf, sandboxOf, testSellerOf, testScenes, {} as TestOutcome);
});

const giveKeyOf = async (_: unknown) => 'x';
