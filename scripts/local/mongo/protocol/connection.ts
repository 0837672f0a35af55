import type { Socket } from 'node:net';
import type { CommandContext, Reply, ServerState } from '../commands/context.ts';
import { errorReply, runCommand } from '../commands/run.ts';
import { applicationName } from '../commands/session.ts';
import { MongoServerError } from '../errors.ts';
import type { InjectedFailure } from './fail-points.ts';
import { MessageReader, ProtocolError, type Request, readRequest, writeReply } from './wire.ts';

/** Sends replies as soon as everything that they acknowledge is durable. */
export interface Outbox {
  send(socket: Socket, bytes: Buffer): void;
  /** Ensures that pending writes become durable soon, even if no reply waits for them. */
  schedule(): void;
}

/** Serves one client; its messages are answered in order. */
export function serveConnection(
  socket: Socket,
  connectionId: number,
  state: ServerState,
  outbox: Outbox,
): void {
  const reader = new MessageReader();
  let application: string | undefined;
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
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
      outbox.send(
        socket,
        writeReply(
          { id, command: new Map(), raw: new Map(), moreToCome: false, legacy: false },
          errorReply(error),
        ),
      );
      return;
    }
    const { command } = request;
    const name = command.keys().next().value ?? '';
    const database = command.get('$db');
    application ??= applicationName(command);
    const context: CommandContext = {
      state,
      command,
      name,
      database: typeof database === 'string' ? database : 'test',
      raw: request.raw,
      connectionId,
    };
    const failure = state.failPoints.nextFailure(name, application);
    if (!failure) {
      answer(request, runCommand(context));
    } else if (failure.blockMs > 0) {
      setTimeout(() => failOrRun(request, context, failure), failure.blockMs);
    } else {
      failOrRun(request, context, failure);
    }
  }

  function failOrRun(request: Request, context: CommandContext, failure: InjectedFailure): void {
    if (failure.closeConnection) {
      socket.destroy();
      return;
    }
    if (failure.errorCode !== undefined) {
      const error = new MongoServerError(failure.errorCode, "Failing command via 'failCommand' failpoint", {
        ...(failure.errorLabels !== undefined && { errorLabels: failure.errorLabels }),
      });
      answer(request, errorReply(error));
      return;
    }
    const reply = runCommand(context);
    if (failure.writeConcernError) {
      reply.writeConcernError = failure.writeConcernError;
      if (failure.errorLabels !== undefined) reply.errorLabels = failure.errorLabels;
    }
    answer(request, reply);
  }

  function answer(request: Request, reply: Reply): void {
    if (request.moreToCome || socket.destroyed) outbox.schedule();
    else outbox.send(socket, writeReply(request, reply));
  }
}
