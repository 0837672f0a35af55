import { Schema } from 'mongoose';
import { type Db, isDuplicateKey } from './db.ts';
import { modelsOf } from './models.ts';
import { date, nullableDate, number, type Row, rowOptions, text } from './row.ts';

/** Why the image provider refuses calls: it is `busy`, or the operator has to solve a problem with the `account`. */
export const pauseKinds = ['busy', 'account'] as const;
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
};

/**
 * The pause that all workers make while the provider refuses calls. There is one document, created by the first refused
 * call; it stays, and means "no pause" while `careful` is 0.
 */
export interface ProviderPauseRow extends Row<typeof providerPause> {}

export const providerPauseSchema = new Schema<ProviderPauseRow>(providerPause, rowOptions);

const id = 'images';

/** @returns the pause, in force or over; null when no call was ever refused */
export async function findProviderPause(db: Db): Promise<ProviderPauseRow | null> {
  return modelsOf(db).providerPauses.findById(id).lean();
}

/** The pause that follows from a refused call. */
export interface Refused {
  kind: PauseKind;
  until: Date;
  step: number;
  careful: number;
}

/**
 * Begins a pause after a refused call. Concurrent calls that are refused together begin one pause.
 * @param seen what `findProviderPause` returned before the call
 * @returns the pause now in force, and whether this call began it
 */
export async function beginProviderPause(
  db: Db,
  seen: ProviderPauseRow | null,
  refused: Refused,
): Promise<{ pause: ProviderPauseRow; begun: boolean }> {
  const change = { ...refused, since: seen?.since ?? new Date() };
  const pause = seen
    ? await modelsOf(db)
        .providerPauses.findOneAndUpdate(
          { _id: id, until: seen.until },
          { $set: change },
          { returnDocument: 'after' },
        )
        .lean()
    : await modelsOf(db)
        .providerPauses.create({ _id: id, ...change })
        .then(
          (created) => created.toObject(),
          (error) => {
            if (isDuplicateKey(error)) return null;
            throw error;
          },
        );
  if (pause) return { pause, begun: true };
  // A concurrent call has begun the pause: it is prolonged if this one would end later.
  const longer = await modelsOf(db)
    .providerPauses.findOneAndUpdate(
      { _id: id },
      { $max: { until: refused.until } },
      { returnDocument: 'after' },
    )
    .lean();
  return { pause: longer ?? { _id: id, ...change }, begun: false };
}

/**
 * Lets all workers call at full speed again.
 * @param seen what `findProviderPause` returned: nothing changes if a call was refused since
 */
export async function endCaution(db: Db, seen: ProviderPauseRow): Promise<void> {
  await modelsOf(db).providerPauses.updateOne(
    { _id: id, until: seen.until },
    { $set: { careful: 0, step: 0 } },
  );
}

/**
 * Records that the provider accepted a call that began after a pause.
 * @param seen what `findProviderPause` returned before the call
 * @returns the pause after the write; null when a call was refused since
 */
export async function recordAcceptedCall(db: Db, seen: ProviderPauseRow): Promise<ProviderPauseRow | null> {
  return modelsOf(db)
    .providerPauses.findOneAndUpdate(
      { _id: id, until: seen.until, careful: { $gt: 0 } },
      { $set: { since: null }, $inc: { careful: -1, step: -1 } },
      { returnDocument: 'after' },
    )
    .lean();
}
