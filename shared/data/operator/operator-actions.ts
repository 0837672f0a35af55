import { type QueryFilter, Schema } from 'mongoose';
import { operatorActionKinds, operatorOutcomes, operatorTargets } from '#contract';
import { collection } from '../collection.ts';
import { type Db, newId } from '../db.ts';
import { date, nullableText, type Row, rowOptions, text } from '../row.ts';

const operatorAction = {
  _id: text,
  at: date,
  /** The operator's id; null for a command. */
  operator: nullableText,
  /** The operator's address at that time, or `command line`. */
  operator_name: text,
  action: { type: String, enum: operatorActionKinds, required: true },
  target_kind: { type: String, enum: operatorTargets, required: true },
  target: text,
  reason: { type: String, default: '' },
  /** What exactly, in words. */
  details: { type: String, default: '' },
  /** Null until it has ended; written once. */
  outcome: { type: String, enum: operatorOutcomes, default: null },
  /** Why it was refused or failed. */
  problem: nullableText,
};

/** A line of the audit log of operators. Lines are appended, ended once, and never removed; only the address of a deleted account is taken out. */
export interface OperatorActionRow extends Row<typeof operatorAction> {}

const operatorActionSchema = new Schema<OperatorActionRow>(operatorAction, rowOptions);
operatorActionSchema.index({ at: -1, _id: -1 });
operatorActionSchema.index({ target: 1, at: -1, _id: -1 });

export const operatorActions = collection<OperatorActionRow>('operator_actions', operatorActionSchema);

/** What a line is made of. */
export type NewOperatorAction = Pick<
  OperatorActionRow,
  'operator' | 'operator_name' | 'action' | 'target_kind' | 'target' | 'reason' | 'details'
>;

/** Appends a line, before its action begins. @returns its id */
export async function appendOperatorAction(db: Db, action: NewOperatorAction): Promise<string> {
  const id = newId();
  await operatorActions(db).create({ _id: id, at: new Date(), ...action });
  return id;
}

/** Writes how an action ended, once. */
export async function endOperatorAction(
  db: Db,
  id: string,
  outcome: NonNullable<OperatorActionRow['outcome']>,
  problem: string | null,
): Promise<void> {
  await operatorActions(db).updateOne({ _id: id, outcome: null }, { $set: { outcome, problem } });
}

/**
 * A page of the audit log, newest first.
 * @param options target: only lines about one thing; before: the last row of the previous page
 */
export function listOperatorActions(
  db: Db,
  limit: number,
  options: { target?: string; before?: { created_at: Date; _id: string } },
): Promise<OperatorActionRow[]> {
  const { target, before } = options;
  const filter: QueryFilter<OperatorActionRow> = {
    ...(target !== undefined && { target }),
    ...(before && {
      at: { $lte: before.created_at },
      $or: [{ at: { $lt: before.created_at } }, { _id: { $lt: before._id } }],
    }),
  };
  return operatorActions(db).find(filter).sort({ at: -1, _id: -1 }).limit(limit).lean();
}

/**
 * Replaces the address of a deleted account in the lines of commands about it: they keep what was done and why, with the id
 * alone. Its address as an operator stays, because the lines say who did something.
 */
export async function forgetAddress(db: Db, sellerId: string, email: string): Promise<void> {
  await operatorActions(db).updateMany({ target: sellerId, details: email }, { $set: { details: '' } });
  await operatorActions(db).updateMany({ target: email }, { $set: { target: sellerId, details: '' } });
}

/** @returns the notes on a seller, newest first */
export function listNotes(db: Db, sellerId: string, limit: number): Promise<OperatorActionRow[]> {
  return operatorActions(db)
    .find({ target: sellerId, action: 'add-note', outcome: 'done' })
    .sort({ at: -1, _id: -1 })
    .limit(limit)
    .lean();
}

/** @returns whether an operator did something since a time */
export async function hasActed(
  db: Db,
  {
    operator,
    target,
    action,
    since,
  }: { operator: string; target: string; action: OperatorActionRow['action']; since: Date },
): Promise<boolean> {
  const done = { operator, target, action, outcome: 'done' as const, at: { $gte: since } };
  return (await operatorActions(db).exists(done)) !== null;
}
