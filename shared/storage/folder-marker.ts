import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onDisk } from './storage-error.ts';
import { type MarkerPlace, markerKey } from './storage-marker.ts';
import { isMissing } from './work-files.ts';

/** The marker of a storage folder: a file in it. */
export function markerInFolder(folder: string): MarkerPlace {
  const path = join(folder, markerKey);
  return {
    storage: folder,
    marker: path,
    question: 'is the volume mounted?',
    async read() {
      try {
        return (await onDisk(path, () => readFile(path, 'utf8'))).trim() || undefined;
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    create: (marker) =>
      onDisk(path, async () => {
        await mkdir(folder, { recursive: true });
        try {
          await writeFile(path, `${marker}\n`, { flag: 'wx' });
          return true;
        } catch (error) {
          if (alreadyExists(error)) return false;
          await rm(path, { force: true });
          throw error;
        }
      }),
    has: (key) =>
      access(join(folder, key)).then(
        () => true,
        () => false,
      ),
  };
}

const alreadyExists = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'EEXIST';
