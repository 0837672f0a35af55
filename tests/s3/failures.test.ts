/** What a storage does when the S3 service fails: it tries again, gives up in time, and says why. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, inject, onTestFinished, test } from 'vitest';
import type { BucketLocation } from '#shared/platform/storage-url.ts';
import { openS3Access } from '#shared/storage/s3-access.ts';
import { openS3Storage } from '#shared/storage/s3-storage.ts';
import { storageKeys } from '#shared/storage/storage.ts';
import { openWorkFolder } from '#shared/storage/work-folder.ts';
import { limitMs } from '#tests/support/machine.ts';
import { type FaultyS3, startFaultyS3 } from '#tests/support/s3/faulty-s3.ts';
import { newPrefix } from '#tests/support/s3-server.ts';
import { mountSmallDisk, NotMounted } from '#tests/support/small-disk.ts';

const noBucket = inject('s3Bucket') === undefined;
const limits = { connectMs: limitMs(1_000), replyMs: limitMs(400), tries: 3, pauseMs: 20 };
/** A real service, which must answer, may be slow on a loaded machine. */
const patient = { ...limits, connectMs: limitMs(10_000), replyMs: limitMs(2_000) };
const veryPatient = { ...patient, replyMs: limitMs(20_000) };
const open = (location: BucketLocation, given = limits) =>
  openS3Storage(openS3Access(location, given), presigned);
const presigned = { origin: 'http://unused', of: async () => 'http://unused' };
const image = storageKeys.image('1', 1);
const secretAccessKey = 'a-secret-that-nobody-may-read';
const nowhere: BucketLocation = {
  kind: 's3',
  bucket: 'packshot-tests',
  prefix: 'a/',
  endpoint: 'http://127.0.0.1:9',
  region: 'us-east-1',
  credentials: { accessKeyId: 'packshot', secretAccessKey },
};

let faulty: FaultyS3;
beforeEach(async () => {
  faulty = await startFaultyS3(inject('s3Bucket')?.endpoint);
});
afterEach(() => faulty.close());

/** @returns the error of a step, which must be one of the storage and have no secret */
async function failureOf(step: Promise<unknown>): Promise<Error & { code: string }> {
  const error = await step.then(
    () => new Error('it succeeded'),
    (thrown: Error) => thrown,
  );
  expect(error).toMatchObject({ name: 'StorageError' });
  expect(`${error.stack}`).not.toContain(secretAccessKey);
  return error as Error & { code: string };
}

test('a service that cannot be reached', async () => {
  const storage = open(nowhere);
  for (const step of [
    () => storage.put(image, Buffer.alloc(1)),
    () => storage.has(image),
    () => storage.checkRoom(1),
  ]) {
    const { code, message } = await failureOf(step());
    expect(code).toBe('ECONNREFUSED');
    expect(message).toContain('the storage cannot be reached: ');
    expect(message).toContain('s3://packshot-tests/a/');
  }
});

test('a disk of this machine that is full, where uploads are first', async ({ skip }) => {
  const folder = await mkdtemp(join(tmpdir(), 'packshot-full-'));
  const disk = await mountSmallDisk(folder, 1).catch((error) => {
    if (!(error instanceof NotMounted)) throw error;
    return skip(error.message);
  });
  onTestFinished(async () => {
    await disk.unmount();
    await rm(folder, { recursive: true });
  });
  const work = openWorkFolder(folder);
  const storage = openS3Storage(openS3Access(nowhere, limits), presigned, undefined, work);
  // A disk of no size has no limit.
  await writeFile(join(folder, 'of-others'), 'x');
  await disk.leaveFree(0);
  const { code, message } = await failureOf(storage.checkRoom(1));
  expect(code).toBe('ENOSPC');
  expect(message).toContain(`${folder}/packshot-work-`);
  expect(message).toContain('the disk is full');
});

