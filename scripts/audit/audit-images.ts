/** Checks that the images of generations are stored as they were made. */
import { createHash } from 'node:crypto';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { Storage } from '#shared/storage/storage.ts';

/** What of an image is compared with its row: its length, which the storage knows, or every byte, which is read. */
export type ImageCheck = 'length' | 'contents';

/**
 * @returns what is wrong with a generation's image: a sentence without a full stop; undefined if nothing is, or it has none
 * @throws StorageError
 */
export async function problemOfImage(
  storage: Storage,
  { state, image, deletion }: GenerationRow,
  check: ImageCheck,
): Promise<string | undefined> {
  // The files of those that were deleted for ever are removed; in the trash they are all there.
  if (state !== 'succeeded' || (deletion && deletion.stage !== 'trashed')) return undefined;
  const bytes = image ? await storage.sizeOf(image.key) : undefined;
  if (!image || bytes === undefined) return 'succeeded, but its image is missing';
  if (bytes !== image.bytes) return `its image has ${bytes} bytes, not ${image.bytes}`;
  if (check === 'length') return undefined;
  const file = await storage.get(image.key);
  const isSame = file && createHash('sha256').update(file).digest('hex') === image.sha256;
  return isSame ? undefined : 'its image is another file than the one that was stored';
}
