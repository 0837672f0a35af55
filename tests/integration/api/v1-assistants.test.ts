/** The tools for assistants at `/api/v1/mcp`, driven by the client of the protocol's own library. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import sharp from 'sharp';
import { afterAll, expect, vi } from 'vitest';
import { apiKeyPaths, type ErrorReply, errorDefinitions, limits, v1BatchPaths, v1McpPath } from '#contract';
import { hashKey } from '#server/auth/key-format.ts';
import { findApiKey } from '#shared/data/accounts/api-keys.ts';
import { call } from '#tests/support/account.ts';
import { callWithKey, giveKey } from '#tests/support/api-keys.ts';
import { insertImage, insertPoorImage } from '#tests/support/finished-images.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import { startStrangerServer } from '#tests/support/stranger-server.ts';
import { testWithSeller } from '#tests/support/test.ts';

const stranger = await startStrangerServer({ '/mug.png': ['image/png', await samplePhoto()] });
afterAll(() => stranger.close());

const test = testWithSeller({ server: { outbound: stranger.outbound() } })
  .extend('key', ({ stack, seller }) => giveKey(stack, seller))
  .extend('connect', async ({ stack }, { onCleanup }) => {
    const open: Client[] = [];
    onCleanup(async () => void (await Promise.all(open.map((client) => client.close()))));
    /** @param mode how the client finds out which version of the protocol there is: `legacy` is that of 2025 */
    return async (key: string, mode: 'auto' | 'legacy' = 'auto') => {
      const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
      const url = new URL(v1McpPath, stack.url);
      const requestInit = { headers: { authorization: `Bearer ${key}` } };
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
      open.push(client);
      return client;
    };
  });
test.afterEach(({ stack }) => stack.images.reset());

const request = { photos: [stranger.url('/mug.png')], scene: 'On an oak table', maxImages: 1 };

test.for(['auto', 'legacy'] as const)(
  'an image is estimated, made with progress and read; the same call again uses nothing: %s',
  async (mode, { stack, seller, key, connect }) => {
    const client = await connect(key, mode);
    const tools = (name: string, args: Record<string, unknown> = {}, onprogress?: (given: object) => void) =>
      client.callTool({ name, arguments: args }, onprogress && { onprogress });
    expect((await client.listTools()).tools.map(({ name }) => name).toSorted()).toEqual([
      'cancel_image',
      'estimate_images',
      'export_image',
      'get_balance',
      'get_image',
      'list_images',
      'make_batch',
      'make_images',
      'remake_image',
      'save_image',
    ]);
    expect((await tools('estimate_images', { images: 2 })).structuredContent).toEqual({
      uses: 2,
      left: 100,
      fits: true,
    });
    const progress: object[] = [];
    const made = await tools('make_images', request, (given) => progress.push(given));
    const [image] = (made.structuredContent as { images: { id: string }[] }).images;
    expect(image).toMatchObject({ state: 'succeeded', imageUsed: true, width: limits.outputWidth });
    expect(progress[0]).toMatchObject({ progress: 0, total: 1 });
    expect(progress.at(-1)).toMatchObject({ progress: 1, total: 1 });
    const again = await tools('make_images', request);
    expect(again.structuredContent).toMatchObject({ images: [{ id: image!.id }] });
    expect((await tools('get_balance')).structuredContent).toMatchObject({ left: 99, onHold: 0 });
    expect((await tools('list_images')).structuredContent).toMatchObject({ images: [{ id: image!.id }] });
    // The image knows the key that asked for it.
    const row = await stack.models.generations.findById(image!.id).lean();
    expect(row!.api_key?.name).toBe('Shop import');

    for (const [name, format] of [
      ['save_image', 'png'],
      ['export_image', 'jpeg'],
    ] as const) {
      const { content, structuredContent } = await tools(name, { id: image!.id, preset: 'amazon-main' });
      const [, file] = content as { type: string; data: string; mimeType: string }[];
      expect(file).toMatchObject({ type: 'image', mimeType: `image/${format}` });
      const bytes = Buffer.from(file!.data, 'base64');
      expect((await sharp(bytes).metadata()).format).toBe(format);
      expect(structuredContent).toMatchObject({ bytes: bytes.length, mimeType: `image/${format}` });
    }
    const unknown = await tools('export_image', { id: image!.id, preset: 'moon' });
    expect(unknown).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/no preset moon: .*amazon-main/) }],
    });
    expect((await seller.me()).subscription.generationsLeft).toBe(99);
  },
);

