import type { Db } from '#shared/data/db.ts';
import { setRemadeBy } from '#shared/data/generations/remakes.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { EventRelay } from '#shared/platform/relay.ts';
import { announce } from './announce.ts';

/**
 * Records in the original of a re-make which generation makes it again, and announces it. Idempotent. Done once the
 * re-make is accepted, and again when it is settled, in case the process died in between.
 * @param row any generation; nothing happens unless it is a re-make
 */
export async function recordRemake(
  context: { db: Db; relay: EventRelay },
  { _id: id, profile: sellerId, remake_of: originalId }: GenerationRow,
): Promise<void> {
  if (originalId === undefined) return;
  const original = await setRemadeBy(context.db, originalId, id);
  if (original) await announce(context, sellerId, { generation: original });
}
