import { operatorNowSchema } from '#contract';
import type { Caller } from '#server/auth/session.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { readStatus } from '#server/operator/read-status.ts';
import { AppError } from '#shared/platform/errors.ts';
import type { LiveServer, LiveSocket } from './sockets.ts';

const room = 'operators';
/** Operators' sockets whose session has given no code yet. */
const waitingRoom = 'operators-without-code';

/** How often operators are sent how the installation is, in ms. */
const everyMs = 5_000;

/** The sockets of operators. */
export interface OperatorSockets {
  /** Lets a socket in if its session has the role of operator. Others are not told. */
  admit(socket: LiveSocket): void;
  stop(): void;
}

/**
 * Sends operators how the installation is, every few seconds and when the relay says so. Without an operator's socket it
 * reads nothing. Each time, sockets whose session does not have the role any more are put out first, and those that have
 * given a code meanwhile are let in.
 */
export async function sendToOperators(
  io: LiveServer,
  app: App,
  context: ServerContext,
): Promise<OperatorSockets> {
  let sending = false;

  /** The room of a session's sockets; null for those of no operator. */
  const roomOf = (caller: Caller) =>
    app.findOperator(caller).then(
      () => room,
      (error) => {
        if (error instanceof AppError) return error.code === 'OPERATOR_CODE' ? waitingRoom : null;
        throw error;
      },
    );

  const socketsIn = (name: string) =>
    [...(io.sockets.adapter.rooms.get(name) ?? [])].flatMap((id) => io.sockets.sockets.get(id) ?? []);

  async function enter(socket: LiveSocket, allowed: string | null): Promise<void> {
    for (const each of [room, waitingRoom]) {
      if (each === allowed) await socket.join(each);
      else await socket.leave(each);
    }
  }

  async function send(): Promise<void> {
    const sockets = [room, waitingRoom].flatMap(socketsIn);
    if (sending || sockets.length === 0) return;
    sending = true;
    try {
      const callers = new Map(sockets.map(({ data: { caller } }) => [caller.principal.id, caller]));
      const rooms = new Map(
        await Promise.all([...callers].map(async ([id, caller]) => [id, await roomOf(caller)] as const)),
      );
      for (const socket of sockets) await enter(socket, rooms.get(socket.data.caller.principal.id) ?? null);
      if (socketsIn(room).length === 0) return;
      io.to(room).emit('operatorNow', operatorNowSchema.parse(await readStatus(context)));
    } catch (error) {
      context.log.warn({ err: error }, 'operators were not sent how the installation is');
    } finally {
      sending = false;
    }
  }

  const timer = setInterval(send, everyMs);
  await context.relay.onOperators(() => void send());
  return {
    admit(socket) {
      roomOf(socket.data.caller).then(
        (allowed) => enter(socket, allowed),
        (error) => context.log.warn({ err: error }, 'it is not known whether a socket is of an operator'),
      );
    },
    stop: () => clearInterval(timer),
  };
}