test('more images than were agreed to, and addresses that are not public, are refused in words', async ({
  seller,
  key,
  connect,
}) => {
  const client = await connect(key);
  for (const [change, why] of [
    [{ images: 2 }, /2 images, and 1 .*Nothing was made/],
    [{ photos: ['https://127.0.0.1/mug.png'] }, /address/],
    [{ photos: ['/etc/passwd'] }, /address/],
  ] as const) {
    const refused = await client.callTool({ name: 'make_images', arguments: { ...request, ...change } });
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(why) }] });
  }
  expect(await seller.generations()).toEqual([]);
});

test('a batch of products is made with progress; the same call again uses nothing, and more than was agreed to makes none', async ({
  stack,
  seller,
  key,
  connect,
}) => {
  const client = await connect(key);
  const product = (sku: string, images: number) => ({
    sku,
    photos: request.photos,
    scene: request.scene,
    images,
  });
  const batch = { name: 'Autumn', products: [product('MUG-1', 2), product('MUG-2', 1)] };
  const make = (args: object, onprogress?: (given: object) => void) =>
    client.callTool({ name: 'make_batch', arguments: { ...args } }, onprogress && { onprogress });
  expect(await make({ ...batch, maxImages: 2 })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/3 images, and 2 .*Nothing was made/) }],
  });
  expect(await stack.models.batches.countDocuments({ profile: seller.id })).toBe(0);

  const progress: object[] = [];
  const made = await make({ ...batch, maxImages: 3 }, (given) => progress.push(given));
  expect(made.structuredContent).toMatchObject({
    name: 'Autumn',
    state: 'ended',
    images: { total: 3, succeeded: 3, waiting: 0, underWay: 0 },
  });
  expect(progress.at(-1)).toMatchObject({ progress: 3, total: 3 });
  const again = await make({ ...batch, maxImages: 5 });
  expect(again.structuredContent).toEqual(made.structuredContent);
  const { id } = made.structuredContent as { id: string };
  expect((await callWithKey(stack.url, key, 'DELETE', v1BatchPaths.batch(id))).status).toBe(204);
  expect(await make({ ...batch, maxImages: 3 })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining(errorDefinitions.BATCH_DELETED[1]) }],
  });
  expect((await seller.me()).subscription).toMatchObject({ generationsLeft: 97, generationsHeld: 0 });
  expect(await seller.generations()).toHaveLength(3);
});

test('a call whose time is over says how far its images are, and the same call goes on with them', async ({
  stack,
  seller,
  key,
  connect,
}) => {
  await stack.images.set({ default: { kind: 'hold' } });
  const calls: [name: string, args: object][] = [
    ['make_images', request],
    [
      'make_batch',
      { name: 'Autumn', products: [{ photos: request.photos, scene: request.scene }], maxImages: 1 },
    ],
  ];
  const client = await connect(key);
  const make = async ([name, args]: (typeof calls)[number]) =>
    (await client.callTool({ name, arguments: { ...args } })).structuredContent;
  const timing = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
  const followed = await Promise.all(calls.map(make));
  timing.mockRestore();
  expect(followed).toEqual([
    { images: [expect.objectContaining({ state: expect.stringMatching(/^(queued|running)$/) })] },
    expect.objectContaining({
      state: 'running',
      images: expect.objectContaining({ total: 1, succeeded: 0 }),
    }),
  ]);
  await stack.images.reset();
  expect(await Promise.all(calls.map(make))).toMatchObject([
    { images: [{ state: 'succeeded' }] },
    { state: 'ended', images: { succeeded: 1 } },
  ]);
  expect((await seller.me()).subscription).toMatchObject({ generationsLeft: 98, generationsHeld: 0 });
});

