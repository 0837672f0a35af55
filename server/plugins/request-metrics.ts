import plugin from 'fastify-plugin';
import { requestDuration } from '#shared/metrics/metrics.ts';
import { isOfFile } from './request-lines.ts';

/** Other methods are counted as one: a client may send dozens. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Measures requests by method, pattern of the route and class of the status. Paths are not used: they contain ids, and
 * every label is a time series of its own.
 */
export const requestMetrics = plugin(async (app) => {
  app.addHook('onRequest', (request, reply, done) => {
    // Fastify's onResponse is not called for a client that disconnects before its answer.
    reply.raw.once('close', () => {
      const labels = {
        method: knownMethods.has(request.method) ? request.method : 'other',
        route: routeOf(request.routeOptions.url),
        status: reply.raw.writableFinished ? `${Math.floor(reply.statusCode / 100)}xx` : 'aborted',
      };
      requestDuration.observe(labels, reply.elapsedTime / 1_000);
    });
    done();
  });
});

/** The label of a route. The web app has a route for each of its hundreds of files, whose names change with each build. */
function routeOf(pattern: string | undefined): string {
  if (pattern === undefined) return 'none';
  if (/^\/(?:api|healthz|readyz)(?:\/|$)/.test(pattern)) return pattern;
  return isOfFile(pattern) ? 'files' : 'pages';
}
