/** A seller's way from the upload to the deletion, with server and worker on a bucket. */
import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { unzipSync } from 'fflate';
import sharp from 'sharp';
import { expect, inject } from 'vitest';
import { type GenerationView, identityRecipe, paths } from '#contract';
import type { GivenSettings } from '#shared/platform/settings.ts';
import { askForExport } from '#tests/support/account.ts';
import { atOnce } from '#tests/support/credits.ts';
import { expectError } from '#tests/support/errors.ts';
import { eventually } from '#tests/support/harness.ts';
import { bucketSettings } from '#tests/support/s3/bucket.ts';
import { startFaultyS3 } from '#tests/support/s3/faulty-s3.ts';
import { newPrefix } from '#tests/support/s3-server.ts';
import type { Seller } from '#tests/support/seller.ts';
import { frequentUpkeep } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';
import { runUpkeep } from '#worker/upkeep/upkeep.ts';

const place = inject('s3Bucket') && newPrefix();
const noBucket = place === undefined;
const settings: GivenSettings = place ? bucketSettings(place) : {};

const test = testWithSeller({ workers: 0, settings: { ...settings, ...frequentUpkeep } })
  .extend('worker', async ({ stack }, { onCleanup }) => {
    const worker = await stack.startWorker();
    onCleanup(() => worker.close());
    return worker;
  })
  // A server and a worker whose requests to the bucket a test can let fail.
  .extend('faulty', async ({ stack }, { onCleanup }) => {
    const faulty = await startFaultyS3(place!.endpoint);
    const behind = bucketSettings({ ...place!, endpoint: faulty.url });
    const server = await stack.startServer(behind);
    const worker = await stack.startWorker(behind);
    onCleanup(async () => {
      faulty.behave('pass');
      await worker.close();
      await server.close();
      await faulty.close();
    });
    return { ...faulty, serverUrl: server.url };
  });

/** Gets a file as an API client. @param init headers, or whether redirects are followed */
async function get(seller: Seller, address: string, init: RequestInit = {}) {
  const headers = { authorization: `Bearer ${seller.token}`, ...init.headers };
  const reply = await fetch(address, { ...init, headers });
  return { reply, bytes: Buffer.from(await reply.arrayBuffer()) };
}

/** Gets a file as a page of a browser does: Node's fetch says that it is a script. */
async function getAsPage(seller: Seller, address: string, mode = 'no-cors') {
  const headers = { authorization: `Bearer ${seller.token}`, 'sec-fetch-mode': mode };
  const reply = (await once(httpGet(address, { headers }), 'response'))[0] as IncomingMessage;
  return { status: reply.statusCode, headers: reply.headers, bytes: await buffer(reply) };
}

const edit = (seller: Seller, id: string) =>
  seller.request<GenerationView>(paths.edits(id), {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ recipe: { ...identityRecipe, rotate: 90 }, basedOn: null }),
  });

test.skipIf(noBucket)(
  'upload, image, parts, thumbnail, edit, export and deletion',
  async ({ stack, seller, window, worker }) => {
    const { storage } = worker.context;
    const { id } = await seller.submit();
    const made = await window.untilEnded(id);
    expect(made.state).toBe('succeeded');
    const { reply, bytes } = await get(seller, stack.url + made.image!.downloadUrl);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(reply.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(bytes.byteLength).toBe(Number(reply.headers.get('content-length')));
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: made.image!.width });
    const part = await get(seller, stack.url + made.image!.url, { headers: { range: 'bytes=10-19' } });
    expect([part.reply.status, part.reply.headers.get('content-range')]).toEqual([
      206,
      `bytes 10-19/${bytes.byteLength}`,
    ]);
    expect(part.bytes).toEqual(bytes.subarray(10, 20));
    for (const url of [made.image!.thumbnailUrl, made.photos[0]!.thumbnailUrl, made.photos[0]!.url]) {
      expect((await get(seller, stack.url + url)).reply.status).toBe(200);
    }
    const { edits } = (await edit(seller, id)).body;
    const edited = await get(seller, stack.url + edits!.url);
    expect(await sharp(edited.bytes).metadata()).toMatchObject({ width: made.image!.height });
    const query = new URLSearchParams({ images: id, presets: 'etsy,shopify', format: 'jpeg' });
    const zip = await get(seller, `${stack.url}${paths.exports}?${query}`);
    expect(Object.keys(unzipSync(zip.bytes))).toHaveLength(2);
    const account = await get(seller, stack.url + (await askForExport(seller)));
    const files = unzipSync(account.bytes);
    const image = Object.entries(files).find(([name]) => name.endsWith('/image.png'))![1];
    expect(Buffer.from(image).equals(bytes)).toBe(true);
    expect(files['missing.txt']).toBeUndefined();
    await expect.poll(() => stack.audit(), eventually).toEqual([]);

    expect((await seller.request(paths.generation(id), { method: 'DELETE' })).status).toBe(200);
    await expect
      .poll(async () => {
        await runUpkeep(worker.context, atOnce);
        const keys: string[] = [];
        for await (const { key } of storage.list()) keys.push(key);
        return keys;
      }, eventually)
      .toEqual([]);
    expectError(await seller.request(made.image!.url), 'NOT_FOUND');
  },
);

