import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rmdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onDisk, StorageError } from './storage-error.ts';
import { sweepFolder } from './work-files.ts';

/** A folder for the unfinished files of this process, where the storage itself is no folder of this machine. */
export interface WorkFolder {
  /** Makes the folder if it is missing. @throws StorageError */
  make(): Promise<void>;
  newPath(): string;
  /** Removes files of this and of dead processes that were last written before a time. @returns how many */
  sweep(before: Date): Promise<number>;
}

const namePrefix = 'packshot-work-';

/** Names a work folder in the machine's temporary folder, or in another one. It is not made yet. */
export function openWorkFolder(parent = tmpdir()): WorkFolder {
  const own = join(parent, `${namePrefix}${randomUUID()}`);
  return {
    async make() {
      // Other users of the machine cannot read the photos of sellers.
      await onDisk(own, () => mkdir(own, { recursive: true, mode: 0o700 }));
    },
    newPath: () => join(own, randomUUID()),
    async sweep(before) {
      const names = await onDisk(parent, () => readdir(parent));
      let swept = 0;
      for (const name of names.filter((each) => each.startsWith(namePrefix))) {
        const folder = join(parent, name);
        swept += await sweepFolder(folder, before).catch((error) => {
          // That of another user.
          if (folder !== own && error instanceof StorageError) return 0;
          throw error;
        });
        // A process that still runs makes its folder again.
        const unused = await stat(folder).then(
          ({ mtime }) => mtime < before,
          () => false,
        );
        if (unused) await rmdir(folder).catch(() => {});
      }
      return swept;
    },
  };
}
