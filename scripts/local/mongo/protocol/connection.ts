import type { Socket } from 'node:net';
import type { CommandContext, Reply, ServerState } from '../commands/context.ts';
import { faultReply, runCommand } from '../commands/run.ts';
import { applicationName } from '../commands/session.ts';
import { MongoServerFault } from '../errors.ts';
import type { PlannedFailure } from './fail-points.ts';
import { MessageReader, type Request, readRequest, WireFault, writeReply } from './wire.ts';

/** Sends answers when everything they tell of is durable. */
export interface Outbox {
  send(socket: Socket, bytes: Buffer): void;
  /** Makes sure that what is written becomes durable soon, also when nobody waits for it. */
  schedule(): void;
}

/** Serves one client: its messages are answered in their order. */
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
      if (!(error instanceof WireFault)) console.error('local MongoDB server:', error);
      socket.destroy();
    }
  });

  function handle(message: Buffer): void {
    let request: Request;
    try {
      request = readRequest(message);
    } catch (error) {
      if (!(error instanceof MongoServerFault)) throw error;
      const id = message.readInt32LE(4);
      outbox.send(
        socket,
        writeReply(
          { id, command: new Map(), raw: new Map(), silent: false, legacy: false },
          faultReply(error),
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
    const failure = state.failPoints.strike(name, application);
    if (!failure) {
      answer(request, runCommand(context));
    } else if (failure.blockMs > 0) {
      setTimeout(() => failOrRun(request, context, failure), failure.blockMs);
    } else {
      failOrRun(request, context, failure);
    }
  }

  function failOrRun(request: Request, context: CommandContext, failure: PlannedFailure): void {
    if (failure.closeConnection) {
      socket.destroy();
      return;
    }
    if (failure.errorCode !== undefined) {
      const fault = new MongoServerFault(failure.errorCode, "Failing command via 'failCommand' failpoint", {
        ...(failure.errorLabels !== undefined && { errorLabels: failure.errorLabels }),
      });
      answer(request, faultReply(fault));
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
    if (request.silent || socket.destroyed) outbox.schedule();
    else outbox.send(socket, writeReply(request, reply));
  }
}
