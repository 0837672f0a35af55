/** What visitors without an account see of a photo, and what of it stays: nothing. */
import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, vi } from 'vitest';
import { type DrawnSketches, paths, photoCheckLimits, sketchLimits, sketchScenes } from '#contract';
import { createPhotoChecker } from '#server/photo-checks/photo-checker.ts';
import { createSketcher, type Sketcher } from '#server/sketches/sketcher.ts';
import { connectionOf } from '#shared/data/collection.ts';
import { createLog } from '#shared/platform/log.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { eventually } from '#tests/support/harness.ts';
import { interlacedPng } from '#tests/support/large-photos.ts';
import { limitMs } from '#tests/support/machine.ts';
import { memoryOf, stateOf } from '#tests/support/memory.ts';
import { newFolder } from '#tests/support/new-folder.ts';
import { modelPatience } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack({ workers: 0, settings: { PHOTO_CHECKS: 'true' } });
const log = createLog({ logLevel: 'fatal' }, 'test');
const connected = new AbortController().signal;
const checks = { photoChecks: true, cutoutModel: undefined };
const sketcherHere = (options: { seconds?: number; givenUpFirst?: boolean } = {}) =>
  createSketcher(log, checks, { ...modelPatience, ...options });
/** Waits until it runs. */
const processOf = async (sketcher: Sketcher) => {
  await expect.poll(() => sketcher.pid(), eventually).toBeDefined();
  return sketcher.pid()!;
};
const megabyte = 1024 * 1024;

const copyOf = (photo: Buffer) => sharp(photo).resize(320, 320, { fit: 'inside' }).jpeg().toBuffer();
const mug = await copyOf(readFileSync(join(rootFolder, 'scripts/local/photos/mug-1.jpg')));
const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#b8b4ac' } })
    .jpeg()
    .toBuffer();

/** Asks as a browser does, without a session. */
const ask = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url + paths.sketches, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const base64 = (bytes: Buffer) => ({ photo: bytes.toString('base64') });

test('a visitor sees the product in each scene, with a watermark, and nothing of it is stored', async ({
  stack,
}) => {
  const storage = await newFolder();
  const { url } = await stack.startServer({ STORAGE_URL: `file:${storage}`, PHOTO_CHECKS: 'true' });
  const before = await everythingStored();
  const reply = await ask(url, base64(mug));
  expect(reply.status).toBe(200);
  expect(reply.headers.get('cache-control')).toContain('no-store');
  expect(reply.headers.get('set-cookie')).toBeNull();
  const { sketches, warnings } = (await reply.json()) as DrawnSketches;
  expect(warnings).toEqual([]);
  expect(sketches.map(({ scene }) => scene)).toEqual(sketchScenes);
  for (const { picture } of sketches) {
    const { format, width, height, hasAlpha, exif } = await sharp(Buffer.from(picture, 'base64')).metadata();
    expect({ format, width, height, hasAlpha, exif }).toEqual({
      format: 'webp',
      width: sketchLimits.side,
      height: sketchLimits.side,
      hasAlpha: false,
      exif: undefined,
    });
  }
  expect(await everythingStored()).toEqual(before);

  /** What the database and the storage hold, besides counts of requests, and the files for a moment. */
  async function everythingStored() {
    const { db } = connectionOf(stack.db);
    const collections = await db!.listCollections().toArray();
    const names = collections.map(({ name }) => name).filter((name) => name !== 'network_sketch');
    const counts = await Promise.all(
      names.sort().map(async (name) => [name, await db!.collection(name).countDocuments()]),
    );
    const files = readdirSync(storage, { recursive: true }).toSorted();
    return { counts, files, temporary: readdirSync(tmpdir()).filter((name) => /webp|jpe?g|png/.test(name)) };
  }
});

