/** What every storage must do: one suite for the folder and for S3. */
import { randomBytes } from 'node:crypto';
import { access, readFile, utimes, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { type Storage, storageKeys } from '#shared/storage/storage.ts';

const image = storageKeys.image('1', 1);
const storageError = expect.objectContaining({ name: 'StorageError' });
const large = randomBytes(24 * 2 ** 20);

async function keysOf(storage: Storage): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list()) keys.push(key);
  return keys.sort();
}

/**
 * Describes the contract for a storage.
 * @param open opens an empty one for each test
 * @param isSkipped whether this machine has no such storage
 */
export function describeStorage(name: string, open: () => Promise<Storage>, isSkipped = false): void {
  describe.skipIf(isSkipped)(`a storage: ${name}`, () => {
    test('what is stored can be read, completely and in parts, and be replaced', async () => {
      const storage = await open();
      await storage.put(image, Buffer.from('an image'));
      expect(await storage.get(image)).toEqual(Buffer.from('an image'));
      expect([await storage.has(image), await storage.sizeOf(image)]).toEqual([true, 8]);
      const whole = await storage.open(image);
      expect([whole?.bytes, String(await buffer(whole!.stream))]).toEqual([8, 'an image']);
      const part = await storage.open(image, { start: 3, end: 5 });
      expect([part?.bytes, String(await buffer(part!.stream))]).toEqual([8, 'ima']);
      await storage.put(image, Buffer.from('another one'));
      expect(String(await storage.get(image))).toBe('another one');
      await storage.put(image, Buffer.alloc(0));
      expect([await storage.get(image), await storage.sizeOf(image)]).toEqual([Buffer.alloc(0), 0]);
    });

    test('what was never stored is missing, and no error', async () => {
      const storage = await open();
      expect(await storage.get(image)).toBeUndefined();
      expect(await storage.has(image)).toBe(false);
      expect(await storage.sizeOf(image)).toBeUndefined();
      expect(await storage.open(image)).toBeUndefined();
      expect(await storage.withFile(image, async () => 'read')).toBeUndefined();
      expect(await keysOf(storage)).toEqual([]);
      await storage.removeGeneration('1');
      await storage.removeAttempts('1', undefined);
    });

    test('a file of this machine is moved into it, and can be had as a file again', async () => {
      const storage = await open();
      await storage.checkRoom(1);
      const path = storage.newWorkPath();
      await writeFile(path, large);
      await storage.putFile(image, path);
      await expect(access(path)).rejects.toMatchObject({ code: 'ENOENT' });
      const read = await storage.withFile(image, (found) => readFile(found));
      expect(read?.equals(large)).toBe(true);
      await expect(storage.putFile(image, path)).rejects.toEqual(storageError);
      expect(await storage.sizeOf(image)).toBe(large.byteLength);
    });

    test('a step that fails with a file does so with its own error', async () => {
      const storage = await open();
      await storage.put(image, Buffer.from('an image'));
      const failure = new Error('the decoder ended');
      await expect(storage.withFile(image, () => Promise.reject(failure))).rejects.toBe(failure);
    });

    test('a stream that fails, or has another length, changes nothing', async () => {
      const storage = await open();
      await storage.put(image, Buffer.from('an image'));
      async function* failing() {
        yield Buffer.alloc(1_000);
        throw new Error('the source is gone');
      }
      await expect(storage.putStream(image, () => Readable.from(failing()), 2_000)).rejects.toThrow();
      for (const bytes of [9, 11]) {
        const source = () => Readable.from([Buffer.alloc(10)]);
        await expect(storage.putStream(image, source, bytes)).rejects.toEqual(storageError);
      }
      expect(String(await storage.get(image))).toBe('an image');
      expect(await keysOf(storage)).toEqual([image]);
      await storage.putStream(image, () => Readable.from([Buffer.from('a stream')]), 8);
      expect(String(await storage.get(image))).toBe('a stream');
    });

    test('readers see one of the versions that are stored at the same time, never a mixture', async () => {
      const storage = await open();
      const versions = ['a', 'b', 'c'].map((letter) => Buffer.alloc(2 ** 20, letter));
      await storage.put(image, versions[0]!);
      const writes = Promise.all([...versions, ...versions].map((version) => storage.put(image, version)));
      let done = false;
      void writes.finally(() => {
        done = true;
      });
      while (!done) {
        const read = (await storage.get(image))!;
        expect(versions.some((version) => version.equals(read))).toBe(true);
      }
      await writes;
    });

    test('a reader that pauses holds little in memory, and gets the rest when it continues', async () => {
      const storage = await open();
      await storage.put(image, large);
      const { stream } = (await storage.open(image))!;
      const chunks: Buffer[] = [];
      for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
        chunks.push(chunk as Buffer);
        break;
      }
      // Longer than reading all of it takes.
      await storage.get(image);
      expect(stream.readableLength).toBeLessThan(2 ** 20);
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      expect(Buffer.concat(chunks).equals(large)).toBe(true);
    });

    test('everything of one generation, set or look is removed, and nothing else', async () => {
      const storage = await open();
      const mine = [
        storageKeys.preview('1', 1, 0, 'jpeg'),
        storageKeys.edited('1', 1),
        // Of another attempt than the image.
        storageKeys.image('1', 11),
        storageKeys.thumbnail(storageKeys.image('1', 11)),
        image,
        storageKeys.thumbnail(image),
      ];
      const others = [
        storageKeys.image('10', 1),
        storageKeys.lookPicture('1'),
        storageKeys.photo('1', 0, 'jpeg'),
        storageKeys.preview('10', 1, 0, 'jpeg'),
        storageKeys.thumbnail(storageKeys.photo('1', 0, 'jpeg')),
        storageKeys.cutout(storageKeys.photo('1', 0, 'jpeg')),
        storageKeys.photo('1', 1, 'png'),
        storageKeys.cutout(storageKeys.photo('1', 1, 'png')),
      ];
      for (const key of [...mine, ...others]) await storage.put(key, Buffer.from(key));
      expect(await keysOf(storage)).toEqual([...mine, ...others].sort());
      await storage.removeAttempts('1', image);
      await storage.removeEdited('1');
      expect(await keysOf(storage)).toEqual([image, storageKeys.thumbnail(image), ...others].sort());
      await storage.removeGeneration('1');
      expect(await keysOf(storage)).toEqual([...others].sort());
      await storage.removePhotoSet('1', new Set([others[2]!]));
      expect(await keysOf(storage)).toEqual(others.slice(0, 6).sort());
      await storage.removePhotoSet('1');
      await storage.removeLook('1');
      expect(await keysOf(storage)).toEqual([others[0], others[3]]);
    });

    test('files at work paths are removed when they are old', async () => {
      const storage = await open();
      await storage.checkRoom(1);
      const [old, recent] = [storage.newWorkPath(), storage.newWorkPath()];
      for (const path of [old, recent]) await writeFile(path, 'unfinished');
      await utimes(old, 0, 0);
      expect(await storage.sweepWork(new Date(1_000))).toBe(1);
      await expect(access(old)).rejects.toMatchObject({ code: 'ENOENT' });
      await access(recent);
      expect(await keysOf(storage)).toEqual([]);
    });
  });
}
