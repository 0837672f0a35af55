import type { Socket } from 'node:net';
import type { Database } from '../storage/database.ts';
import type { Outbox } from './connection.ts';

/**
 * Group commit: all commands of one turn of the event loop share one commit. Replies are held back while anything is
 * not durable, so that no client hears of a write that a crash could undo. When nothing is pending, they are sent at
 * once.
 */
export class GroupCommit implements Outbox {
  readonly #sql: Database;
  readonly #undone: () => void;
  #waiting: { socket: Socket; bytes: Buffer }[] = [];
  #scheduled = false;

  /** @param undone called when a commit failed and all pending changes were lost */
  constructor(sql: Database, undone: () => void) {
    this.#sql = sql;
    this.#undone = undone;
  }

  send(socket: Socket, bytes: Buffer): void {
    if (!this.#sql.pending) {
      socket.write(bytes);
      return;
    }
    this.#waiting.push({ socket, bytes });
    this.schedule();
  }

  /** Ensures that pending changes are committed at the end of this turn. */
  schedule(): void {
    if (this.#scheduled || !this.#sql.pending) return;
    this.#scheduled = true;
    setImmediate(() => this.flush());
  }

  /** Commits pending changes and sends the replies that wait for them. */
  flush(): void {
    this.#scheduled = false;
    const waiting = this.#waiting;
    this.#waiting = [];
    try {
      this.#sql.commit();
    } catch (error) {
      console.error('local MongoDB server: changes could not be stored:', error);
      this.#undone();
      // A closed connection tells the client that nothing was acknowledged.
      for (const { socket } of waiting) socket.destroy();
      return;
    }
    for (const { socket, bytes } of waiting) socket.write(bytes);
  }
}
