import { z } from 'zod';
import {
  type ChangeWaiting,
  changeWaitingSchema,
  generationViewSchema,
  moveInLineSchema,
  paths,
} from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { findGeneration } from '#shared/data/generations/find.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { changePriority, changeRequest, listWaiting } from '#shared/data/generations/waiting.ts';
import { findActiveProfile } from '#shared/data/profiles/find.ts';
import { checkOptions } from '#shared/generations/options.ts';
import { AppError } from '#shared/platform/errors.ts';
import { changeJobPriority } from '#shared/platform/queue.ts';
import { announce } from '#shared/views/announce.ts';
import { generationView } from '#shared/views/generation.ts';

/* What a seller can change of generations that wait (docs/decisions/0073-fair-order.md). */

/**
 * Moves a generation that waits within its seller's line. The seller's places in the queue are dealt out anew among the
 * seller's own generations, so nobody else's place changes.
 * @param before the generation that it is to be made before; null for the front
 * @throws AppError NOT_FOUND, or ALREADY_BEGUN when one of the two no longer waits
 */
async function moveInLine(
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
async function changeWaiting(
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

/** What a seller can change of generations that wait: their order, scene and options. */
export async function waitingRoutes(app: App, { context }: { context: ServerContext }) {
  const { db } = context;
  const params = z.object({ id: z.string() });

  app.post(
    paths.moveGeneration(':id'),
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'moveGeneration',
        tags: ['generations'],
        summary: "Move a generation that waits within the seller's own line",
        description: "Others' places stay. Images of batches wait behind all others and cannot be moved.",
        params,
        body: moveInLineSchema,
        response: { 200: generationViewSchema, ...errorReplies(400, 401, 404, 409) },
      },
    },
    async ({ caller, params: { id }, body: { before } }) =>
      generationView(db, await moveInLine(context, caller.sellerId, id, before)),
  );

  app.patch(
    paths.generationRequest(':id'),
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'changeGenerationRequest',
        tags: ['generations'],
        summary: 'Change scene and options of a generation that waits',
        description: 'Once it has begun, the answer is `ALREADY_BEGUN` and it is made as it was.',
        params,
        body: changeWaitingSchema,
        response: { 200: generationViewSchema, ...errorReplies(400, 401, 403, 404, 409) },
      },
    },
    async ({ caller, params: { id }, body }) =>
      generationView(db, await changeWaiting(context, caller.sellerId, id, body)),
  );
}
