/** An image whose product match is low is made again at no charge: once, and so many times in a month. */
import { expect } from 'vitest';
import { limits } from '#contract';
import { expectError } from '#tests/support/errors.ts';
import { untilEnded } from '#tests/support/finished-images.ts';
import { eventually } from '#tests/support/harness.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { askRemake, expectBalance, poorImage, testRemake } from './remake-steps.ts';

const test = testRemake();

const month = () => new Date().toISOString().slice(0, 7);

const remakesOf = async ({ models }: TestStack, seller: Seller) =>
  (await models.profiles.findById(seller.id).lean())!.remakes;

test('an image with a low match is made again: same photos and options, the next seed, no image used', async ({
  stack,
  seller,
}) => {
  const id = await poorImage(stack, seller, {
    productName: 'Cup',
    useSeed: 'true',
    seedValue: '999999',
    style: 'vintage',
  });
  const original = await seller.generation(id);
  expect(original).toMatchObject({ match: { level: 'low', area: null }, remake: 'offered', remakeOf: null });

  const answers = await Promise.all(Array.from({ length: 6 }, () => askRemake(seller, id)));
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(202));
  const ids = new Set(answers.map(({ body }) => body.generations[0]!.id));
  expect(ids.size).toBe(1);
  const [again] = answers[0]!.body.generations;
  expect(again).toMatchObject({
    prompt: original.prompt,
    productName: 'Cup',
    options: { ...original.options, seed: 0 },
    remake: null,
    remakeOf: id,
  });
  expect((await seller.me()).subscription).toMatchObject({ generationsLeft: 99, generationsHeld: 0 });
  expect(await seller.generation(id)).toMatchObject({ remake: 'used' });

  const made = await untilEnded(seller, again!.id);
  expect(made).toMatchObject({ state: 'succeeded', imageUsed: false });
  expect((await seller.request(made.photos[0]!.url)).status).toBe(200);
  expect(await remakesOf(stack, seller)).toEqual({ month: month(), used: 1, made: 1 });
  await expectBalance(stack, seller, 99);
  const entries = await stack.models.creditEntries.find({ key: again!.id }).lean();
  expect(entries.map(({ kind }) => kind)).toEqual(['remake']);

  // The first answer again; what was made again is not made again.
  expect((await askRemake(seller, id)).body.generations[0]!.id).toBe(again!.id);
  await stack.models.generations.updateOne({ _id: again!.id }, { match: { level: 'low', area: null } });
  expectError(await askRemake(seller, again!.id), 'REMAKE_NOT_OFFERED');
});

test('it is offered only for the own image, finished, with a low match', async ({ stack, seller }) => {
  const id = await poorImage(stack, seller);
  const other = await stack.seller();
  expectError(await askRemake(other, id), 'NOT_FOUND');
  expectError(await askRemake(seller, 'nothing'), 'NOT_FOUND');
  for (const change of [
    { $set: { match: { level: 'medium' as const, area: null } } },
    { $set: { match: { level: 'high' as const, area: null } } },
    { $set: { match: { level: 'unknown' as const, area: null } } },
    { $unset: { match: 1 as const } },
    { $set: { match: { level: 'low' as const, area: null }, state: 'failed' as const } },
  ]) {
    await stack.models.generations.updateOne({ _id: id }, change);
    expectError(await askRemake(seller, id), 'REMAKE_NOT_OFFERED');
  }
  await stack.models.generations.updateOne({ _id: id }, { state: 'succeeded' });
  expect(await stack.models.generations.countDocuments({ profile: seller.id })).toBe(1);
  expect(await remakesOf(stack, seller)).toEqual({ month: null, used: 0, made: 0 });
});

test('so many in a month, also at the same moment; the next month begins anew', async ({ stack, seller }) => {
  const ids: string[] = [];
  for (let index = 0; index < 3; index += 1) ids.push(await poorImage(stack, seller));
  const used = limits.remakesAMonth - 1;
  const setMonth = (name: string) =>
    stack.models.profiles.updateOne(
      { _id: seller.id },
      { 'remakes.month': name, 'remakes.used': limits.remakesAMonth },
    );
  await stack.models.profiles.updateOne(
    { _id: seller.id },
    { 'remakes.month': month(), 'remakes.used': used },
  );
  const answers = await Promise.all(ids.map((id) => askRemake(seller, id)));
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
  for (const answer of answers) if (answer.status === 409) expectError(answer, 'REMAKE_LIMIT');
  expect(await remakesOf(stack, seller)).toMatchObject({ month: month(), used: limits.remakesAMonth });
  const accepted = answers.find(({ status }) => status === 202)!.body.generations[0]!;
  // The repeated request gets its answer although no more are allowed.
  expect((await askRemake(seller, accepted.remakeOf!)).body.generations[0]!.id).toBe(accepted.id);
  await untilEnded(seller, accepted.id);

  await setMonth('2026-01');
  const refused = ids[answers.findIndex(({ status }) => status === 409)]!;
  const { status, body } = await askRemake(seller, refused);
  expect(status).toBe(202);
  expect(await remakesOf(stack, seller)).toMatchObject({ month: month(), used: 1 });
  await untilEnded(seller, body.generations[0]!.id);
  await expectBalance(stack, seller, 97);
});

test('one that fails, or is stopped, also after a preview, does not count', async ({ stack, seller }) => {
  const [failing, stopped] = [await poorImage(stack, seller), await poorImage(stack, seller)];
  const refusal = { kind: 'error', status: 400, code: 'moderation_blocked' } as const;
  await stack.images.set({ behaviours: [{ ...refusal, type: 'image_generation_user_error' }] });
  const failed = (await askRemake(seller, failing)).body.generations[0]!;
  expect(await untilEnded(seller, failed.id)).toMatchObject({ state: 'failed', imageUsed: false });

  await stack.images.set({ behaviours: [{ kind: 'hold', after: 'previews' }] });
  const { id } = (await askRemake(seller, stopped)).body.generations[0]!;
  await expect.poll(async () => (await seller.generation(id)).previewUrl, eventually).not.toBeNull();
  const cancelled = await seller.cancel(id);
  expect(cancelled).toMatchObject({ status: 200, body: { state: 'cancelled', imageUsed: false } });
  await expectBalance(stack, seller, 98);
  expect(await remakesOf(stack, seller)).toEqual({ month: month(), used: 0, made: 0 });
  const entries = await stack.models.creditEntries.find({ key: { $in: [failed.id, id] } }).lean();
  expect(entries.map(({ kind }) => kind)).toEqual(['release', 'release']);
});

test('a seller whose plan has ended can have a poor image made again', async ({ stack, seller }) => {
  const id = await poorImage(stack, seller);
  await stack.models.profiles.updateOne({ _id: seller.id }, { subscription_status: 'canceled' });
  const { status, body } = await askRemake(seller, id);
  expect(status).toBe(202);
  expect(await untilEnded(seller, body.generations[0]!.id)).toMatchObject({ state: 'succeeded' });
  await stack.models.profiles.updateOne({ _id: seller.id }, { subscription_status: 'active' });
});
