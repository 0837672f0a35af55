import type { ServerContext } from '#server/http/context.ts';
import { checkUnpaidCalls, countedNetwork } from '#shared/credits/unpaid-calls.ts';
import { isDuplicateKey } from '#shared/data/db.ts';
import { insertGeneration, type NewGeneration, removeReceiving } from '#shared/data/generations/receive.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { findActiveProfile } from '#shared/data/profiles/find.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { findSettings, type UserSettingsRow } from '#shared/data/user-settings.ts';
import { AppError } from '#shared/platform/errors.ts';
import { annotateSpan, traceToStore } from '#shared/platform/trace.ts';
import { findFirstUnderKey } from './idempotency.ts';

/** The rows of one request, by their index: at least one. */
export type Rows = [first: GenerationRow, ...others: GenerationRow[]];

/** A request for one or more generations, before anything is stored. */
export interface NewRequest {
  /** The seller's id. */
  profile: string;
  idempotencyKey: string;
  fingerprint: string;
  /** The seller's profile as it was read when the request was admitted. It is read now if there is none. */
  seen?: ProfileRow;
  /** The network of the request; undefined if it is not the seller's. */
  network?: string | undefined;
  /** Refuses what the seller may not have. @throws AppError */
  check(profile: ProfileRow): void | Promise<void>;
  /** The rows to insert; the first one has the request's key. */
  rows(settings: UserSettingsRow): NewGeneration[];
}

/** New rows in `receiving`; or the first row of an earlier request under the same key, no longer in `receiving`. */
export type Received =
  | { outcome: 'new'; rows: Rows; profile: ProfileRow }
  | { outcome: 'repeated'; first: GenerationRow };

/**
 * Inserts the rows of a request. They come before photos and holds, so that the reconciler finds by them whatever a crash
 * leaves (docs/decisions/0005-insert-the-row-before-storing-photos.md).
 * @throws AppError of `check` and of `findFirstUnderKey`, or UNPAID_CALLS; then no row is left
 */
export async function receive(
  context: Pick<ServerContext, 'db' | 'config'>,
  request: NewRequest,
): Promise<Received> {
  const { db } = context;
  const { profile: sellerId, idempotencyKey: key, fingerprint } = request;
  let { seen } = request;
  // The key is not looked up before: nearly every request is the first one under its key, and inserting its row tells.
  const findFirst = () => findFirstUnderKey(db, sellerId, key, fingerprint);
  for (;;) {
    const [profile, settings] = await Promise.all([
      seen ?? findActiveProfile(db, sellerId),
      findSettings(db, sellerId),
    ]);
    if (!profile || !settings) throw new AppError('UNAUTHENTICATED');
    const network = countedNetwork(profile, request.network);
    try {
      await request.check(profile);
      // Checked already when it was admitted.
      if (!seen) await checkUnpaidCalls(context, profile, network);
    } catch (refusal) {
      // The images that are missing may be on hold for the first request under this key.
      const first = await findFirst();
      if (first) return { outcome: 'repeated', first };
      if (!seen) throw refusal;
      // The plan or the balance may have changed since the request was admitted.
      seen = undefined;
      continue;
    }
    const rows = request.rows(settings);
    try {
      const inserted: GenerationRow[] = [];
      // One after the other: only who has inserted the first one may insert the others.
      const origin = { trace: traceToStore(), ...(network !== undefined && { network }) };
      for (const row of rows) inserted.push(await insertGeneration(db, { ...row, ...origin }));
      annotateSpan({ generation: inserted[0]!._id, seller: sellerId });
      return { outcome: 'new', rows: inserted as Rows, profile };
    } catch (error) {
      if (isDuplicateKey(error)) {
        const first = await findFirst();
        if (first) return { outcome: 'repeated', first };
        // That request failed, and has removed its row.
        continue;
      }
      // Perhaps only MongoDB's answer was lost, and the row is there.
      for (const { _id } of rows) await removeReceiving(db, _id);
      throw error;
    }
  }
}
