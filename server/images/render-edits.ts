import type { ServerContext } from '#server/http/context.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { sourceTypeOf } from '#shared/images/source-type.ts';
import { storageKeys } from '#shared/storage/storage.ts';

/**
 * The storage key of an image as the seller sees it: the edited one, which is rendered if necessary, or as it was made.
 * @returns undefined without an image @throws as `renderEdits`
 */
export async function shownImageKey(
  context: Pick<ServerContext, 'db' | 'storage' | 'decoder'>,
  row: GenerationRow,
  disconnected?: AbortSignal,
): Promise<string | undefined> {
  await renderEdits(context, row, disconnected);
  return row.edits ? storageKeys.edited(row._id, row.edits.version) : row.image?.key;
}

/**
 * Renders the edited image of a generation when it is first requested, and stores it.
 * @param disconnected aborted when nobody waits for it any longer
 * @throws StorageError when it cannot be read or stored; AppError UNAVAILABLE when too many images wait
 */
export async function renderEdits(
  { db, storage, decoder }: Pick<ServerContext, 'db' | 'storage' | 'decoder'>,
  row: GenerationRow,
  disconnected?: AbortSignal,
): Promise<void> {
  const { _id, profile, image, edits } = row;
  if (!image || !edits) return;
  const key = storageKeys.edited(_id, edits.version);
  if (await storage.has(key)) return;
  const sourceType = await sourceTypeOf(db, row);
  const edited = await storage.withFile(image.key, (path) =>
    decoder.edit({ sellerId: profile, disconnected }, { path, recipe: edits.recipe, sourceType }),
  );
  // Without the image there is nothing to render: the route then answers that the edited one does not exist.
  if (edited) await storage.put(key, edited);
}
