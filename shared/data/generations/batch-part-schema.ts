import { Schema } from 'mongoose';
import { number, optional, partOptions, type Row, text } from '#shared/data/row.ts';

const batchPart = {
  /** The batch. */
  id: text,
  /** The row of the batch, and which of its takes, from 0. */
  row: number,
  take: number,
  /** From 1; a failed image that is made again has the next one. */
  attempt: number,
  /** True once a failed image is made again. Absent otherwise. */
  replaced: { type: Boolean, ...optional },
};

/** Which image of a batch a generation is. */
export interface BatchPart extends Row<typeof batchPart> {}

export const batchPartSchema = new Schema<BatchPart>(batchPart, partOptions);
