import type { Server as HttpServer } from 'node:http';
import { Server, type Socket } from 'socket.io';
import { type ClientEvents, limits, paths, type ServerEvents } from '#contract';
import { findEndedSessions } from '#shared/data/sessions.ts';
import { AppError } from '#shared/platform/errors.ts';
import type { App } from './http/app-type.ts';
import type { ServerContext } from './http/context.ts';
import { isOwnOrigin } from './plugins/origin.ts';
import type { Caller } from './plugins/session.ts';

type LiveServer = Server<ClientEvents, ServerEvents, Record<string, never>, { caller: Caller }>;
type LiveSocket = Socket<ClientEvents, ServerEvents, Record<string, never>, { caller: Caller }>;

/** Sessions of open sockets are looked at this often, so that an ended one is gone even if its event was lost. */
const sessionCheckMs = 5_000;

const sellerRoom = (sellerId: string) => `seller.${sellerId}`;
const sessionRoom = (sessionId: string) => `session.${sessionId}`;

export interface Live {
  close(): Promise<void>;
}

/** Opens the sockets on the server's listener: each joins its seller's room and hears what the relay brings. */
export async function openLive(app: App, context: ServerContext): Promise<Live> {
  const { config, relay, log, db } = context;
  const io: LiveServer = new Server(app.server as HttpServer, {
    path: paths.socket,
    serveClient: false,
    maxHttpBufferSize: limits.socketMessageBytes,
    allowRequest: (request, decide) => decide(null, isOwnOrigin(request, config.publicUrl)),
  });
  const topics = sellerTopics();
  io.engine.on('connection', limitPackets);

  io.use((socket, next) => {
    admit(socket).then(
      () => next(),
      (error: Error) => {
        if (!('data' in error)) log.error({ err: error }, 'a window was not let in');
        next(toConnectError(error));
      },
    );
  });

  async function admit(socket: LiveSocket): Promise<void> {
    const { cookie, authorization } = socket.request.headers;
    const token = socket.handshake.auth.token;
    const bearer = typeof token === 'string' ? `Bearer ${token}` : authorization;
    const caller = await app.callerOf({ cookie, authorization: bearer });
    if (!caller) throw connectError(new AppError('UNAUTHENTICATED'));
    socket.data.caller = caller;
    // Heard before the client is told that it is connected: what it fetches then and what comes after has no gap.
    await topics.enter(caller.sellerId).catch((error) => {
      log.error({ err: error }, 'no subscription to the relay');
      throw connectError(new AppError('UNAVAILABLE'));
    });
    // The handshake may end before `connection`; its disconnect would then never be seen.
    if (socket.conn.readyState !== 'open') {
      topics.leave(caller.sellerId);
      throw connectError(new AppError('UNAVAILABLE'));
    }
  }

  io.on('connection', (socket) => {
    const { sellerId, sessionId } = socket.data.caller;
    void socket.join([sellerRoom(sellerId), sessionRoom(sessionId)]);
    socket.on('disconnect', () => topics.leave(sellerId));
  });

  /** One subscription a seller, however many windows are open. */
  function sellerTopics() {
    const open = new Map<string, { windows: number; ended: Promise<() => Promise<void>> }>();
    return {
      async enter(sellerId: string): Promise<void> {
        let topic = open.get(sellerId);
        if (!topic) {
          topic = { windows: 0, ended: subscribe(sellerId) };
          open.set(sellerId, topic);
        }
        topic.windows += 1;
        try {
          await topic.ended;
        } catch (error) {
          open.delete(sellerId);
          throw error;
        }
      },
      leave(sellerId: string): void {
        const topic = open.get(sellerId);
        if (!topic) return;
        topic.windows -= 1;
        if (topic.windows > 0) return;
        open.delete(sellerId);
        topic.ended
          .then((end) => end())
          .catch((error) => log.warn({ err: error }, 'a subscription was not ended'));
      },
    };
  }

  function subscribe(sellerId: string): Promise<() => Promise<void>> {
    return relay.subscribe(sellerId, (event) => {
      const room = io.to(sellerRoom(sellerId));
      if (event.generation) room.emit('generation', event.generation);
      if (event.subscription) room.emit('subscription', event.subscription);
    });
  }

  function endSession(sessionId: string): void {
    io.to(sessionRoom(sessionId)).emit('sessionEnded');
    io.in(sessionRoom(sessionId)).disconnectSockets(true);
  }

  await relay.onSessionEnd(endSession);
  const sessionCheck = setInterval(async () => {
    const open = new Set([...io.sockets.sockets.values()].map((socket) => socket.data.caller.sessionId));
    if (open.size === 0) return;
    // While MongoDB does not answer nobody is sent away.
    for (const sessionId of await findEndedSessions(db, [...open]).catch(() => [])) endSession(sessionId);
  }, sessionCheckMs);

  return {
    close: async () => {
      clearInterval(sessionCheck);
      await io.close();
    },
  };
}

/**
 * Browsers have nothing to say over a connection but its handshake and an answer to a ping now and then; whoever floods
 * it is disconnected, signed in or not.
 */
function limitPackets(connection: LiveSocket['conn']): void {
  let packets = 0;
  let windowEnds = 0;
  connection.on('packet', () => {
    const now = Date.now();
    if (now > windowEnds) {
      packets = 0;
      windowEnds = now + 10_000;
    }
    packets += 1;
    // At once: what is still in the buffer of someone who floods is not awaited.
    if (packets > limits.socketMessages) connection.close(true);
  });
}

/** A refusal as Socket.IO hands it to the client: `error.data` has code and message. */
/** A socket is told a refusal, in the words of one, and never what a store said. */
function toConnectError(error: Error): Error {
  return 'data' in error ? error : connectError(new AppError('UNAVAILABLE'));
}

function connectError(appError: AppError): Error {
  return Object.assign(new Error(appError.code), {
    data: { code: appError.code, message: appError.message },
  });
}
