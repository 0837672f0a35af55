import type { Server as HttpServer } from 'node:http';
import { Server } from 'socket.io';
import {
  generationViewSchema,
  limits,
  notificationViewSchema,
  paths,
  removedGenerationSchema,
  subscriptionViewSchema,
} from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { isOwnOrigin } from '#server/plugins/origin.ts';
import { findEndedSessions } from '#shared/data/accounts/sessions.ts';
import { socketConnections } from '#shared/metrics/metrics.ts';
import { AppError } from '#shared/platform/errors.ts';
import type { SellerEvent } from '#shared/platform/relay.ts';
import { connectErrorOf } from './connect-error.ts';
import { sendToOperators } from './operators.ts';
import { limitPackets } from './packet-limit.ts';
import { createSellerTopics, type SellerTopics } from './seller-topics.ts';
import type { LiveServer, LiveSocket } from './sockets.ts';

/** Pause between two checks whether the sessions of open sockets have ended: the event about it may be lost. */
const sessionCheckMs = 5_000;

const sellerRoom = (sellerId: string) => `seller.${sellerId}`;
const sessionRoom = (sessionId: string) => `session.${sessionId}`;

/** The open sockets of a server. */
export interface Live {
  /** How many sockets are open. */
  openSockets(): number;
  close(): Promise<void>;
}

/** Opens the sockets on the server's listener. Each gets its seller's events from the relay. */
export async function openLive(app: App, context: ServerContext): Promise<Live> {
  const { config, relay, log } = context;
  const io: LiveServer = new Server(app.server as HttpServer, {
    path: paths.socket,
    serveClient: false,
    maxHttpBufferSize: limits.socketMessageBytes,
    allowRequest: (request, decide) => decide(null, isOwnOrigin(request, config.publicUrl)),
  });
  const topics = createSellerTopics(
    (sellerId) => relay.subscribe(sellerId, (event) => sendToSeller(io, sellerId, event)),
    log,
  );

  const operators = await sendToOperators(io, app, context);

  io.engine.on('connection', limitPackets);
  io.use((socket, next) => {
    admit(app, topics, socket).then(
      () => {
        socketConnections.inc({ outcome: 'admitted' });
        next();
      },
      (error) => {
        socketConnections.inc({ outcome: 'refused' });
        if (!(error instanceof AppError)) log.error({ err: error }, 'a socket could not be admitted');
        next(connectErrorOf(error));
      },
    );
  });
  io.on('connection', (socket) => {
    const { sellerId, principal } = socket.data.caller;
    void socket.join([sellerRoom(sellerId), sessionRoom(principal.id)]);
    socket.on('disconnect', () => topics.leave(sellerId));
    operators.admit(socket);
  });

  await relay.onSessionEnd((sessionId) => closeSession(io, sessionId));
  const sessionCheck = setInterval(() => closeEndedSessions(io, context), sessionCheckMs);
  return {
    openSockets: () => io.engine.clientsCount,
    close: async () => {
      clearInterval(sessionCheck);
      operators.stop();
      await io.close();
    },
  };
}

/** Authenticates a socket and subscribes to its seller's events. @throws AppError when it may not connect */
async function admit(app: App, topics: SellerTopics, socket: LiveSocket): Promise<void> {
  const { cookie, authorization } = socket.request.headers;
  const { token } = socket.handshake.auth;
  const bearer = typeof token === 'string' ? `Bearer ${token}` : authorization;
  const caller = await app.callerOf({ cookie, authorization: bearer });
  if (!caller) throw new AppError('UNAUTHENTICATED');
  socket.data.caller = caller;
  // Before the client is told that it is connected and fetches: no event between the two is lost.
  await topics.enter(caller.sellerId);
  // A client that disconnected before `connection` causes no `disconnect`.
  if (socket.conn.readyState !== 'open') {
    topics.leave(caller.sellerId);
    throw new AppError('UNAVAILABLE');
  }
}

/** Parses the views, so that a field that the contract does not have is not sent. */
function sendToSeller(
  io: LiveServer,
  sellerId: string,
  { generation, generationRemoved, batchChanged, subscription, notification }: SellerEvent,
): void {
  const room = io.to(sellerRoom(sellerId));
  if (generation) room.emit('generation', generationViewSchema.parse(generation));
  if (generationRemoved) room.emit('generationRemoved', removedGenerationSchema.parse(generationRemoved));
  if (batchChanged) room.emit('batchChanged');
  if (subscription) room.emit('subscription', subscriptionViewSchema.parse(subscription));
  if (notification) room.emit('notification', notificationViewSchema.parse(notification));
}

function closeSession(io: LiveServer, sessionId: string): void {
  io.to(sessionRoom(sessionId)).emit('sessionEnded');
  io.in(sessionRoom(sessionId)).disconnectSockets(true);
}

async function closeEndedSessions(io: LiveServer, { db }: ServerContext): Promise<void> {
  const open = new Set([...io.sockets.sockets.values()].map((socket) => socket.data.caller.principal.id));
  if (open.size === 0) return;
  // While MongoDB does not answer, all sockets stay open.
  const ended = await findEndedSessions(db, [...open]).catch(() => []);
  for (const sessionId of ended) closeSession(io, sessionId);
}
