import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import {
  access,
  mkdir,
  open,
  opendir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { exactLength } from './exact-length.ts';
import { oncePer } from './once-per.ts';
import {
  belongsToAttempt,
  isOfPhoto,
  isPreview,
  keyFolders,
  keyPrefixes,
  keyRoots,
  type Storage,
} from './storage.ts';
import { onDisk, StorageError } from './storage-error.ts';
import type { StorageMarker } from './storage-marker.ts';
import { isMissing, sweepFolder } from './work-files.ts';

/** The folder of unfinished files: uploads, and files that `put` writes. */
export const incomingFolder = (storageFolder: string) => join(storageFolder, 'incoming');

/**
 * Opens a storage folder, which all servers and workers share.
 * @param marker checked before a file is reported as missing or a folder is created
 */
export function openFolderStorage(storageFolder: string, marker?: StorageMarker): Storage {
  const pathOf = (key: string) => join(storageFolder, key);
  // On the same disk, so that a file can be renamed to its key, and its space is measured.
  const newWorkPath = () => join(incomingFolder(storageFolder), randomUUID());

  /** Runs a step that creates a file, and creates its folder first if it is missing. */
  async function inFolder(path: string, step: () => Promise<void>): Promise<void> {
    try {
      await onDisk(path, step);
    } catch (error) {
      if (!isMissing(error)) throw error;
      await marker?.check();
      await onDisk(path, async () => {
        const folder = dirname(path);
        const first = await mkdir(folder, { recursive: true });
        for (let made = folder; first !== undefined && made.length >= first.length; made = dirname(made)) {
          await flush(dirname(made));
        }
        await step();
      });
    }
  }

  async function orUndefined<Value>(path: string, read: () => Promise<Value>): Promise<Value | undefined> {
    try {
      return await onDisk(path, read);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    if (!marker) return undefined;
    await marker.check();
    // Again: the volume may have been mounted in between.
    return onDisk(path, read).catch((error) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
  }

  async function has(key: string): Promise<boolean> {
    return (await orUndefined(pathOf(key), () => access(pathOf(key)).then(() => true))) ?? false;
  }

  /**
   * Removes the files of a folder whose keys match, and looks again until there are none: of a volume that goes away
   * meanwhile, it is no error that they are missing.
   */
  async function removeMatching(key: string, matches: (key: string) => boolean): Promise<void> {
    const folder = pathOf(key);
    for (;;) {
      const names = (await orUndefined(folder, () => readdir(folder))) ?? [];
      const matching = names.filter((name) => matches(`${key}/${name}`));
      if (matching.length === 0) return;
      for (const name of matching) await onDisk(folder, () => rm(join(folder, name), { force: true }));
    }
  }

  /** Removes a folder with everything in it; the same applies. */
  async function removeFolder(key: string): Promise<void> {
    const folder = pathOf(key);
    do {
      await marker?.check();
      await onDisk(folder, () => rm(folder, { recursive: true, force: true }));
    } while (await has(key));
  }

  /** Writes a file as a test. @returns the free bytes */
  async function probe(): Promise<number> {
    await marker?.check();
    const path = `${newWorkPath()}.unfinished`;
    try {
      await inFolder(path, () => writeFile(path, Buffer.alloc(probeBytes)));
    } finally {
      await rm(path, { force: true }).catch(() => {});
    }
    const { bavail, bsize } = await onDisk(storageFolder, () => statfs(storageFolder));
    return bavail * bsize;
  }
  const freeBytes = oncePer(probeEveryMs, probe);

  /**
   * Gives a finished file its key. From then on a power failure takes neither (docs/decisions/0145-files-outlast-a-power-failure.md),
   * except for a preview, which is removed when its image has come.
   */
  async function giveKey(key: string, finished: string): Promise<void> {
    const path = pathOf(key);
    const lasts = !isPreview(key);
    if (lasts) await onDisk(finished, () => flush(finished));
    await inFolder(path, () => rename(finished, path));
    if (!lasts) return;
    const folder = dirname(path);
    await onDisk(folder, () => flush(folder)).catch((error) => {
      // Others have removed it meanwhile.
      if (!isMissing(error)) throw error;
    });
  }

  /** Stores a file under a key. A rename is atomic, a write is not. */
  async function store(key: string, write: (unfinished: string) => Promise<void>): Promise<void> {
    const unfinished = `${newWorkPath()}.unfinished`;
    try {
      await inFolder(unfinished, () => write(unfinished));
      await giveKey(key, unfinished);
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => {});
      throw error;
    }
  }

  return {
    name: storageFolder,
    presigned: undefined,
    put: (key, bytes) => store(key, (path) => writeFile(path, bytes)),
    putStream: (key, open, bytes) =>
      store(key, async (path) => {
        const wrongLength = () =>
          new StorageError('INCOMPLETE', path, `${path}: there were not ${bytes} bytes to store`);
        await pipeline(open(), exactLength(bytes, wrongLength), createWriteStream(path));
      }),
    putFile: giveKey,
    get: (key) => orUndefined(pathOf(key), () => readFile(pathOf(key))),
    has,
    async withFile(key, step) {
      return (await has(key)) ? step(pathOf(key)) : undefined;
    },
    async sizeOf(key) {
      return (await orUndefined(pathOf(key), () => stat(pathOf(key))))?.size;
    },
    async open(key, range) {
      const found = await orUndefined(pathOf(key), () => stat(pathOf(key)));
      return found && { stream: createReadStream(pathOf(key), range), bytes: found.size };
    },
    async *list() {
      for (const root of keyRoots) {
        const folder = pathOf(root);
        const entries = await orUndefined(folder, () => opendir(folder, { recursive: true }));
        for await (const entry of entries ?? []) {
          if (!entry.isFile()) continue;
          const path = join(entry.parentPath, entry.name);
          const found = await orUndefined(path, () => stat(path));
          if (found) yield { key: relative(storageFolder, path), bytes: found.size };
        }
      }
    },
    removeAttempts: (generationId, keptImage) =>
      removeMatching(keyFolders.generation(generationId), (key) => belongsToAttempt(key, keptImage)),
    removeEdited: (generationId) =>
      removeMatching(keyFolders.generation(generationId), (key) => key.includes(`/${keyPrefixes.edited}`)),
    removeGeneration: (generationId) => removeFolder(keyFolders.generation(generationId)),
    removePhotoSet: (photoSetId, kept) =>
      kept && kept.size > 0
        ? removeMatching(keyFolders.photoSet(photoSetId), (key) => !isOfPhoto(key, kept))
        : removeFolder(keyFolders.photoSet(photoSetId)),
    removeLook: (lookId) => removeFolder(keyFolders.look(lookId)),
    removeRelease: (releaseId) => removeFolder(keyFolders.release(releaseId)),
    async checkRoom(bytes) {
      const free = await freeBytes();
      if (free >= bytes) return;
      const megabytes = (count: number) => `${Math.floor(count / 2 ** 20)} MB`;
      throw new StorageError(
        'NO_ROOM',
        storageFolder,
        `${storageFolder} has ${megabytes(free)} left; ${megabytes(bytes)} are to stay free`,
      );
    },
    newWorkPath,
    async sweepWork(before) {
      await marker?.check();
      return sweepFolder(incomingFolder(storageFolder), before);
    },
  };
}

/** Waits until a file, or the names in a folder, are on the disk and no longer only in memory. */
async function flush(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } catch (error) {
    // What some network file systems answer: there is no more to do here.
    if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error;
  } finally {
    await handle.close();
  }
}

/** One block: a smaller file may fit where no other file would. */
const probeBytes = 4_096;
const probeEveryMs = 1_000;
