import type { Socket } from 'node:net';
import type { Database } from '../storage/database.ts';
import type { Outbox } from './connection.ts';

/**
 * Lets all commands of one turn of the event loop share one write to disk. Answers wait for it as long as anything is
 * not yet durable, so nobody is told of a write that a crash could undo; with nothing pending they go out at once.
 */
export class GroupCommit implements Outbox {
  readonly #sql: Database;
  readonly #undone: () => void;
  #waiting: { socket: Socket; bytes: Buffer }[] = [];
  #scheduled = false;

  /** @param undone is called when the disk refused and all pending changes are gone. */
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

  /** Makes sure that what is pending is committed at the end of this turn. */
  schedule(): void {
    if (this.#scheduled || !this.#sql.pending) return;
    this.#scheduled = true;
    setImmediate(() => this.flush());
  }

  /** Commits what is pending and sends what waited for it. */
  flush(): void {
    this.#scheduled = false;
    const waiting = this.#waiting;
    this.#waiting = [];
    try {
      this.#sql.commit();
    } catch (error) {
      console.error('local MongoDB server: changes could not be stored:', error);
      this.#undone();
      // Closing the connections tells the clients that nothing was acknowledged.
      for (const { socket } of waiting) socket.destroy();
      return;
    }
    for (const { socket, bytes } of waiting) socket.write(bytes);
  }
}