test('a service that answers 503 each time: three tries', async () => {
  faulty.behave('busy');
  const storage = open({ ...nowhere, endpoint: faulty.url });
  const { code, message } = await failureOf(storage.put(image, Buffer.alloc(1)));
  expect([code, message]).toEqual([
    'BUSY',
    's3://packshot-tests/a/generations/1/image-1.png: the storage answers 503 (SlowDown): Please reduce your request rate.',
  ]);
  expect(faulty.requests()).toBe(3);
});

test('a service that never answers: given up after three tries, and a long upload is not read ahead', async () => {
  faulty.behave('hang');
  const storage = open({ ...nowhere, endpoint: faulty.url });
  const { code, message } = await failureOf(storage.get(image));
  expect([code, message]).toEqual([
    'TIMEOUT',
    expect.stringContaining('the storage does not answer in time'),
  ]);
  expect(faulty.requests()).toBe(3);

  let read = 0;
  function* parts() {
    for (; read < 256; read += 1) yield Buffer.alloc(2 ** 20);
  }
  const once = openS3Storage(
    openS3Access({ ...nowhere, endpoint: faulty.url }, { ...limits, tries: 1 }),
    presigned,
  );
  await failureOf(once.putStream(image, () => Readable.from(parts()), 256 * 2 ** 20));
  expect(read).toBeLessThan(32);
});

test.skipIf(noBucket)('wrong credentials and a bucket that does not exist', async () => {
  const right = newPrefix();
  const wrongSecret = open(
    { ...right, credentials: { ...right.credentials!, secretAccessKey } },
    veryPatient,
  );
  const wrongKey = open({ ...right, credentials: { accessKeyId: 'nobody', secretAccessKey } }, veryPatient);
  for (const storage of [wrongSecret, wrongKey]) {
    for (const step of [() => storage.checkRoom(1), () => storage.get(image)]) {
      const { code, message } = await failureOf(step());
      expect([code, message]).toEqual(['ACCESS_DENIED', expect.any(String)]);
      expect(message).toContain(
        'check STORAGE_ACCESS_KEY_ID, STORAGE_SECRET_ACCESS_KEY and what they permit',
      );
    }
  }
  await failureOf(wrongSecret.has(image));
  const absent = open({ ...right, bucket: 'packshot-absent' }, veryPatient);
  for (const step of [
    () => absent.checkRoom(1),
    () => absent.get(image),
    () => absent.put(image, Buffer.alloc(1)),
  ]) {
    const { code, message } = await failureOf(step());
    expect([code, message]).toEqual(['NO_BUCKET', expect.stringContaining('there is no such bucket')]);
  }
});

test.skipIf(noBucket)(
  'what passes is tried again: 503, no answer, a body that stops or is cut off',
  async () => {
    const bytes = randomBytes(4 * 2 ** 20);
    const storage = open({ ...newPrefix(), endpoint: faulty.url }, patient);
    for (const behaviour of ['busy', 'hang'] as const) {
      faulty.behave(behaviour, 2);
      await storage.put(image, bytes);
      faulty.behave(behaviour, 2);
      await storage.putStream(image, () => Readable.from([bytes]), bytes.byteLength);
      faulty.behave(behaviour, 2);
      expect(await storage.sizeOf(image)).toBe(bytes.byteLength);
    }
    for (const behaviour of ['stall', 'cut'] as const) {
      faulty.behave(behaviour, 1);
      expect((await storage.get(image))?.equals(bytes)).toBe(true);
      faulty.behave(behaviour, 1);
      const { stream } = (await storage.open(image))!;
      await failureOf(buffer(stream));
    }
  },
);

test.skipIf(noBucket)('a generation with more files than one request removes', async () => {
  const storage = open(newPrefix(), veryPatient);
  const keys = Array.from({ length: 1_005 }, (_, index) => storageKeys.preview('1', 1, index, 'jpeg'));
  for (let first = 0; first < keys.length; first += 50) {
    await Promise.all(keys.slice(first, first + 50).map((key) => storage.put(key, Buffer.alloc(1))));
  }
  const count = async () => {
    let found = 0;
    for await (const _ of storage.list()) found += 1;
    return found;
  };
  expect(await count()).toBe(1_005);
  await storage.removeAttempts('1', undefined);
  expect(await count()).toBe(0);
});
