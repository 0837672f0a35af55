/** `packshot mcp` as an assistant's program uses it: with the client of the protocol's own library. */
import { randomUUID } from 'node:crypto';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import sharp from 'sharp';
import { expect } from 'vitest';
import { limits } from '#contract';
import { giveKey } from '#tests/support/api-keys.ts';
import { environmentOf, packshotProgram } from '#tests/support/packshot-command.ts';
import { samplePhotoFile } from '#tests/support/sample-photo.ts';
import { temporaryFolder, testWithStack } from '#tests/support/test.ts';

const test = testWithStack()
  .extend('folder', { scope: 'file' }, ({ stack }, { onCleanup }) => temporaryFolder(stack, onCleanup))
  .extend('assistant', async ({ stack, folder: parent }, { onCleanup }) => {
    const folder = join(parent, randomUUID());
    await mkdir(folder);
    await cp(samplePhotoFile, join(folder, 'cup.png'));
    const seller = await stack.seller();
    const typist = { folder, url: stack.url, key: await giveKey(stack, seller) };
    const env = environmentOf(typist) as Record<string, string>;
    const [command, cwd] = [process.execPath, folder];
    const open: Client[] = [];
    onCleanup(async () => void (await Promise.all(open.map((client) => client.close()))));
    /** Starts the program, as an assistant does. */
    const connect = async () => {
      const client = new Client({ name: 'test', version: '1.0.0' });
      open.push(client);
      await client.connect(new StdioClientTransport({ command, args: [packshotProgram, 'mcp'], cwd, env }));
      return client;
    };
    return { client: await connect(), connect, seller, folder };
  });
test.afterEach(({ stack }) => stack.images.reset());

const request = { photos: ['cup.png'], scene: 'On an oak table', maxImages: 1 };

test('at most ten tools, each of which says what it changes and gives', async ({ assistant }) => {
  const { tools } = await assistant.client.listTools();
  expect(tools.length).toBeLessThanOrEqual(10);
  for (const tool of tools) {
    expect(tool).toMatchObject({
      description: expect.any(String),
      outputSchema: { type: 'object' },
      annotations: { readOnlyHint: expect.any(Boolean), idempotentHint: true },
    });
  }
  const spends = tools.filter(({ description }) => /USES ONE IMAGE/.test(description!));
  expect(spends.map(({ name, inputSchema }) => [name, inputSchema.required])).toEqual([
    ['make_images', expect.arrayContaining(['maxImages'])],
    ['make_batch', expect.arrayContaining(['maxImages'])],
  ]);
});

test('an image is estimated, made with progress, and saved; the same call again uses nothing', async ({
  assistant,
}) => {
  const { client, seller, folder } = assistant;
  const call = (name: string, args: Record<string, unknown> = {}, onprogress?: (given: object) => void) =>
    client.callTool({ name, arguments: args }, onprogress && { onprogress });
  expect((await call('estimate_images', { images: 2 })).structuredContent).toEqual({
    uses: 2,
    left: 100,
    fits: true,
  });
  const progress: object[] = [];
  const made = await call('make_images', request, (given) => progress.push(given));
  const [image] = (made.structuredContent as { images: { id: string; state: string }[] }).images;
  expect(image).toMatchObject({ state: 'succeeded', imageUsed: true, width: limits.outputWidth });
  expect(progress[0]).toMatchObject({ progress: 0, total: 1, message: expect.any(String) });
  const again = await call('make_images', request);
  expect(again.structuredContent).toMatchObject({ images: [{ id: image!.id }] });
  expect((await call('get_balance')).structuredContent).toMatchObject({ left: 99, onHold: 0 });
  const other = await call('make_images', { ...request, take: 2 });
  expect(other.structuredContent).not.toMatchObject({ images: [{ id: image!.id }] });

  await call('save_image', { id: image!.id, file: 'out.png' });
  expect((await sharp(join(folder, 'out.png')).metadata()).width).toBe(limits.outputWidth);
  expect(
    (await call('export_image', { id: image!.id, preset: 'amazon-main', file: 'out.png' })).structuredContent,
  ).toMatchObject({ file: join(folder, 'out-amazon-main.jpg'), failedRules: expect.any(Array) });
  expect((await sharp(join(folder, 'out-amazon-main.jpg')).metadata()).format).toBe('jpeg');
  expect((await call('list_images')).structuredContent).toMatchObject({ images: [{}, { id: image!.id }] });
  expect((await seller.me()).subscription.generationsLeft).toBe(98);
});

const batch = {
  name: 'Autumn',
  products: [
    { photos: ['cup.png'], scene: 'On an oak table' },
    { photos: ['cup.png'], scene: 'On slate' },
  ],
  maxImages: 2,
};

test('a batch is made of files; the same call again uses nothing', async ({ assistant }) => {
  const { client, seller } = assistant;
  const make = () => client.callTool({ name: 'make_batch', arguments: batch });
  const made = await make();
  expect(made.structuredContent).toMatchObject({ state: 'ended', images: { total: 2, succeeded: 2 } });
  expect((await make()).structuredContent).toEqual(made.structuredContent);
  expect((await seller.me()).subscription).toMatchObject({ generationsLeft: 98, generationsHeld: 0 });
});

test('more images than were agreed to are refused in words, and nothing is made', async ({ assistant }) => {
  const refused = await assistant.client.callTool({
    name: 'make_images',
    arguments: { ...request, images: 2 },
  });
  expect(refused).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/2 images, and 1 .*Nothing was made/) }],
  });
  expect(await assistant.seller.generations()).toEqual([]);
});

test.for([
  ['make_images', { ...request, images: 2, maxImages: 2 }],
  ['make_batch', batch],
] as const)(
  'a call of %s that its client gives up, and the end of the program, stop nothing; the same call gives the images',
  async ([name, args], { assistant, stack }) => {
    await stack.images.set({ default: { kind: 'hold' } });
    const { client, connect, seller } = assistant;
    const givingUp = new AbortController();
    // So a client says that it waits no longer, whether a person ended the call or its time is over.
    const given = client.callTool({ name, arguments: { ...args } }, { signal: givingUp.signal });
    await stack.images.waitFor({ waiting: 2 });
    givingUp.abort();
    await expect(given).rejects.toThrow();
    // It has heard of that before it answers this.
    expect((await client.callTool({ name: 'get_balance' })).structuredContent).toMatchObject({ onHold: 2 });
    const followed = Promise.withResolvers<object>();
    const cutOff = client.callTool({ name, arguments: { ...args } }, { onprogress: followed.resolve });
    cutOff.catch(() => {});
    await followed.promise;
    await client.close();
    await expect(cutOff).rejects.toThrow();
    const before = (await seller.generations()).map(({ id, state }) => [id, state]);
    expect(before).toEqual(Array(2).fill([expect.any(String), 'running']));

    await stack.images.reset();
    const again = await (await connect()).callTool({ name, arguments: { ...args } });
    expect(again.structuredContent).toMatchObject(
      name === 'make_batch'
        ? { state: 'ended', images: { total: 2, succeeded: 2 } }
        : { images: Array(2).fill({ state: 'succeeded' }) },
    );
    const after = (await seller.generations()).map(({ id, state }) => [id, state]);
    expect(after).toEqual(before.map(([id]) => [id, 'succeeded']));
    expect((await seller.me()).subscription).toMatchObject({ generationsLeft: 98, generationsHeld: 0 });
  },
);
