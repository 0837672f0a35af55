import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { Log } from '#shared/platform/log.ts';
import { runPeriodically } from '#shared/platform/periodic-task.ts';
import { oncePer } from '#shared/storage/once-per.ts';
import { type Storage, storageKeys } from '#shared/storage/storage.ts';
import { logStorageError, StorageError } from '#shared/storage/storage-error.ts';
import type { BuiltAssets, Part } from './assets.ts';

const partSchema = z.tuple([z.number().int().nonnegative(), z.number().int().nonnegative()]);
const partsSchema = z.record(z.string(), partSchema);
const listSchema = z.array(
  z.object({ id: z.string().regex(/^[0-9a-f]{16}$/), publishedAt: z.iso.datetime() }),
);
/** Every release whose assets are in the storage, the newest first. */
type ReleaseList = z.infer<typeof listSchema>;

/** A replaced release is kept for so long, even if two newer ones exist, in ms: twice as long as its tabs go on working. */
const keptMs = 2 * 86_400_000;
/** How often the list is read for a name that is in no known release, and without such a name, in ms. */
const usualPauses = { missMs: 2_000, checkMs: 60_000 };

/** The assets of the releases that the storage has, so that every server serves those of the others. */
export interface Releases {
  /** Stores this server's assets and tries again later if the storage fails, which is logged. */
  publish(): Promise<void>;
  /**
   * Opens an asset of any kept release. A name that none has reaches the storage only as a look at the list, rarely.
   * @param names of the same content, the most wanted first
   * @returns undefined if there is none
   * @throws StorageError
   */
  open(names: readonly string[]): Promise<{ name: string; stream: Readable; bytes: number } | undefined>;
  close(): Promise<void>;
}

interface ReleasesOptions {
  storage: Storage;
  /** Bytes that must be free in the storage. */
  reserveBytes: number;
  assets: BuiltAssets;
  log: Log;
  pauses?: typeof usualPauses;
  /** The time, for tests. */
  now?: () => number;
}

/** Opens the releases in a storage. Nothing is read yet. See docs/decisions/0081-releases.md. */
export function openReleases({
  storage,
  reserveBytes,
  assets,
  log,
  pauses = usualPauses,
  now = Date.now,
}: ReleasesOptions): Releases {
  const ownId = assets.releaseId;
  /** Where the assets are, by release, the newest first. */
  let known = new Map<string, Record<string, Part>>();

  async function readList(): Promise<ReleaseList> {
    return (await readJson(storageKeys.releases, listSchema)) ?? [];
  }

  async function readJson<Value>(key: string, schema: z.ZodType<Value>): Promise<Value | undefined> {
    const bytes = await storage.get(key);
    return bytes && schema.parse(JSON.parse(bytes.toString('utf8')));
  }

  const writeJson = (key: string, value: unknown) => storage.put(key, Buffer.from(JSON.stringify(value)));

  /** Stores the assets unless they are there, and puts this release first in the list. */
  async function store(): Promise<void> {
    await storage.checkRoom(reserveBytes);
    const list = await readList();
    const isListed = list.some(({ id }) => id === ownId);
    if (!isListed || !(await storage.has(storageKeys.releaseParts(ownId)))) {
      const { content, parts } = await assets.pack();
      await storage.put(storageKeys.releaseAssets(ownId), content);
      await writeJson(storageKeys.releaseParts(ownId), parts);
    }
    if (list[0]?.id === ownId) return;
    const others = list.filter(({ id }) => id !== ownId);
    const next = [{ id: ownId, publishedAt: new Date(now()).toISOString() }, ...others];
    const isKept = (index: number) => index < 2 || now() - Date.parse(next[index - 1]!.publishedAt) < keptMs;
    // Removed before the list says so, so that nothing stays that no list names.
    for (const { id } of next.filter((_, index) => !isKept(index))) await storage.removeRelease(id);
    await writeJson(
      storageKeys.releases,
      next.filter((_, index) => isKept(index)),
    );
    log.info({ release: ownId }, 'the assets of this release are in the storage');
  }

  /** Reads the list again, and where the assets of new releases are. */
  async function refresh(): Promise<void> {
    const next = new Map<string, Record<string, Part>>();
    for (const { id } of await readList()) {
      const parts = known.get(id) ?? (await readJson(storageKeys.releaseParts(id), partsSchema));
      if (parts) next.set(id, parts);
    }
    known = next;
  }
  const refreshOnMiss = oncePer(pauses.missMs, refresh);

  function find(names: readonly string[]): { name: string; id: string; part: Part } | undefined {
    for (const [id, parts] of known) {
      const name = names.find((each) => Object.hasOwn(parts, each));
      if (name !== undefined) return { name, id, part: parts[name]! };
    }
    return undefined;
  }

  function logFailure(error: unknown): void {
    if (error instanceof StorageError) logStorageError(log, error);
    else log.error({ err: error }, 'the assets of this release could not be stored');
  }

  // Another release that was published in the same moment may have written the list without this one.
  const check = runPeriodically(
    pauses.checkMs,
    async () => {
      await refresh();
      if (!known.has(ownId)) await store();
    },
    logFailure,
  );

  return {
    publish: () => store().catch(logFailure),
    async open(names) {
      if (!find(names)) await refreshOnMiss();
      const found = find(names);
      if (!found) return undefined;
      const [start, bytes] = found.part;
      const file = await storage.open(storageKeys.releaseAssets(found.id), { start, end: start + bytes - 1 });
      return file && { name: found.name, stream: file.stream, bytes };
    },
    close: () => check.stop(),
  };
}
