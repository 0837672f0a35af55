/** What the releases in a storage must do: one suite for the folder and for S3. */
import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { BuiltAssets, Part } from '#server/site/assets.ts';
import { openReleases } from '#server/site/releases.ts';
import { createLog } from '#shared/platform/log.ts';
import { type Storage, storageKeys } from '#shared/storage/storage.ts';
import { limitMs } from './machine.ts';

const log = createLog({ logLevel: 'fatal' }, 'test');
const day = 86_400_000;

/** The assets of a build with these files. */
function assetsOf(files: Record<string, string>): BuiltAssets {
  return {
    releaseId: createHash('sha256').update(Object.keys(files).join()).digest('hex').slice(0, 16),
    async pack() {
      const parts: Record<string, Part> = {};
      let content = '';
      for (const [name, file] of Object.entries(files)) {
        parts[name] = [content.length, file.length];
        content += file;
      }
      return { content: Buffer.from(content), parts };
    },
  };
}

/** The releases as one server sees them. */
function serverOf(
  storage: Storage,
  files: Record<string, string>,
  { checkMs = limitMs(600_000), now = Date.now } = {},
) {
  const pauses = { missMs: 0, checkMs };
  const releases = openReleases({ storage, reserveBytes: 0, assets: assetsOf(files), log, pauses, now });
  onTestFinished(() => releases.close());
  return {
    publish: releases.publish,
    async read(...names: string[]) {
      const found = await releases.open(names);
      return found && [found.name, found.bytes, await text(found.stream)];
    },
  };
}

/**
 * Describes the contract for a storage.
 * @param open opens an empty one for each test
 * @param isSkipped whether this machine has no such storage
 */
export function describeReleases(name: string, open: () => Promise<Storage>, isSkipped = false): void {
  describe.skipIf(isSkipped)(`releases in ${name}`, () => {
    test('a server has the assets of the release before, and of the one after as soon as it is published', async () => {
      const storage = await open();
      const before = serverOf(storage, { 'a-1.js': 'first', 'b-1.js': 'of both' });
      const after = serverOf(storage, { 'a-2.js': 'second', 'b-1.js': 'of both' });
      await before.publish();
      expect(await before.read('a-2.js')).toBeUndefined();
      await after.publish();
      expect(await before.read('a-2.js')).toEqual(['a-2.js', 6, 'second']);
      expect(await after.read('a-1.js')).toEqual(['a-1.js', 5, 'first']);
      expect(await after.read('b-1.js.br', 'b-1.js')).toEqual(['b-1.js', 7, 'of both']);
    });

    test('a release that is there already is not stored again', async () => {
      const storage = await open();
      const files = { 'a-1.js': 'first' };
      await serverOf(storage, files).publish();
      const put = vi.spyOn(storage, 'put');
      await serverOf(storage, files).publish();
      expect(put).not.toHaveBeenCalled();
    });

    test('a name that no release has never reaches the storage as a key', async () => {
      const storage = await open();
      const server = serverOf(storage, { 'a-1.js': 'first' });
      await server.publish();
      const keys = [vi.spyOn(storage, 'get'), vi.spyOn(storage, 'open')];
      for (const hostile of ['../list.json', 'assets', 'list.json', '__proto__', 'constructor', '..', '']) {
        expect(await server.read(hostile)).toBeUndefined();
      }
      const asked = new Set(keys.flatMap(({ mock }) => mock.calls.map(([key]) => key)));
      expect(
        [...asked].every(
          (key) => key === storageKeys.releases || /^releases\/[0-9a-f]{16}\/parts.json$/.test(key),
        ),
      ).toBe(true);
    });

    test('the last two releases stay, and those that were replaced within two days; older ones are removed', async () => {
      const storage = await open();
      const names = ['a-1.js', 'a-2.js', 'a-3.js', 'a-4.js'];
      const publish = (name: string, at: number) =>
        serverOf(storage, { [name]: name }, { now: () => at }).publish();
      const readable = async () => {
        const server = serverOf(storage, { 'other.js': '' });
        const read = await Promise.all(names.map((each) => server.read(each)));
        return names.filter((_, index) => read[index]);
      };
      await publish('a-1.js', 0);
      await publish('a-2.js', day);
      await publish('a-3.js', 2.5 * day);
      expect(await readable()).toEqual(names.slice(0, 3));
      // The first was replaced two days and an hour ago, the second half a day ago.
      await publish('a-4.js', 3 * day + 3_600_000);
      expect(await readable()).toEqual(names.slice(1));
      const { releaseId } = assetsOf({ 'a-1.js': '' });
      expect(await storage.has(storageKeys.releaseAssets(releaseId))).toBe(false);
      // A release that comes back is the newest again.
      await publish('a-3.js', 30 * day);
      expect(await readable()).toEqual(['a-3.js', 'a-4.js']);
    });

    test('a release that another one has written over in the list, or that could not be stored, comes back', async () => {
      const storage = await open();
      const other = serverOf(storage, { 'a-2.js': 'second' });
      const put = vi.spyOn(storage, 'put').mockRejectedValue(new Error('no room'));
      const server = serverOf(storage, { 'a-1.js': 'first' }, { checkMs: 10 });
      await server.publish();
      expect(await other.read('a-1.js')).toBeUndefined();
      put.mockRestore();
      const isThere = () =>
        expect.poll(() => other.read('a-1.js'), { timeout: limitMs(15_000) }).toBeDefined();
      await isThere();
      await storage.put(storageKeys.releases, Buffer.from('[]'));
      await isThere();
    });
  });
}
