import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import plugin from 'fastify-plugin';
import { uploadBytesMost } from '#contract';
import { serverLimits } from '#contract/server-limits.ts';
import { replyRaw } from '#server/http/errors.ts';
import { AppError } from '#shared/platform/errors.ts';

/** How long a connection may be idle, a request may take to arrive, and its reply to be read. */
export interface Deadlines {
  /** For a connection between two requests: longer than the minute for which proxies keep theirs. */
  idleMs: number;
  /** For a connection on which no byte moves, at any time. */
  silentMs: number;
  headersMs: number;
  /** Pause between two checks for overdue headers. */
  headersCheckMs: number;
  /** For a body, plus one second per `bodyBytesPerSecond` that has arrived. */
  bodyMs: number;
  /** Maximum for a body of any length. */
  bodyMostMs: number;
  bodyBytesPerSecond: number;
  /** Instead of `bodyMs` and `bodyBytesPerSecond` for the rest of a body after the answer. */
  afterAnswerMs: number;
  afterAnswerBytesPerSecond: number;
  /** How long a reply may wait for its client to read, plus one second per `replyBytesPerSecond` that were read. */
  replyMs: number;
  replyBytesPerSecond: number;
  /** Pause between two checks of open replies. */
  replyCheckMs: number;
}

export const usualDeadlines: Deadlines = {
  idleMs: 72_000,
  silentMs: 120_000,
  headersMs: serverLimits.headersSeconds * 1_000,
  headersCheckMs: 5_000,
  bodyMs: serverLimits.bodySeconds * 1_000,
  bodyMostMs: serverLimits.bodySecondsMost * 1_000,
  bodyBytesPerSecond: serverLimits.bodyBytesPerSecond,
  afterAnswerMs: serverLimits.bodyAfterAnswerSeconds * 1_000,
  afterAnswerBytesPerSecond: serverLimits.bodyAfterAnswerBytesPerSecond,
  replyMs: serverLimits.replySeconds * 1_000,
  replyBytesPerSecond: serverLimits.replyBytesPerSecond,
  replyCheckMs: 5_000,
};

/** Pause between two checks of a request that is drained. */
const checkAfterAnswerMs = 50;

/**
 * Limits how long the body of any request may take to arrive: an overdue one is answered 408 and its connection closed.
 * Node does the same for headers. `Expect: 100-continue` is answered only when a handler starts to read the body.
 */
export const deadline = plugin<{ deadlines: Deadlines }>(async (app, { deadlines }) => {
  // Not before all listeners are there: Socket.IO takes over existing listeners and does not call them for its own requests.
  app.addHook('onReady', async () => {
    app.server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      if (hasBody(request)) watch(request, response, deadlines);
    });
  });
  app.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    request.once('resume', () => {
      if (!response.headersSent) response.writeContinue();
    });
    app.server.emit('request', request, response);
  });
});

/** Whether a request has a body, by its headers. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** How long a body may take, in ms from its start. @param bytes that have arrived: one that drips is cut off */
function msFor(bytes: number, firstMs: number, bytesPerSecond: number, mostMs: number): number {
  return Math.min(firstMs + (bytes / bytesPerSecond) * 1_000, mostMs);
}

function watch(request: IncomingMessage, response: ServerResponse, deadlines: Deadlines): void {
  const { socket } = request;
  const { bodyMs, bodyBytesPerSecond, bodyMostMs } = deadlines;
  const arrived = meter(socket);
  let timer: NodeJS.Timeout;
  const check = () => {
    if (request.complete || socket.destroyed) return;
    const msLeft = msFor(arrived.bytes(), bodyMs, bodyBytesPerSecond, bodyMostMs) - arrived.ms();
    if (msLeft > 0) {
      timer = setTimeout(check, msLeft + 1);
      return;
    }
    expire(request, response);
    timer = setTimeout(() => socket.destroy(), deadlines.afterAnswerMs);
  };
  check();
  response.once('close', () => {
    clearTimeout(timer);
    if (!request.complete && !socket.destroyed) drainRequest(request, deadlines);
  });
}

/** Measures bytes and time from now on. */
function meter(socket: Socket): { bytes(): number; ms(): number } {
  const [bytesBefore, began] = [socket.bytesRead, performance.now()];
  return { bytes: () => socket.bytesRead - bytesBefore, ms: () => performance.now() - began };
}

function expire(request: IncomingMessage, response: ServerResponse): void {
  const appError = new AppError('REQUEST_TIMEOUT');
  if (response.headersSent) request.socket.destroy();
  // A handler that reads the body gets the error and answers it like any other.
  else if (request.listenerCount('error') > 0) request.emit('error', appError);
  else replyRaw(response, appError);
}

/**
 * Reads and discards the rest of a body after the answer: many clients read the answer only after they have sent
 * everything. A client that sends too slowly or too much is disconnected.
 */
function drainRequest(request: IncomingMessage, deadlines: Deadlines): void {
  const { socket } = request;
  const { afterAnswerMs, afterAnswerBytesPerSecond, bodyMostMs } = deadlines;
  const arrived = meter(socket);
  request.unpipe();
  request.resume();
  const timer = setInterval(() => {
    if (request.complete || socket.destroyed) return clearInterval(timer);
    const bytes = arrived.bytes();
    const most = msFor(bytes, afterAnswerMs, afterAnswerBytesPerSecond, bodyMostMs);
    if (bytes > uploadBytesMost || arrived.ms() > most) socket.destroy();
  }, checkAfterAnswerMs);
}
