import { createWriteStream } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
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
 * @returns what the backup has
 * @throws DumpRefused, CopyRefused, StorageError
 */
export async function backUp(
  db: Db,
  storage: MarkedStorage | null,
  folder: string,
  say: (line: string) => void,
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
    storage: storage && (await backUpStorage(storage, parts.storage, say)),
  };
  await writeFile(parts.manifest, `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600 });
  return manifest;
}

async function backUpStorage(
  from: MarkedStorage,
  folder: string,
  say: (line: string) => void,
): Promise<Manifest['storage']> {
  const to = { storage: openFolderStorage(folder), marker: markerInFolder(folder) };
  const { copied, bytes, gone, problems } = await copyStorage(from, to, say, { inUse: true });
  if (gone.length > 0) say(`${gone.length} files were deleted meanwhile`);
  if (problems.length > 0) throw new DumpRefused(problems.join('; '));
  return { files: copied, bytes };
}
