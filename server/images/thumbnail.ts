import type { Client } from '#server/decoder/decoder.ts';
import type { ServerContext } from '#server/http/context.ts';
import { storageKeys } from '#shared/storage/storage.ts';
import { logStorageError, StorageError } from '#shared/storage/storage-error.ts';

/**
 * The thumbnail of a stored image: made when it is first needed, and stored.
 * @param client for whom it is made
 * @param key of the image
 * @returns a WebP, or undefined if there is no image under that key
 */
export async function thumbnailOf(
  { storage, decoder, log }: Pick<ServerContext, 'storage' | 'decoder' | 'log'>,
  client: Client,
  key: string,
): Promise<Buffer | undefined> {
  const stored = await storage.get(storageKeys.thumbnail(key));
  if (stored) return stored;
  const made = await storage.withFile(key, (path) => decoder.thumbnail(client, path));
  if (!made) return undefined;
  const small = Buffer.from(made);
  // If it cannot be stored, it is made again next time.
  await storage.put(storageKeys.thumbnail(key), small).catch((error) => {
    if (!(error instanceof StorageError)) throw error;
    logStorageError(log, error);
  });
  return small;
}
