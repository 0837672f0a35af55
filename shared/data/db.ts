import mongoose, { type Connection } from 'mongoose';
import type { Models } from './models.ts';

/** A handle to the database. Statements are functions of this folder that take it first. */
export interface Db extends Models {
  connection: Connection;
  close(): Promise<void>;
}

/** Whether an error is MongoDB's duplicate key error. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 11_000;
}

/** A new id: 24 hexadecimal digits that sort by the time they were made. */
export function newId(): string {
  return new mongoose.Types.ObjectId().toHexString();
}

/** The connection of a database handle; only the files of this folder use it. */
export function connectionOf(db: Db): Connection {
  return db.connection;
}

/** Asks the database for an answer. @throws when there is none */
export async function ping(db: Db): Promise<void> {
  await connectionOf(db).db!.command({ ping: 1 });
}