test('an image whose product does not match is made again once, at no charge', async ({
  stack,
  seller,
  key,
  connect,
}) => {
  const client = await connect(key);
  const id = await insertPoorImage(stack, seller);
  const remake = (of: string) => client.callTool({ name: 'remake_image', arguments: { id: of } });
  const { structuredContent: first } = await remake(id);
  expect(first).toMatchObject({ id: expect.not.stringMatching(id), imageUsed: false });
  const { structuredContent: second } = await remake(id);
  expect(second).toMatchObject({ id: (first as { id: string }).id });
  const good = await insertImage(stack, seller);
  expect(await remake(good._id)).toMatchObject({ isError: true });
});

test('a call does what its key may, on its own account, and nothing once the key was revoked', async ({
  stack,
  seller,
  connect,
}) => {
  const other = await insertImage(stack, await stack.seller());
  const key = await giveKey(stack, seller, { scopes: ['generations:read'] });
  const client = await connect(key);
  const text = async (name: string, args: object = {}) => {
    const { isError, content } = await client.callTool({ name, arguments: { ...args } });
    return [isError ?? false, (content as { text: string }[])[0]!.text];
  };
  expect(await text('get_balance')).toEqual([true, 'This API key has no scope usage:read.']);
  expect(await text('make_images', request)).toEqual([true, 'This API key has no scope generations:write.']);
  expect((await text('get_image', { id: other._id }))[0]).toBe(true);
  expect((await text('get_image', { id: '../balance' }))[0]).toBe(true);
  expect(await text('list_images')).toEqual([false, '{"images":[]}']);

  const { _id: id } = (await findApiKey(stack.db, hashKey(key)))!;
  expect((await call(seller, 'DELETE', apiKeyPaths.apiKey(id))).status).toBe(204);
  await expect(client.callTool({ name: 'list_images' })).rejects.toThrow();
  await expect(connect(key)).rejects.toThrow();
});

test('what is no message, what is large, pages of other sites and other methods are refused', async ({
  stack,
  key,
}) => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const accept = { accept: 'application/json, text/event-stream' };
  const post = async (body: object, headers: Record<string, string> = {}, from = key) => {
    const { status, body: answer } = await callWithKey(stack.url, from, 'POST', v1McpPath, body, {
      ...accept,
      ...headers,
    });
    return [status, JSON.stringify(answer)] as const;
  };
  expect((await post(list))[0]).toBe(200);
  expect((await post(list, {}, 'pk_live_0'))[0]).toBe(401);
  // DNS rebinding: a page that reaches us under its own name says where it is from.
  expect((await post(list, { origin: 'https://evil.example' }))[0]).toBe(403);
  expect((await post(list, { 'sec-fetch-site': 'cross-site' }))[0]).toBe(403);
  // Many calls in one message would pass the limit of requests.
  expect((await post(Array.from({ length: 50 }, () => list)))[0]).toBe(400);
  expect((await post({ ...list, padding: 'x'.repeat(70_000) }))[0]).toBe(413);
  expect((await post({ hello: 'world' }))[0]).toBe(400);
  expect((await post({ ...list, method: 'subscriptions/listen' }))[1]).toMatch(/error/);
  // Nothing answers a notification.
  expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' }))[0]).toBe(202);
  for (const method of ['GET', 'DELETE']) {
    const answer = await callWithKey<ErrorReply>(stack.url, key, method, v1McpPath, undefined, accept);
    expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'POST']);
    expect(answer.body.error.docs).toContain('#errors');
  }
  expect((await callWithKey(stack.url, 'pk_live_0', 'GET', v1McpPath)).status).toBe(401);
});
