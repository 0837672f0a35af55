import type { ChangeWaiting } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { findGeneration } from '#shared/data/generations/find.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { changePriority, changeRequest, listWaiting } from '#shared/data/generations/waiting.ts';
import { findActiveProfile } from '#shared/data/profiles/find.ts';
import { announce } from '#shared/generations/announce.ts';
import { checkOptions } from '#shared/generations/options.ts';
import { AppError } from '#shared/platform/errors.ts';
import { changeJobPriority } from '#shared/platform/queue.ts';

/*
 * What a seller can change of generations that wait (docs/decisions/0061-sellers-steer-their-own-line.md).
 */

/**
 * Moves a generation that waits within its seller's line. The seller's places in the queue are dealt out anew among the
 * seller's own generations, so nobody else's place changes.
 * @param before the generation that it is to be made before; null for the front
 * @throws AppError NOT_FOUND, or ALREADY_BEGUN when one of the two no longer waits
 */
export async function moveInLine(
  context: ServerContext,
  sellerId: string,
  id: string,
  before: string | null,
): Promise<GenerationRow> {
  const { db, queue, log } = context;
  if (!(await findGeneration(db, sellerId, id))) throw new AppError('NOT_FOUND');
  const line = await listWaiting(db, sellerId);
  const moved = line.find(({ _id }) => _id === id);
  const others = line.filter(({ _id }) => _id !== id);
  const place = before === null ? 0 : others.findIndex(({ _id }) => _id === before);
  if (!moved || place < 0) throw new AppError('ALREADY_BEGUN');
  const priorities = placesOf(line);
  const order = others.toSpliced(place, 0, moved);
  let result = moved;
  for (const [index, row] of order.entries()) {
    const priority = priorities[index]!;
    if (priority === row.priority) continue;
    const changed = await changePriority(db, row, priority);
    // Claimed or moved meanwhile: it keeps the place it has.
    if (!changed) continue;
    if (changed._id === id) result = changed;
    // The row decides; upkeep repeats this for a job whose priority differs.
    await changeJobPriority(queue, changed).catch((error) =>
      log.error({ err: error, generation: changed._id }, 'priority of a job not changed; upkeep will'),
    );
    await announce(context, sellerId, { generation: changed });
  }
  return result;
}

/** The places of a line, each behind the one before: of two equal ones, the second moves back by one. */
function placesOf(line: readonly GenerationRow[]): number[] {
  const places: number[] = [];
  for (const { priority } of line) places.push(Math.max(priority, (places.at(-1) ?? 0) + 1));
  return places;
}

/**
 * Changes scene and options of a generation that waits. The number of images and the idempotency key stay.
 * @throws AppError NOT_FOUND, ALREADY_BEGUN, or as `checkOptions`
 */
export async function changeWaiting(
  context: ServerContext,
  sellerId: string,
  id: string,
  change: ChangeWaiting,
): Promise<GenerationRow> {
  const { db, config } = context;
  for (;;) {
    const [row, profile] = await Promise.all([
      findGeneration(db, sellerId, id),
      findActiveProfile(db, sellerId),
    ]);
    if (!profile) throw new AppError('UNAUTHENTICATED');
    if (!row) throw new AppError('NOT_FOUND');
    // A changed image, and one that is made again, belong to another image; one of a batch belongs to its row.
    const isOwn = !row.batch && !row.change && !row.remake_of;
    if (row.state !== 'queued' || row.fence > 0 || !isOwn) throw new AppError('ALREADY_BEGUN');
    const { prompt = row.prompt, ...given } = change;
    const options: GenerationRow['options'] = {
      ...row.options,
      ...(given as Partial<GenerationRow['options']>),
    };
    checkOptions({ ...options, useSeed: given.seed !== undefined }, profile, config.image);
    const changed = await changeRequest(db, row, { prompt, options });
    // Null: it was claimed, or renamed, since it was read.
    if (!changed) continue;
    await announce(context, sellerId, { generation: changed });
    return changed;
  }
}