test('wrong files are refused in words, and what has no product says so', async ({ stack }) => {
  const { url } = stack;
  const refused = async (body: unknown) => {
    const reply = await ask(url, body);
    const { error } = (await reply.json()) as { error: { code: string; message: string } };
    expect(error.message).not.toMatch(/sharp|vips|Error:|base64 of/i);
    return [reply.status, error.code];
  };
  expect(await refused({})).toEqual([400, 'VALIDATION']);
  expect(await refused({ photo: '' })).toEqual([400, 'VALIDATION']);
  expect(await refused({ photo: 'not base64!' })).toEqual([400, 'VALIDATION']);
  expect(await refused({ photo: { $gt: '' } })).toEqual([400, 'VALIDATION']);
  expect(await refused({ ...base64(mug), credits: 9 })).toEqual([400, 'VALIDATION']);
  for (const text of ['a text file', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', '%PDF-1.7']) {
    expect(await refused(base64(Buffer.from(text)))).toEqual([415, 'TYPE_UNSUPPORTED']);
  }
  expect(await refused(base64(mug.subarray(0, mug.length / 2)))).toEqual([422, 'IMAGE_CORRUPT']);
  expect(await refused(base64(await plain(40, 40)))).toEqual([422, 'IMAGE_TOO_SMALL']);
  expect(await refused(base64(await plain(2_000, 80)))).toEqual([422, 'IMAGE_TOO_SMALL']);
  expect(await refused(base64(await plain(4_000, 3_000)))).toEqual([422, 'TOO_MANY_PIXELS']);
  expect(await refused({ photo: 'A'.repeat(photoCheckLimits.characters + 2_048) })).toEqual([
    413,
    'BODY_TOO_LARGE',
  ]);
  const nothing = await ask(url, base64(await plain(320, 320)));
  expect(await nothing.json()).toEqual({ sketches: [], warnings: ['background'] });
  const elsewhere = await ask(url, base64(mug), { origin: 'https://evil.example' });
  expect([elsewhere.status, ((await elsewhere.json()) as { error: { code: string } }).error.code]).toEqual([
    403,
    'CROSS_SITE',
  ]);
});

test('each network has its limit, which is that of all servers together, and an installation can turn it off', async ({
  stack,
}) => {
  const limited = { PHOTO_CHECKS: 'true', NETWORK_LIMIT_FACTOR: '0.05', TRUSTED_PROXIES: '1' };
  const servers = [await stack.startServer(limited), await stack.startServer(limited)];
  const statusFrom = async (address: string, at = 0) =>
    (await ask(servers[at]!.url, base64(Buffer.from('no photo')), { 'x-forwarded-for': address })).status;
  // One network of 64 bits, whatever the rest of the address.
  expect(await statusFrom('2001:db8:0:1::1')).toBe(415);
  expect(await statusFrom('2001:db8:0:1::2', 1)).toBe(415);
  expect(await statusFrom('2001:db8:0:1:ffff::3')).toBe(415);
  expect(await statusFrom('2001:db8:0:1::4', 1)).toBe(429);
  expect(await statusFrom('198.51.100.7')).toBe(415);
  const off = await stack.startServer({ PHOTO_CHECKS: 'true', VISITOR_SKETCHES: 'false' });
  expect((await ask(off.url, base64(mug))).status).toBe(404);
  const withoutChecks = await stack.startServer({ PHOTO_CHECKS: 'false' });
  expect((await ask(withoutChecks.url, base64(mug))).status).toBe(404);
});

test('a seller waits for no sketch: its process is another one, which Linux gives up first', async () => {
  const sketcher = sketcherHere({ givenUpFirst: true });
  const checker = createPhotoChecker(log, checks, modelPatience);
  const drawn = sketcher.draw('network', connected, mug);
  const pid = await processOf(sketcher);
  expect(getPriority(pid)).toBe(constants.priority.PRIORITY_LOW);
  expect(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim()).toBe('1000');
  // A sketch without end, as far as anybody can tell.
  process.kill(pid, 'SIGSTOP');
  const settled = vi.fn();
  void drawn.then(settled);
  expect(await checker.check({ sellerId: 'seller' }, mug)).toMatchObject({ warnings: [] });
  expect(settled).not.toHaveBeenCalled();
  expect(sketcher.pid()).toBe(pid);
  // It is not waited for: beside tests that take all processor time, the process that is given up first may get none.
  await Promise.all([sketcher.close(), checker.close()]);
  expect(await drawn).toBeNull();
  expect(await sketcher.draw('late', connected, mug)).toBeNull();
});

test('a sketch that takes too long is given up, and the next one gets a new process', async () => {
  const sketcher = sketcherHere({ seconds: limitMs(3_000) / 1_000 });
  const drawn = sketcher.draw('network', connected, mug);
  const pid = await processOf(sketcher);
  process.kill(pid, 'SIGSTOP');
  expect(await drawn).toBeNull();
  await expect.poll(() => stateOf(pid), eventually).toBe('gone');
  void sketcher.draw('network', connected, mug);
  expect(await processOf(sketcher)).not.toBe(pid);
  await sketcher.close();
});

test('a sketch takes a bounded amount of memory, whatever its photo says it is', async () => {
  const sketcher = sketcherHere();
  expect(await sketcher.draw('network', connected, mug)).toMatchObject({ warnings: [] });
  const pid = await processOf(sketcher);
  const before = (await memoryOf(pid)).peak;
  expect(before).toBeLessThan(700 * megabyte);
  // Few bytes each; the last one is as large as a copy may be, in the form that takes the most memory.
  for (const [width, height] of [
    [30_000, 30_000],
    [8_000, 8_000],
    [2_048, 2_048],
  ] as const) {
    const drawn = await sketcher.draw('network', connected, interlacedPng(width, height));
    const refused = width * height > 2_048 * 2_048;
    expect(drawn).toEqual(
      refused ? { refused: 'TOO_MANY_PIXELS' } : { sketches: [], warnings: ['background'] },
    );
  }
  expect(sketcher.pid()).toBe(pid);
  expect((await memoryOf(pid)).peak - before).toBeLessThan(100 * megabyte);
  await sketcher.close();
});

test(
  'more visitors than can be served are told so at once, fewer of one network',
  async ({ stack }) => {
    const sketcher = sketcherHere();
    const answers = async (networks: readonly string[]) => {
      const found = await Promise.all(networks.map((network) => sketcher.draw(network, connected, noPhoto)));
      return found.filter((each) => each !== null).length;
    };
    // Refused in a moment, once it is its turn.
    const noPhoto = Buffer.from('no photo');
    const crowd = Array.from({ length: sketchLimits.waiting + 3 }, (_, index) => `network ${index}`);
    expect(await answers(crowd)).toBe(sketchLimits.waiting + 1);
    expect(await answers(['same', 'same', 'same', 'same', 'same'])).toBe(sketchLimits.waitingOfNetwork + 1);
    expect(await sketcher.draw('gone', AbortSignal.abort(), mug)).toBeNull();
    await sketcher.close();

    const replies = await Promise.all(
      Array.from({ length: sketchLimits.waitingOfNetwork + 4 }, () => ask(stack.url, base64(mug))),
    );
    const busy = replies.find(({ status }) => status === 503)!;
    expect(busy.headers.get('retry-after')).toBe('10');
    expect(((await busy.json()) as { error: { message: string } }).error.message).toContain(
      'sign up to go on',
    );
  },
  limitMs(120_000),
);
