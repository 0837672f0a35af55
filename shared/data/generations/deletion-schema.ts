import { Schema } from 'mongoose';
import { date, partOptions } from '#shared/data/row.ts';

/**
 * How far the deletion of a generation is. `undoable`: nothing is removed yet. `purging`: its texts are removed, and its
 * files are being removed. `purged`: it is a tombstone, kept for its idempotency key and the audit.
 */
const stages = ['undoable', 'purging', 'purged'] as const;

/** The deletion of a generation by its seller. */
export const deletionSchema = new Schema(
  { stage: { type: String, enum: stages, required: true }, at: date },
  partOptions,
);
