import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import { inTrace, parseTraceparent, type Trace } from '#shared/platform/trace.ts';
import type { Tracing } from '#shared/tracing/record-traces.ts';
import { hasBody } from './deadline.ts';

/**
 * The trace that a trusted proxy says a request belongs to; null for none. No other client may choose it: its requests
 * would be found under the id of somebody else's.
 */
export function traceGivenBy({ traceparent }: IncomingHttpHeaders, trustedProxies: number): Trace | null {
  return trustedProxies > 0 ? parseTraceparent(traceparent) : null;
}

interface TraceOptions {
  trustedProxies: number;
  tracing?: Pick<Tracing, 'fastify'> | null | undefined;
}

/** Runs each request in its trace, whose id is the request's id, and sends that id with the reply. */
export const traces = plugin<TraceOptions>(async (app, { trustedProxies, tracing }) => {
  const contexts = new WeakMap<FastifyRequest, ReturnType<typeof AsyncLocalStorage.snapshot>>();
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    const parent = traceGivenBy(request.headers, trustedProxies)?.parent ?? null;
    inTrace({ id: request.id, parent }, done);
  });
  if (tracing) await app.register(tracing.fastify);
  app.addHook('onRequest', (request, _reply, done) => {
    if (hasBody(request.raw)) contexts.set(request, AsyncLocalStorage.snapshot());
    done();
  });
  // Reading the body ends in an event of the connection, which is outside of the trace.
  app.addHook('preValidation', (request, _reply, done) => {
    const within = contexts.get(request);
    if (within) within(done);
    else done();
  });
});
