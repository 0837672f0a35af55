import mongoose from 'mongoose';

declare const opaque: unique symbol;

/**
 * A handle to the database. It has no models: every statement is a function of this folder that takes the handle first
 * (docs/decisions/0022-statements-live-in-shared-data.md).
 */
export interface Db {
  readonly [opaque]: true;
  close(): Promise<void>;
}

/** Whether an error is MongoDB's duplicate key error. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 11_000;
}

/** A new id: 24 hexadecimal digits that sort by creation time. */
export function newId(): string {
  return new mongoose.Types.ObjectId().toHexString();
}
