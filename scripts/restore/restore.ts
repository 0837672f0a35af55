import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { counted, type Manifest, manifestSchema, partsOf } from '#scripts/backup/manifest.ts';
import { copyStorage, type MarkedStorage } from '#scripts/storage-copy/copy.ts';
import { beginDeletion } from '#shared/data/accounts/deletion.ts';
import type { Db } from '#shared/data/db.ts';
import { beginLoad, DumpRefused, endLoad, loadCollection } from '#shared/data/dump.ts';
import { markerInFolder } from '#shared/storage/folder-marker.ts';
import { openFolderStorage } from '#shared/storage/folder-storage.ts';

/**
 * Restores a backup into an empty database and an empty storage. One that was interrupted can be repeated.
 * @param erased ids of sellers whose accounts were deleted after the backup: workers delete them again
 * @returns what the backup has
 * @throws DumpRefused, CopyRefused, StorageError
 */
export async function restore(
  db: Db,
  storage: MarkedStorage,
  folder: string,
  say: (line: string) => void,
  erased: readonly string[] = [],
): Promise<Manifest> {
  const manifest = await readManifest(folder);
  await checkFiles(manifest, folder);
  await beginLoad(db);
  // Before the documents: no row names a file that is missing.
  if (manifest.storage) await restoreStorage(storage, partsOf(folder).storage, say);
  for (const { name, documents } of manifest.collections) {
    const parts = partsOf(folder);
    const loaded = await loadCollection(db, {
      name,
      metadata: await readFile(parts.metadata(name), 'utf8'),
      documents: documentsOf(createReadStream(parts.documents(name))),
    });
    if (loaded !== documents)
      throw new DumpRefused(`${name} has ${loaded} documents instead of ${documents}`);
  }
  for (const sellerId of erased) await beginDeletion(db, sellerId);
  await endLoad(db);
  say(`${manifest.collections.reduce((sum, { documents }) => sum + documents, 0)} documents`);
  if (erased.length > 0) say(`${erased.length} deleted accounts are deleted again when a worker runs`);
  return manifest;
}

async function readManifest(folder: string): Promise<Manifest> {
  const path = partsOf(folder).manifest;
  const text = await readFile(path, 'utf8').catch(() => {
    throw new DumpRefused(`there is no ${path}: it is not a backup, or one that was interrupted`);
  });
  const { data, success } = manifestSchema.safeParse(JSON.parse(text));
  if (!success) throw new DumpRefused(`${path} is of another version of Packshot`);
  return data;
}

/** @throws DumpRefused when a file of the database is not as it was written */
async function checkFiles({ collections }: Manifest, folder: string): Promise<void> {
  for (const { name, sha256 } of collections) {
    const path = partsOf(folder).documents(name);
    let found = '';
    const bytes = counted(createReadStream(path), (counts) => {
      found = counts.sha256;
    });
    try {
      for await (const _ of bytes);
    } catch (error) {
      throw new DumpRefused((error as Error).message);
    }
    if (found !== sha256) throw new DumpRefused(`${path} was changed since the backup`);
  }
}

async function restoreStorage(to: MarkedStorage, folder: string, say: (line: string) => void): Promise<void> {
  const from = { storage: openFolderStorage(folder), marker: markerInFolder(folder) };
  const { problems, extra } = await copyStorage(from, to, say);
  if (problems.length > 0) throw new DumpRefused(problems.join('; '));
  if (extra.length > 0) say(`the storage has ${extra.length} files that the backup does not have`);
}

/** BSON documents: each begins with its length in bytes. */
async function* documentsOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  let waiting = Buffer.alloc(0);
  for await (const chunk of stream) {
    waiting = Buffer.concat([waiting, chunk]);
    while (waiting.length >= 4 && waiting.length >= waiting.readInt32LE(0)) {
      const length = waiting.readInt32LE(0);
      yield waiting.subarray(0, length);
      waiting = waiting.subarray(length);
    }
  }
  if (waiting.length > 0) throw new DumpRefused('a file of the backup ends in the middle of a document');
}
