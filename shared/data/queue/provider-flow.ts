import { Schema } from 'mongoose';
import { collection } from '../collection.ts';
import { type Db, isDuplicateKey } from '../db.ts';
import { keep } from '../kept.ts';
import { date, nullableDate, number, optional, partOptions, type Row, rowOptions, text } from '../row.ts';

const runningCall = {
  /** A new id for each slot. */
  _id: text,
  /** Until when the slot is taken, unless its worker renews it. */
  until: date,
};

const announcement = {
  /** Calls that the provider still accepts, by its last answer. */
  left: number,
  /** When it accepts all again. */
  until: date,
};

const providerFlow = {
  _id: text,
  /** Incremented by each change of the fields below it: a change is a compare-and-set. */
  revision: number,
  /** The limits of the worker that wrote last; 0 for none. */
  per_minute: number,
  in_flight: number,
  /** When calls began, in the last minute. */
  begun: { type: [date], required: true },
  /** Calls under way. */
  running: { type: [new Schema(runningCall, partOptions)], required: true },
  announced: { type: new Schema(announcement, partOptions), default: null },
  /** Calls in a row that ended with a server error or a lost connection, and the first of them. */
  failures: number,
  failing_since: nullableDate,
  /** What the worker that started last found wrong with the model, or the account. Absent if it found nothing. */
  model_problem: { type: String, ...optional },
};

/**
 * How many calls all workers make to the image provider. There is one document, which the first worker with a limit creates;
 * without limits it may be absent.
 */
export interface ProviderFlowRow extends Row<typeof providerFlow> {}

const providerFlowSchema = new Schema<ProviderFlowRow>(providerFlow, rowOptions);

export const providerFlows = collection<ProviderFlowRow>('provider_flows', providerFlowSchema, 'apart');

const id = 'images';

const empty = {
  revision: 0,
  per_minute: 0,
  in_flight: 0,
  begun: [],
  running: [],
  announced: null,
  failures: 0,
  failing_since: null,
};

/** @returns the calls of all workers; null before the first one that was limited or failed */
export async function findProviderFlow(db: Db): Promise<ProviderFlowRow | null> {
  return providerFlows(db).findById(id).lean();
}

const keptFlow = keep(findProviderFlow, (flow) => flow === null || (flow.failures === 0 && !flow.announced));

/** The same before a call without a limit; that none has failed and the provider has announced nothing may be from a second ago. */
export const knownProviderFlow = (db: Db): Promise<ProviderFlowRow | null> => keptFlow(db, id);

/** @returns the document, which is created if it is missing */
export async function findOrCreateProviderFlow(db: Db): Promise<ProviderFlowRow> {
  const found = await findProviderFlow(db);
  if (found) return found;
  try {
    return (await providerFlows(db).create({ _id: id, ...empty })).toObject();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return findOrCreateProviderFlow(db);
  }
}

/** What is replaced by one compare-and-set. */
export type ProviderFlowChange = Pick<
  ProviderFlowRow,
  'per_minute' | 'in_flight' | 'begun' | 'running' | 'announced'
>;

/**
 * Replaces what is known of the calls.
 * @param revision of the document that the change was computed from
 * @returns false when another process has changed it since: nothing was written
 */
export async function replaceProviderFlow(
  db: Db,
  revision: number,
  change: ProviderFlowChange,
): Promise<boolean> {
  const { matchedCount } = await providerFlows(db).updateOne(
    { _id: id, revision },
    { $set: change, $inc: { revision: 1 } },
  );
  keptFlow.forget(db, id);
  return matchedCount === 1;
}

/**
 * Counts a call that ended with a server error or a lost connection.
 * @param cutoff earlier failures are no longer of the same row
 * @returns how many there were in a row, this one included
 */
export async function countProviderFailure(db: Db, cutoff: Date): Promise<number> {
  try {
    return await addProviderFailure(db, cutoff);
  } finally {
    keptFlow.forget(db, id);
  }
}

async function addProviderFailure(db: Db, cutoff: Date): Promise<number> {
  await findOrCreateProviderFlow(db);
  const flows = providerFlows(db);
  const inRow = { failures: { $gt: 0 }, failing_since: { $gt: cutoff } };
  for (;;) {
    const further = await flows
      .findOneAndUpdate({ _id: id, ...inRow }, { $inc: { failures: 1 } }, { returnDocument: 'after' })
      .lean();
    if (further) return further.failures;
    const begun = await flows.updateOne(
      { _id: id, $nor: [inRow] },
      { $set: { failures: 1, failing_since: new Date() } },
    );
    // Otherwise another failure has begun the row meanwhile, and this one counts in it.
    if (begun.matchedCount === 1) return 1;
  }
}

/** Ends the row of failures: a call gave an image. */
export async function clearProviderFailures(db: Db): Promise<void> {
  await providerFlows(db).updateOne(
    { _id: id, failures: { $gt: 0 } },
    { $set: { failures: 0, failing_since: null } },
  );
}

/** Records what is wrong with the model; null for nothing. */
export async function recordModelProblem(db: Db, problem: string | null): Promise<void> {
  if (problem === null) {
    await providerFlows(db).updateOne({ _id: id }, { $unset: { model_problem: 1 } });
    return;
  }
  await findOrCreateProviderFlow(db);
  await providerFlows(db).updateOne({ _id: id }, { $set: { model_problem: problem } });
}
