import type { ServerContext } from '#server/http/context.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { storageKeys } from '#shared/platform/storage.ts';

/**
 * Renders the edited image of a generation when it is first requested, and stores it.
 * @throws StorageError when it cannot be read or stored; AppError UNAVAILABLE when too many images wait
 */
export async function renderEdits(
  { storage, decoder }: Pick<ServerContext, 'storage' | 'decoder'>,
  { _id, image, edits }: GenerationRow,
): Promise<void> {
  if (!image || !edits) return;
  const key = storageKeys.edited(_id, edits.version);
  // Without the image there is nothing to render: the route then answers that the edited one does not exist.
  if ((await storage.has(key)) || !(await storage.has(image.key))) return;
  await storage.put(key, await decoder.edit(storage.pathOf(image.key), edits.recipe));
}
