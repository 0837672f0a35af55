import { setTimeout as wait } from 'node:timers/promises';
import { FastifyOtelInstrumentation } from '@fastify/otel';
import { context, DiagLogLevel, diag, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Telemetry } from 'bullmq';
import type { FastifyPluginCallback } from 'fastify';
import type { Log } from '#shared/platform/log.ts';
import { recordSpansWith } from '#shared/platform/trace.ts';
import { queueTelemetry } from './queue-telemetry.ts';
import { idGenerator, sampler, spanRecorder, withoutContents } from './spans.ts';

/** The recording of traces in this process. */
export interface Tracing {
  /** Makes a span of each request to the API. */
  fastify: FastifyPluginCallback;
  /** Makes spans of what happens to jobs. */
  queue: Telemetry;
  /** Sends the spans that are left, for a few seconds at most, and stops recording. */
  close(): Promise<void>;
}

/** How long the collector may take to answer, and how long closing waits for it, in ms. */
const [exportMs, closeMs] = [5_000, 3_000];

/** How often an error of the export is logged, in ms. */
const errorPauseMs = 60_000;

/** Sends the traces of this process to a collector, as JSON over HTTP. One program of a process can do so. */
export function recordTraces(endpoint: string, program: string, log: Log): Tracing {
  logErrors(log);
  const requests = new FastifyOtelInstrumentation({
    // Spans of requests only, not of each hook and handler.
    instrumentHooks: false,
    instrumentHandler: false,
    recordExceptions: false,
    ignorePaths: ({ url }) => !url.startsWith('/api/'),
    requestHook: (span, { method, routeOptions }) =>
      span.updateName(`${method} ${routeOptions.url ?? 'none'}`),
  });
  const calls = new UndiciInstrumentation({
    requireParentforSpans: true,
    requestHook: (span, { method, origin }) => span.updateName(`${method} ${new URL(origin).host}`),
  });
  const exporter = withoutContents(
    new OTLPTraceExporter({ url: tracesUrl(endpoint), timeoutMillis: exportMs }),
  );
  const provider = new TracerProvider({
    // Not detected: the names of the machine, its users and its files are nobody's business.
    resource: defaultResource().merge(resourceFromAttributes({ 'service.name': `packshot-${program}` })),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
    sampler,
    idGenerator,
  });
  // There is no propagator, so nothing reads or adds trace headers by itself: neither those of clients, nor in calls to
  // OpenAI and Stripe.
  registerInstrumentations({ instrumentations: [requests, calls] });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  recordSpansWith(spanRecorder);
  return {
    fastify: requests.plugin(),
    queue: queueTelemetry(),
    async close() {
      recordSpansWith(null);
      calls.disable();
      const sent = provider
        .shutdown()
        .catch((error) => log.warn({ err: error }, 'the last spans were not sent'));
      await Promise.race([sent, wait(closeMs, undefined, { ref: false })]);
      for (const api of [trace, context, propagation, diag]) api.disable();
    },
  };
}

/** The address for traces of a collector. */
function tracesUrl(endpoint: string): string {
  return new URL('v1/traces', endpoint.endsWith('/') ? endpoint : `${endpoint}/`).href;
}

/** Logs errors of the SDK, such as a collector that does not answer, but not each of them. */
function logErrors(log: Log): void {
  let next = 0;
  const ignore = () => {};
  const error = (message: string) => {
    if (Date.now() < next) return;
    next = Date.now() + errorPauseMs;
    log.warn({ reason: String(message).slice(0, 300) }, 'traces were not sent');
  };
  diag.setLogger(
    { error, warn: ignore, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.ERROR },
  );
}
