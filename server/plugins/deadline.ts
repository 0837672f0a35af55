import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import plugin from 'fastify-plugin';
import { limits, uploadBytesMost } from '#contract';
import { answerRaw } from '#server/http/errors.ts';
import { AppError } from '#shared/platform/errors.ts';

/** How long a request may take to arrive. */
export interface Deadlines {
  headersMs: number;
  /** Pause between two looks at headers that are late. */
  headersCheckMs: number;
  bodyMs: number;
  /** What a body may take at most, whatever its length. */
  bodyMostMs: number;
  /** So many bytes are worth one second more. */
  bodyBytesPerSecond: number;
  /** Instead of `bodyMs` for what still comes of a body that was answered. */
  afterAnswerMs: number;
}

export const usualDeadlines: Deadlines = {
  headersMs: limits.headersSeconds * 1_000,
  headersCheckMs: 5_000,
  bodyMs: limits.bodySeconds * 1_000,
  bodyMostMs: limits.bodySecondsMost * 1_000,
  bodyBytesPerSecond: limits.bodyBytesPerSecond,
  afterAnswerMs: limits.bodyAfterAnswerSeconds * 1_000,
};

/** Pause between two looks at what is read away behind an answer. */
const checkAfterAnswerMs = 50;

/**
 * Holds every request on the listener to the time that its body deserves, whichever route it is for: one that is late
 * is answered 408 and its connection closed. Headers are held to theirs by Node, with the same values.
 * A client that asks before it sends its body (`Expect: 100-continue`) is asked for it once somebody reads.
 */
export const deadline = plugin<{ deadlines: Deadlines }>(async (app, { deadlines }) => {
  // Once everything listens: Socket.IO takes the listeners that it finds away from requests of its own.
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

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** When a body is late, in ms from its beginning. */
function msFor(bytes: number, firstMs: number, deadlines: Deadlines): number {
  return Math.min(firstMs + (bytes / deadlines.bodyBytesPerSecond) * 1_000, deadlines.bodyMostMs);
}

function watch(request: IncomingMessage, response: ServerResponse, deadlines: Deadlines): void {
  const { socket } = request;
  const announced = request.headers['content-length'];
  const arrived = meter(socket);
  let timer: NodeJS.Timeout;
  const check = () => {
    if (request.complete || socket.destroyed) return;
    // Without a length the bytes that have come count: a body that goes on earns time, one that drips does not.
    const bytes = announced === undefined ? arrived.bytes() : Number(announced);
    const msLeft = msFor(bytes, deadlines.bodyMs, deadlines) - arrived.ms();
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

/** What comes in from now on. */
function meter(socket: Socket): { bytes(): number; ms(): number } {
  const [bytesBefore, began] = [socket.bytesRead, performance.now()];
  return { bytes: () => socket.bytesRead - bytesBefore, ms: () => performance.now() - began };
}

function expire(request: IncomingMessage, response: ServerResponse): void {
  const appError = new AppError('REQUEST_TIMEOUT');
  if (response.headersSent) request.socket.destroy();
  // Whoever reads the body gives up and answers as for every refusal.
  else if (request.listenerCount('error') > 0) request.emit('error', appError);
  else answerRaw(response, appError);
}

/**
 * Reads away what still comes of a body whose request was answered: a client hears the answer only once it has sent.
 * One that drips, or sends on and on, is cut off.
 */
function drainRequest(request: IncomingMessage, deadlines: Deadlines): void {
  const { socket } = request;
  const arrived = meter(socket);
  request.unpipe();
  request.resume();
  const timer = setInterval(() => {
    if (request.complete || socket.destroyed) return clearInterval(timer);
    const bytes = arrived.bytes();
    if (bytes > uploadBytesMost || arrived.ms() > msFor(bytes, deadlines.afterAnswerMs, deadlines)) {
      socket.destroy();
    }
  }, checkAfterAnswerMs);
}
