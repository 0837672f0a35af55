import type { Socket } from 'node:net';
import type { Doc } from '../bson/values.ts';
import type { CommandContext, Reply, ServerState } from '../commands/context.ts';
import { errorReply, runCommand } from '../commands/run.ts';
import { MongoServerError } from '../errors.ts';
import type { Database } from '../storage/database.ts';
import { MessageReader, ProtocolError, type Request, readRequest, writeReply } from './wire.ts';

/** `setTimeout` fires at once for a longer time. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Sends replies as soon as everything that they acknowledge is durable. */
interface Outbox {
  send(socket: Socket, bytes: Buffer): void;
  /** Ensures that pending writes become durable soon, even if no reply waits for them. */
  schedule(): void;
}

/** Serves one client. Its messages are answered in order, but are not held up by a `hello` that waits. */
export function serveConnection(
  socket: Socket,
  connectionId: number,
  state: ServerState,
  outbox: Outbox,
): void {
  const reader = new MessageReader();
  const session = { isSignedIn: false };
  /** The timers of replies that are not sent at once. */
  const timers = new Set<NodeJS.Timeout>();
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.once('close', () => {
    for (const timer of timers) clearTimeout(timer);
  });
  socket.on('data', (chunk) => {
    try {
      for (const message of reader.push(chunk)) handle(message);
    } catch (error) {
      if (!(error instanceof ProtocolError)) console.error('local MongoDB server:', error);
      socket.destroy();
    }
  });

  function handle(message: Buffer): void {
    let request: Request;
    try {
      request = readRequest(message);
    } catch (error) {
      if (!(error instanceof MongoServerError)) throw error;
      const id = message.readInt32LE(4);
      outbox.send(socket, writeReply({ id, legacy: false }, errorReply(error)).bytes);
      return;
    }
    serve(request);
  }

  function serve(request: Request): void {
    const { command } = request;
    const name = command.keys().next().value ?? '';
    const database = command.get('$db');
    const context: CommandContext = {
      state,
      command,
      name,
      database: typeof database === 'string' ? database : 'test',
      raw: request.raw,
      connectionId,
      session,
      exhaustAllowed: request.exhaustAllowed,
    };
    answer(request, runCommand(context), context);
  }

  function answer(request: Request, reply: Reply, { replyAfterMs, nextInvocation }: CommandContext): void {
    if (replyAfterMs === undefined || socket.destroyed) {
      send(request, reply, nextInvocation);
      return;
    }
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        send(request, reply, nextInvocation);
      },
      Math.min(replyAfterMs, LONGEST_TIMER_MS),
    );
    timers.add(timer.unref());
  }

  function send(request: Request, reply: Reply, nextInvocation: Doc | undefined): void {
    if (request.moreToCome || socket.destroyed) {
      outbox.schedule();
      return;
    }
    const { id, bytes } = writeReply(request, reply, nextInvocation !== undefined);
    outbox.send(socket, bytes);
    if (nextInvocation) serve({ ...request, id, command: nextInvocation });
  }
}

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
