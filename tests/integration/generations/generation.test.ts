import sharp from 'sharp';
import { expect } from 'vitest';
import { limits } from '#contract';
import { expectError } from '#tests/support/errors.ts';
import { expectOnlyOwnEvents, makeImage } from '#tests/support/finished-images.ts';
import { eventually } from '#tests/support/harness.ts';
import { colouredPhoto } from '#tests/support/photos.ts';
import { describedScene } from '#tests/support/provider-calls.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack();

test('photos and a description become an image, with live progress, and use one image of the plan', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const window = await seller.openWindow();
  const photos = await Promise.all(['#a33', '#3a3', '#33a', '#aa3'].map((colour) => colouredPhoto(colour)));
  const submitted = await seller.submit({
    photos,
    prompt: 'Studio Photography Setup: warm',
    productName: 'Red Cup',
    fields: [['photosShow', 'several-products']],
  });
  expect(submitted).toMatchObject({ state: 'queued', position: 1, productName: 'Red Cup' });
  expect(submitted.photos).toHaveLength(4);

  const running = await window.until(submitted.id, (view) => view.state === 'running');
  expect(running.progress).not.toBeNull();
  const preview = await window.until(submitted.id, (view) => view.previewUrl !== null);
  const succeeded = await window.untilEnded(submitted.id);
  expect(succeeded.state).toBe('succeeded');
  expect(preview.revision).toBeLessThan(succeeded.revision);
  expect(await seller.generation(submitted.id)).toEqual(succeeded);
  expect(await seller.generations()).toEqual([succeeded]);

  const [call] = (await stack.images.state()).calls.filter(
    (each) => describedScene(each) === submitted.prompt,
  );
  expect(call?.images).toHaveLength(4);
  expect(call?.prompt).toContain('4 different products');
  expect(call).toMatchObject({
    model: stack.config.image.model,
    size: '1024x1024',
    background: 'opaque',
    n: 1,
    stream: true,
  });

  const { subscription } = await seller.me();
  expect(subscription).toMatchObject({ generationsLeft: 99, generationsHeld: 0, totalGenerations: 100 });
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
  window.close();
});

test('only their seller can read an image and its photos, and they are cached', async ({ stack }) => {
  const [seller, stranger] = [await stack.seller(), await stack.seller()];
  const view = await makeImage(seller, { productName: 'Red Cup / “Large”' });
  for (const url of [view.image!, view.photos[0]!].flatMap((each) => [each.url, each.thumbnailUrl])) {
    const reply = await seller.fetch(url);
    expect(reply.status, url).toBe(200);
    expect(reply.headers.get('cache-control')).toBe('private, max-age=300');
    await sharp(Buffer.from(await reply.arrayBuffer())).stats();
    const known = { 'if-none-match': reply.headers.get('etag')! };
    expect((await seller.request(url, { headers: known })).status).toBe(304);
    expectError(await stranger.request(url), 'NOT_FOUND');
    expect((await fetch(stack.url + url)).status).toBe(401);
  }
  const download = await seller.fetch(view.image!.downloadUrl);
  const day = view.createdAt.slice(0, 10);
  expect(download.headers.get('content-disposition')).toContain(`filename="Red-Cup-Large-${day}.png"`);
  const size = await sharp(Buffer.from(await download.arrayBuffer())).metadata();
  expect(size).toMatchObject({ format: 'png', width: limits.outputWidth, height: limits.outputHeight });
  expect(await stranger.generations()).toEqual([]);
});

test('two sockets of one seller get the same end, another seller gets no events', async ({ stack }) => {
  const [seller, stranger] = [await stack.seller(), await stack.seller()];
  const [first, second, other] = await Promise.all([
    seller.openWindow(),
    seller.openWindow(),
    stranger.openWindow(),
  ]);
  const { id } = await seller.submit();
  const [here, there] = await Promise.all([first.untilEnded(id), second.untilEnded(id)]);
  expect(here).toEqual(there);
  await expectOnlyOwnEvents(stranger, other);
  for (const window of [first, second, other]) window.close();
});
