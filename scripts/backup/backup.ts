import { createWriteStream } from 'node:fs';
import { link, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { copyStorage, type MarkedStorage } from '#scripts/storage-copy/copy.ts';
import type { Db } from '#shared/data/db.ts';
import { DumpRefused, dumpDatabase } from '#shared/data/dump.ts';
import { version } from '#shared/platform/version.ts';
import { markerInFolder } from '#shared/storage/folder-marker.ts';
import { openFolderStorage } from '#shared/storage/folder-storage.ts';
import { counted, type Manifest, partsOf } from './manifest.ts';

/**
 * Backs up a database, and then the storage, into a new or empty folder. In this order no row names a file that the backup
 * does not have, unless it was deleted meanwhile.
 * @param storage null to leave it out
 * @param previous the folder of a backup with whose files this one shares those that are the same, as links
 * @returns what the backup has
 * @throws DumpRefused, CopyRefused, StorageError
 */
export async function backUp(
  db: Db,
  storage: MarkedStorage | null,
  folder: string,
  say: (line: string) => void,
  previous?: string,
): Promise<Manifest> {
  const parts = partsOf(folder);
  // What is refused leaves no folder.
  const before = await readdir(folder).catch(() => []);
  if (before.length > 0) throw new DumpRefused(`${folder} is not empty`);
  await storage?.storage.checkRoom(0);
  const at = new Date().toISOString();
  const collections: Manifest['collections'] = [];
  for await (const { name, metadata, documents } of dumpDatabase(db)) {
    await mkdir(parts.database, { recursive: true, mode: 0o700 });
    await writeFile(parts.metadata(name), metadata, { mode: 0o600 });
    const records = counted(documents, ({ items, ...rest }) =>
      collections.push({ name, documents: items, ...rest }),
    );
    await pipeline(records, createWriteStream(parts.documents(name), { mode: 0o600, flush: true }));
  }
  say(
    `${collections.reduce((sum, { documents }) => sum + documents, 0)} documents of ${collections.length} collections`,
  );
  const manifest: Manifest = {
    format: 1,
    version,
    at,
    collections,
    storage: storage && (await backUpStorage(storage, parts.storage, say, previous)),
  };
  await writeFile(parts.manifest, `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600 });
  return manifest;
}

async function backUpStorage(
  from: MarkedStorage,
  folder: string,
  say: (line: string) => void,
  previous: string | undefined,
): Promise<Manifest['storage']> {
  if (previous !== undefined) await linkSame(from, partsOf(previous).storage, folder);
  const to = { storage: openFolderStorage(folder), marker: markerInFolder(folder) };
  const { copied, same, bytes, gone, problems } = await copyStorage(from, to, say, { inUse: true });
  if (gone.length > 0) say(`${gone.length} files were deleted meanwhile`);
  if (problems.length > 0) throw new DumpRefused(problems.join('; '));
  return { files: copied + same, bytes };
}

/** Links the files that a storage still has, by their length; the copy then compares them, and replaces what differs. */
async function linkSame({ storage }: MarkedStorage, previous: string, folder: string): Promise<void> {
  for await (const { key, bytes } of storage.list()) {
    const known = await stat(join(previous, key)).catch(() => undefined);
    if (known?.size !== bytes) continue;
    await mkdir(dirname(join(folder, key)), { recursive: true });
    // A file system without links: then it is copied.
    await link(join(previous, key), join(folder, key)).catch(() => {});
  }
}
