import type { z } from 'zod';
import { type CreditEntryList, type CreditEntryView, cutText, type pageQuerySchema } from '#contract';
import { decodeCursor, encodeCursor } from '#server/http/cursor.ts';
import { freeImagesKey } from '#shared/credits/ledger.ts';
import { type CreditEntryRow, listCreditEntries } from '#shared/data/billing/credit-entries.ts';
import type { Db } from '#shared/data/db.ts';
import { findGenerationsById } from '#shared/data/generations/find.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';

/** A page of a seller's ledger, newest first. @throws AppError VALIDATION for a cursor that is not valid */
export async function ledgerPage(
  db: Db,
  sellerId: string,
  { limit, cursor }: z.output<typeof pageQuerySchema>,
): Promise<CreditEntryList> {
  const before = cursor === undefined ? undefined : decodeCursor(cursor);
  const rows = await listCreditEntries(db, sellerId, limit + 1, before);
  const page = rows.slice(0, limit);
  const ids = page.flatMap(({ period, key }) => (period ? [] : [key]));
  const generations = await findGenerationsById(db, ids);
  const last = page.at(-1);
  return {
    entries: page.map((row) =>
      presentCreditEntry(row, generations.find(({ _id }) => _id === row.key) ?? null),
    ),
    nextCursor: rows.length > limit && last ? encodeCursor({ created_at: last.at, _id: last._id }) : null,
  };
}

/**
 * A line of the ledger.
 * @param generation the one that it is about, null when it is about a paid period or free images, or the
 *   generation is gone
 */
function presentCreditEntry(row: CreditEntryRow, generation: GenerationRow | null): CreditEntryView {
  const { period } = row;
  return {
    id: row._id,
    kind: row.kind,
    count: row.count,
    free: row.key === freeImagesKey(row.profile),
    at: row.at.toISOString(),
    generation: generation && {
      id: generation._id,
      name: generation.deletion ? 'Deleted image' : generation.product_name || cutText(generation.prompt, 80),
      state: generation.state,
    },
    period: period && {
      plan: period.plan,
      start: period.start.toISOString(),
      end: period.end.toISOString(),
    },
  };
}
