import plugin from 'fastify-plugin';
import { requestDuration } from '#shared/metrics/metrics.ts';

/** Other methods are counted as one: a client may send dozens. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Measures requests by method, pattern of the route and class of the status. Paths are not used: they contain ids, and
 * every label is a time series of its own.
 */
export const requestMetrics = plugin(async (app) => {
  app.addHook('onResponse', async (request, reply) => {
    const labels = {
      method: knownMethods.has(request.method) ? request.method : 'other',
      route: request.routeOptions.url ?? 'none',
      // A client that has gone got no status.
      status: reply.raw.writableFinished ? `${Math.floor(reply.statusCode / 100)}xx` : 'aborted',
    };
    requestDuration.observe(labels, reply.elapsedTime / 1_000);
  });
});
