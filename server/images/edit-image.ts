import { type EditRecipe, isIdentity } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { saveEdits } from '#shared/data/generations/library.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { AppError } from '#shared/platform/errors.ts';
import { logIfStorageFails } from '#shared/storage/storage-error.ts';
import { announce } from '#shared/views/announce.ts';

/** The errors of a save that changed nothing. */
const refusals = { absent: 'NOT_FOUND', unfinished: 'NOT_EDITABLE', conflict: 'EDIT_CONFLICT' } as const;

/**
 * Edits a finished image of a seller; no image is used. The recipe that changes nothing removes the edits.
 * @returns its row after that @throws AppError NOT_FOUND, NOT_EDITABLE, EDIT_CONFLICT
 */
export async function editImage(
  context: ServerContext,
  sellerId: string,
  id: string,
  { recipe, basedOn }: { recipe: EditRecipe; basedOn?: number | null | undefined },
): Promise<GenerationRow> {
  const { db, storage, log } = context;
  const saved = await saveEdits(db, sellerId, id, { recipe: isIdentity(recipe) ? null : recipe, basedOn });
  if (!('row' in saved)) throw new AppError(refusals[saved.outcome]);
  const { row } = saved;
  if (saved.outcome === 'same') return row;
  // Files of earlier versions. If they cannot be removed now, the next save or the deletion removes them.
  await storage.removeEdited(row._id).catch(logIfStorageFails(log));
  await announce(context, sellerId, { generation: row });
  return row;
}
