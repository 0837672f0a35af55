import { Schema } from 'mongoose';
import { collection } from '../collection.ts';
import { type Db, isDuplicateKey } from '../db.ts';
import { keep } from '../kept.ts';
import { date, nullableDate, number, optional, type Row, rowOptions, text } from '../row.ts';

/**
 * Why the image provider makes no images: it is `busy`, it cannot be reached or fails (`connection`), or the operator has
 * to solve a problem with the `account`.
 */
export const pauseKinds = ['busy', 'connection', 'account'] as const;
export type PauseKind = (typeof pauseKinds)[number];

const providerPause = {
  _id: text,
  kind: { type: String, enum: pauseKinds, required: true },
  /** Time of the first refused call; null once a call was accepted. */
  since: nullableDate,
  /** No call begins before this time. */
  until: date,
  /** The pause doubles with each step: one more for each refused call, one less for each accepted one. */
  step: number,
  /** How many calls must still be accepted before all workers call at full speed again. */
  careful: number,
  /** Since when the breaker is open or half-open; absent while it is closed. */
  opened_at: { type: Date, ...optional },
  /** Pauses since a call was last accepted, and calls that were refused in them. */
  pauses: { type: Number, ...optional },
  refused_calls: { type: Number, ...optional },
  /** The last refusal, for the operator. */
  cause: { type: String, ...optional },
};

/**
 * The pause that all workers make while the provider refuses calls. There is one document, created by the first refused
 * call; it stays, and means "no pause" while `careful` is 0.
 */
export interface ProviderPauseRow extends Row<typeof providerPause> {}

const providerPauseSchema = new Schema<ProviderPauseRow>(providerPause, rowOptions);

export const providerPauses = collection<ProviderPauseRow>('provider_pauses', providerPauseSchema, 'apart');

const id = 'images';

/** @returns the pause, in force or over; null when no call was ever refused */
export async function findProviderPause(db: Db): Promise<ProviderPauseRow | null> {
  return providerPauses(db).findById(id).lean();
}

/** Whether a pause is over, and all workers call at full speed. */
const isQuiet = ({ until, careful, opened_at: openedAt }: ProviderPauseRow) =>
  careful <= 0 && openedAt === undefined && until <= new Date();

const keptPause = keep(findProviderPause, (pause) => pause === null || isQuiet(pause));

/**
 * The same before a call; that there is none may have been read a second ago. A call that was not held by the pause of
 * another worker is what a call that had just begun is.
 */
export const knownProviderPause = (db: Db): Promise<ProviderPauseRow | null> => keptPause(db, id);

/** The pause that follows from a refused call. */
export interface Refused {
  kind: PauseKind;
  until: Date;
  step: number;
  careful: number;
  cause: string;
  /** Since when the breaker is open; null if it stays as it is. */
  openedAt: Date | null;
}

/**
 * Begins a pause after a refused call. Concurrent calls that are refused together begin one pause.
 * @param seen what `findProviderPause` returned before the call
 * @returns the pause now in force, and whether this call began it
 */
export async function beginProviderPause(
  db: Db,
  seen: ProviderPauseRow | null,
  { openedAt, ...refused }: Refused,
): Promise<{ pause: ProviderPauseRow; begun: boolean }> {
  const further = seen?.since ? seen : null;
  const change = {
    ...refused,
    since: further?.since ?? new Date(),
    pauses: (further?.pauses ?? 0) + 1,
    refused_calls: (further?.refused_calls ?? 0) + 1,
    ...(openedAt && { opened_at: openedAt }),
  };
  const pause = seen
    ? await providerPauses(db)
        .findOneAndUpdate({ _id: id, until: seen.until }, { $set: change }, { returnDocument: 'after' })
        .lean()
    : await providerPauses(db)
        .create({ _id: id, ...change })
        .then(
          (created) => created.toObject(),
          (error) => {
            if (isDuplicateKey(error)) return null;
            throw error;
          },
        );
  keptPause.forget(db, id);
  if (pause) return { pause, begun: true };
  // A concurrent call has begun the pause: it is prolonged if this one would end later.
  const longer = await providerPauses(db)
    .findOneAndUpdate(
      { _id: id },
      { $max: { until: refused.until }, $inc: { refused_calls: 1 } },
      { returnDocument: 'after' },
    )
    .lean();
  return { pause: longer ?? { _id: id, ...change }, begun: false };
}

/** Ends the pause: the next calls are probes, one by one. @returns false when there is none, or it is over */
export async function endProviderPause(db: Db): Promise<boolean> {
  const now = new Date();
  const { matchedCount } = await providerPauses(db).updateOne(
    { _id: id, until: { $gt: now } },
    { $set: { until: now } },
  );
  return matchedCount === 1;
}

/**
 * Closes the breaker.
 * @param seen what was returned last: nothing changes if a call was refused since
 * @returns false when it was closed already, or a call was refused
 */
export async function closeProviderBreaker(db: Db, seen: Pick<ProviderPauseRow, 'until'>): Promise<boolean> {
  const { matchedCount } = await providerPauses(db).updateOne(
    { _id: id, until: seen.until, opened_at: { $exists: true } },
    { $unset: { opened_at: 1 } },
  );
  return matchedCount === 1;
}

/**
 * Lets all workers call at full speed again.
 * @param seen what `findProviderPause` returned: nothing changes if a call was refused since
 */
export async function endCaution(db: Db, seen: ProviderPauseRow): Promise<void> {
  await providerPauses(db).updateOne(
    { _id: id, until: seen.until },
    { $set: { careful: 0, step: 0 }, $unset: { opened_at: 1 } },
  );
}

/**
 * Records that the provider accepted a call that began after a pause.
 * @param seen what `findProviderPause` returned before the call
 * @returns the pause after the write; null when a call was refused since
 */
export async function recordAcceptedCall(db: Db, seen: ProviderPauseRow): Promise<ProviderPauseRow | null> {
  return providerPauses(db)
    .findOneAndUpdate(
      { _id: id, until: seen.until, careful: { $gt: 0 } },
      { $set: { since: null, pauses: 0 }, $inc: { careful: -1, step: -1 } },
      { returnDocument: 'after' },
    )
    .lean();
}