test.skipIf(noBucket)(
  'while the bucket answers 503: uploads are refused, and an image that was made is kept',
  async ({ stack, faulty }) => {
    const seller = await stack.seller({ url: faulty.serverUrl });
    const window = await seller.openWindow();
    await stack.images.reset();
    await stack.images.set({ default: { kind: 'hold' } });
    const { id } = await seller.submit();
    await stack.images.waitFor({ waiting: 1 });
    faulty.behave('busy');
    await stack.images.set({ default: { kind: 'ok' } });
    await stack.images.release();
    await window.until(id, ({ progress }) => progress?.waitingFor === 'storage');
    await expect.poll(async () => (await seller.send()).status, eventually).toBe(503);
    expectError(await seller.send(), 'STORAGE_UNAVAILABLE');
    faulty.behave('pass');
    expect(await window.untilEnded(id)).toMatchObject({ state: 'succeeded' });
    expect((await stack.images.state()).calls).toHaveLength(1);
    window.close();
  },
);

test.skipIf(noBucket)(
  'presigned: browsers are sent to the bucket, scripts in them are not',
  async ({ stack, seller, window, worker }) => {
    expect(worker.context.storage.presigned?.origin).toBe(place!.endpoint);
    const { url } = await stack.startServer({ IMAGE_DELIVERY: 'presigned' });
    const { id } = await seller.submit();
    const made = await window.untilEnded(id);
    const whole = await get(seller, stack.url + made.image!.url);
    const reply = await getAsPage(seller, url + made.image!.downloadUrl);
    expect([reply.status, reply.headers['cache-control']]).toEqual([302, 'private, no-store']);
    const address = reply.headers.location!;
    expect(new URL(address).origin).toBe(place!.endpoint);
    expect(address).not.toContain(place!.credentials!.secretAccessKey);
    expect(Number(new URL(address).searchParams.get('X-Amz-Expires'))).toBe(600);
    // The bucket's own answer needs no session.
    const direct = await fetch(address);
    expect(Buffer.from(await direct.arrayBuffer()).equals(whole.bytes)).toBe(true);
    expect(direct.headers.get('content-type')).toBe('image/png');
    expect(direct.headers.get('content-disposition')).toMatch(/^attachment; filename=".+\.png"/);
    expect(direct.headers.get('cache-control')).toBe('private, max-age=300');
    const part = await fetch(address, { headers: { range: 'bytes=0-9' } });
    expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.bytes.subarray(0, 10));
    expect((await fetch(address.replace(/image-1/, 'image-2'))).status).toBe(403);

    // The first request makes the thumbnail, and gets it at once.
    for (const [status, type] of [
      [200, 'image/webp'],
      [302, undefined],
    ] as const) {
      const small = await getAsPage(seller, url + made.image!.thumbnailUrl);
      expect([small.status, small.headers['content-type']]).toEqual([status, type]);
    }
    const script = await getAsPage(seller, url + made.image!.url, 'cors');
    expect([script.status, script.bytes.equals(whole.bytes)]).toEqual([200, true]);
    const policy = reply.headers['content-security-policy'] as string | undefined;
    expect(/img-src ([^;]+)/.exec(policy ?? '')![1]).toContain(place!.endpoint);
    const query = new URLSearchParams({ images: id, presets: 'etsy,shopify', format: 'jpeg' });
    const zip = await getAsPage(seller, `${url}${paths.exports}?${query}`);
    expect(Object.keys(unzipSync(zip.bytes))).toHaveLength(2);
    await worker.context.storage.removeGeneration(id);
    expectError(await seller.request(made.image!.url), 'NOT_FOUND');
    expect((await getAsPage(seller, url + made.image!.url)).status).toBe(404);
  },
);
