import type { ChangeGeneration } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { changeGeneration, deleteGeneration } from '#shared/data/generations/library.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { restoreGeneration } from '#shared/data/generations/trash.ts';
import { AppError } from '#shared/platform/errors.ts';
import { announce } from '#shared/views/announce.ts';

/* What sellers do with a generation in their library. Each returns the row after it, and tells the seller's windows. */

/** Renames it, or marks it as a favourite. @throws AppError NOT_FOUND */
export async function changeInLibrary(
  context: ServerContext,
  sellerId: string,
  id: string,
  change: ChangeGeneration,
): Promise<GenerationRow> {
  const row = await changeGeneration(context.db, sellerId, id, change);
  if (!row) throw new AppError('NOT_FOUND');
  await announce(context, sellerId, { generation: row });
  return row;
}

/** The errors of a deletion that changed nothing. */
const notDeleted = { absent: 'NOT_FOUND', unended: 'NOT_DELETABLE' } as const;

/** Moves it to the trash. @throws AppError NOT_FOUND, NOT_DELETABLE before it has ended */
export async function moveToTrash(
  context: ServerContext,
  sellerId: string,
  id: string,
): Promise<GenerationRow> {
  const deletion = await deleteGeneration(context.db, sellerId, id);
  if (deletion.outcome !== 'deleted') throw new AppError(notDeleted[deletion.outcome]);
  await announce(context, sellerId, { generation: deletion.row });
  return deletion.row;
}

/** The errors of restoring that changed nothing. */
const notRestored = { absent: 'NOT_FOUND', late: 'RESTORE_TOO_LATE' } as const;

/** Restores it from the trash; one that is not deleted stays as it is. @throws AppError NOT_FOUND, RESTORE_TOO_LATE */
export async function restoreFromTrash(
  context: ServerContext,
  sellerId: string,
  id: string,
): Promise<GenerationRow> {
  const { db, config } = context;
  const keptSince = new Date(Date.now() - config.retention.trash);
  const restoration = await restoreGeneration(db, sellerId, id, keptSince);
  if (restoration.outcome !== 'restored') throw new AppError(notRestored[restoration.outcome]);
  await announce(context, sellerId, { generation: restoration.row });
  return restoration.row;
}
