import { Schema } from 'mongoose';
import type { Db } from './db.ts';
import { modelsOf } from './models.ts';
import { date, nullableDate, number, partOptions, type Row, rowOptions, text } from './row.ts';

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
};

/**
 * How many calls all workers make to the image provider. There is one document, which the first worker with a limit creates;
 * without limits it may be absent.
 */
export interface ProviderFlowRow extends Row<typeof providerFlow> {}

export const providerFlowSchema = new Schema<ProviderFlowRow>(providerFlow, rowOptions);

const id = 'images';

/** @returns the calls of all workers; null before the first one that was limited or failed */
export async function findProviderFlow(db: Db): Promise<ProviderFlowRow | null> {
  return modelsOf(db).providerFlows.findById(id).lean();
}
