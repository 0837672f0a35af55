import type { Client } from '#server/decoder/decoder.ts';
import type { ServerContext } from '#server/http/context.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { sourceTypeOf } from '#shared/images/source-type.ts';
import { storageKeys } from '#shared/storage/storage.ts';
import { logIfStorageFails } from '#shared/storage/storage-error.ts';

/**
 * The thumbnail of a stored photo or image: made when it is first needed, and stored.
 * @param client for whom it is made
 * @param key of the photo or image
 * @param image the generation whose image it is; undefined for a photo
 * @returns a WebP, or undefined if there is no image under that key
 */
export async function thumbnailOf(
  { db, storage, decoder, log }: Pick<ServerContext, 'db' | 'storage' | 'decoder' | 'log'>,
  client: Client,
  key: string,
  image: GenerationRow | undefined,
): Promise<Buffer | undefined> {
  const stored = await storage.get(storageKeys.thumbnail(key));
  if (stored) return stored;
  const sourceType = image && (await sourceTypeOf(db, image));
  const made = await storage.withFile(key, (path) => decoder.thumbnail(client, path, sourceType));
  if (!made) return undefined;
  const small = Buffer.from(made);
  // If it cannot be stored, it is made again next time.
  await storage.put(storageKeys.thumbnail(key), small).catch(logIfStorageFails(log));
  return small;
}
