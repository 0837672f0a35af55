/** A changed image that is made again. */
import sharp from 'sharp';
import { expect } from 'vitest';
import { type GenerationSet, paths } from '#contract';
import { call } from '#tests/support/account.ts';
import { makeImage, untilEnded } from '#tests/support/finished-images.ts';
import { askRemake, expectBalance, testRemake } from './remake-steps.ts';

const test = testRemake();

test('a changed image with a low match is changed again, with the same mask', async ({ stack }) => {
  const seller = await stack.seller({ plan: 'enterprise' });
  const { id: parentId, image } = await makeImage(seller);
  const { width, height } = image!;
  const mask = await sharp({ create: { width, height, channels: 4, background: '#0000' } })
    .png()
    .toBuffer();
  const change = { instruction: 'Blue', mask: mask.toString('base64') };
  const { body } = await call<GenerationSet>(seller, 'POST', paths.changes(parentId), change);
  const { id } = body.generations[0]!;
  await untilEnded(seller, id);
  await stack.models.generations.updateOne({ _id: id }, { match: { level: 'low', area: null } });
  const { generationsLeft } = (await seller.me()).subscription!;

  const [again] = (await askRemake(seller, id)).body.generations;
  expect(again).toMatchObject({
    parentId,
    rootId: parentId,
    remakeOf: id,
    change: { instruction: 'Blue', masked: true },
  });
  // It has its own copies of the files.
  await seller.request(paths.generation(id), { method: 'DELETE' });
  expect(await untilEnded(seller, again!.id)).toMatchObject({ state: 'succeeded', imageUsed: false });
  const [first, second] = (await stack.images.state()).calls.slice(1);
  expect(second).toMatchObject({ masked: true, prompt: first!.prompt });
  expect(second!.images).toEqual(first!.images);
  await expectBalance(stack, seller, generationsLeft!);
});
