import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import { withoutSecrets } from '#shared/platform/log.ts';

/** Writes what Fastify logs by itself, but for its two lines of each request, neither of which has all that `logRequest` has. */
export class RequestLog extends Fastify.LogController {
  override incomingRequest(): void {}
  override requestCompleted(): void {}
  /** Its line would have the URL as it is. */
  override routeNotFound(): void {}
}

/** Logs each request when it has ended, in one line. */
export const requestLines = plugin(async (app) => {
  app.addHook('onRequest', (request, reply, done) => {
    logRequest(request, reply);
    done();
  });
});

/**
 * Logs a request when its reply was sent or its client has disconnected: method, URL without secrets, status, and how long
 * it took in ms. Those for files of the web app are logged at debug.
 */
export function logRequest(request: FastifyRequest, { raw }: FastifyReply): void {
  const began = performance.now();
  raw.once('close', () => {
    const line = {
      method: request.method,
      url: withoutSecrets(request.url),
      // Before its head is written, a reply has a status that nobody has given it.
      status: raw.headersSent ? raw.statusCode : null,
      durationMs: Math.round(performance.now() - began),
      ...(raw.writableFinished ? {} : { aborted: true }),
    };
    request.log[isOfFile(request.routeOptions?.url) ? 'debug' : 'info'](line, 'request');
  });
}

/** Whether a pattern of a route is a file's: the web app has one for each of its files. */
export function isOfFile(pattern: string | undefined): boolean {
  return pattern !== undefined && !pattern.startsWith('/api/') && /\.\w+$/.test(pattern);
}
