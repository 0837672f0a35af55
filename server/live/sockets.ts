import type { Server, Socket } from 'socket.io';
import type { ClientEvents, ServerEvents } from '#contract';
import type { SessionCaller } from '#server/auth/session.ts';

/** What a socket knows from its beginning. */
interface SocketData {
  caller: SessionCaller;
}

export type LiveServer = Server<ClientEvents, ServerEvents, Record<string, never>, SocketData>;
export type LiveSocket = Socket<ClientEvents, ServerEvents, Record<string, never>, SocketData>;
