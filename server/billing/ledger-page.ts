import type { z } from 'zod';
import type { CreditEntryList, pageQuerySchema } from '#contract';
import { decodeCursor, encodeCursor } from '#server/http/cursor.ts';
import { listCreditEntries } from '#shared/data/credit-entries.ts';
import type { Db } from '#shared/data/db.ts';
import { findGenerationsById } from '#shared/data/generations/find.ts';
import { presentCreditEntry } from '#shared/generations/present.ts';

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
